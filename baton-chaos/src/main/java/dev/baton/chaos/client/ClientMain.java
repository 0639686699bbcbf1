package dev.baton.chaos.client;

import dev.baton.StoreException;
import dev.baton.chaos.history.HistoryReader;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.Locker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a client JVM. It says {@code UP} when it works, and {@code DONE} when it has finished, or why it
 * cannot; it hears {@code interrupt SEED}, {@code hold} and {@code go-on} for its callbacks, {@code sample NUMBER}, and
 * {@code finish}. Without its parent it ends at once.
 */
public final class ClientMain {
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(500);

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
            Child.say("DONE");
        } catch (IOException | RuntimeException failed) {
            failed.printStackTrace();
            Child.say(String.valueOf(failed.getMessage()));
        }
        Child.end();
    }

    private static void run(ClientSettings settings) throws IOException, InterruptedException {
        CountDownLatch finish = new CountDownLatch(1);
        try (HistoryWriter history = new HistoryWriter(HistoryReader.file(settings.directory(), settings.client()));
                Locker locker = open(settings, history)) {
            Witness witness = Witness.in(settings.directory(), settings.names().size());
            List<Thread> callers = new ArrayList<>();
            Tally tally = new Tally();
            for (int i = 0; i < settings.threads(); i++) {
                Runnable caller = settings.rate() > 0
                        ? new PacedCaller(settings, i, locker, tally, witness, finish)
                        : new Caller(settings, i, locker, history, witness, finish);
                callers.add(new Thread(caller, "caller-" + i));
            }
            Child.listen(line -> {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "finish" -> finish.countDown();
                    case "hold" -> locker.holdCallbacks(() -> witness.countHeldUp(settings.client()));
                    case "sample" ->
                        Child.say("SAMPLE " + words[1] + " " + Vitals.now(tally).toLine());
                    case "go-on" -> locker.letCallbacksGoOn();
                    default -> interrupt(callers, Long.parseLong(words[1]));
                }
            });
            callers.forEach(Thread::start);
            Child.say("UP");
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    /** A client may begin while the store has just failed: then it tries again, as an application that is restarted. */
    private static Locker open(ClientSettings settings, HistoryWriter history)
            throws IOException, InterruptedException {
        long began = HostTime.nanos();
        while (true) {
            try {
                return Lockers.open(settings, history);
            } catch (StoreException failed) {
                if (HostTime.since(began).compareTo(ONE_MINUTE) > 0) {
                    throw failed;
                }
                HostTime.sleep(PAUSE);
            }
        }
    }

    private static void interrupt(List<Thread> callers, long seed) {
        callers.get(new SplittableRandom(seed).nextInt(callers.size())).interrupt();
    }
}
