package dev.baton.demo;

import dev.baton.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/** The main class of the demo's child processes. */
final class ChildMain {
    private final Map<Word, Semaphore> heard = new EnumMap<>(Word.class);
    private volatile Runnable onStop = () -> {};

    private ChildMain() {
        for (Word word : Word.values()) {
            heard.put(word, new Semaphore(0));
        }
    }

    /**
     * Plays a role.
     *
     * @param args see {@link Assignment}
     */
    public static void main(String[] args) {
        ChildMain child = new ChildMain();
        Thread ear = new Thread(child::listen, "ear");
        ear.setDaemon(true);
        ear.start();
        System.exit(child.play(Assignment.of(args)));
    }

    private int play(Assignment assignment) {
        try {
            switch (assignment.role()) {
                case SELLER -> new Seller(assignment, this).run();
                case VILLAIN -> new Villain(assignment, this).run();
            }
            return 0;
        } catch (InterruptedException e) {
            return 1;
        } catch (ExecutionException e) {
            return fail(e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException e) {
            return fail(e);
        }
    }

    private int fail(Throwable error) {
        error.printStackTrace();
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        say(error instanceof StoreException ? Word.STORE_FAILED : Word.FAILED, message.replaceAll("\\R", " "));
        return 1;
    }

    void say(Word word) {
        say(word, "");
    }

    void say(Word word, String more) {
        // One call, so that the lines of several threads do not mix.
        System.out.print(word + " " + more + "\n");
        System.out.flush();
    }

    void await(Word word) throws InterruptedException {
        count(word).acquire();
    }

    /** Sets the action for the parent's stop message. */
    void onStop(Runnable action) {
        onStop = action;
    }

    private Semaphore count(Word word) {
        return Objects.requireNonNull(heard.get(word));
    }

    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Word word = Word.valueOf(line.strip());
                if (word == Word.STOP) {
                    onStop.run();
                }
                count(word).release();
            }
        } catch (IOException e) {
            // Treated like the end of the input.
        }
        // The parent is gone, for any reason. This process has nothing to save.
        Runtime.getRuntime().halt(0);
    }
}
