package dev.baton.demo;

import dev.baton.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/** The process that started this one: they exchange words over this process's input and output. Thread-safe. */
final class Parent {
    private final Map<Word, Semaphore> heard = new EnumMap<>(Word.class);
    private volatile Runnable onStop = () -> {};

    Parent() {
        for (Word word : Word.values()) {
            heard.put(word, new Semaphore(0));
        }
    }

    void say(Word word) {
        say(word, "");
    }

    void say(Word word, String more) {
        // One call, so that the lines of several threads do not mix.
        System.out.print(word + " " + more + "\n");
        System.out.flush();
    }

    void sayFailed(Throwable error) {
        error.printStackTrace();
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        say(error instanceof StoreException ? Word.STORE_FAILED : Word.FAILED, message.replaceAll("\\R", " "));
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

    /** Hears the parent's words until it is gone. */
    void listen() {
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
    }
}
