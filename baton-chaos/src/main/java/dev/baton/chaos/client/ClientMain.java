package dev.baton.chaos.client;

import dev.baton.chaos.history.HistoryReader;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.Locker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a client JVM. It says {@code UP} when it works, and {@code DONE} when it has finished, or why it
 * cannot; it hears {@code interrupt SEED} and {@code finish}. Without its parent it ends at once.
 */
public final class ClientMain {
    private ClientMain() {}

    /**
     * Runs.
     *
     * @param args see {@link ClientSettings}
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws InterruptedException {
        try {
            run(ClientSettings.of(args));
            say("DONE");
        } catch (IOException | RuntimeException failed) {
            failed.printStackTrace();
            say(String.valueOf(failed.getMessage()));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void run(ClientSettings settings) throws IOException, InterruptedException {
        CountDownLatch finish = new CountDownLatch(1);
        try (HistoryWriter history = new HistoryWriter(HistoryReader.file(settings.directory(), settings.client()));
                Locker locker = Lockers.open(settings)) {
            Witness witness = Witness.in(settings.directory(), settings.names());
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < settings.threads(); i++) {
                callers.add(new Thread(new Caller(settings, i, locker, history, witness, finish), "caller-" + i));
            }
            Thread ear = new Thread(() -> listen(callers, finish), "ear");
            ear.setDaemon(true);
            ear.start();
            callers.forEach(Thread::start);
            say("UP");
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    private static void listen(List<Thread> callers, CountDownLatch finish) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("finish")) {
                    finish.countDown();
                } else {
                    SplittableRandom random = new SplittableRandom(Long.parseLong(words[1]));
                    callers.get(random.nextInt(callers.size())).interrupt();
                }
            }
        } catch (IOException gone) {
            // As the end of the input.
        }
        // The parent process is gone.
        Runtime.getRuntime().halt(1);
    }

    private static void say(String word) {
        System.out.println(word);
        System.out.flush();
    }
}
