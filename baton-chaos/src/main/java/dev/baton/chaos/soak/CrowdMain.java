package dev.baton.chaos.soak;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.chaos.client.Child;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.client.Vitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The main class of a JVM in which clients come and go. After some of them it says {@code GONE}, with their number and
 * what it needs. Without its parent it ends at once.
 */
public final class CrowdMain {
    /** How many clients come and go from one line to the next. */
    static final int STEP = 100;

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final int SHARED_NAMES = 10;

    private final String uri;
    private final String own;
    private final AtomicInteger failed = new AtomicInteger();

    private CrowdMain(String uri, String own) {
        this.uri = uri;
        this.own = own;
    }

    /**
     * Runs.
     *
     * @param args the store, the number of clients, how many of them there are at once, and a word for their locks
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws InterruptedException {
        Child.listen(line -> {});
        new CrowdMain(args[0], args[3]).run(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        Child.say("DONE");
        Child.end();
    }

    private void run(int clients, int atOnce) throws InterruptedException {
        for (int first = 0; first < clients; first += STEP) {
            int end = Math.min(clients, first + STEP);
            AtomicInteger next = new AtomicInteger(first);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < atOnce; i++) {
                threads.add(new Thread(() -> comeAndGo(next, end), "visitor-" + i));
            }
            threads.forEach(Thread::start);
            for (Thread each : threads) {
                each.join();
            }
            Child.say("GONE " + end + " " + Vitals.now(end, failed.get(), 0).toLine());
        }
    }

    private void comeAndGo(AtomicInteger next, int end) {
        for (int client = next.getAndIncrement(); client < end; client = next.getAndIncrement()) {
            try (Baton baton = Baton.connect(
                    uri,
                    ClientSettings.options()
                            .leaseTime(LEASE)
                            .closeOnShutdown(false)
                            .build())) {
                use(baton, client);
            } catch (Exception unreachable) {
                failed.incrementAndGet();
            }
        }
    }

    /** Takes a lock of its own, and one that others want, which every second client leaves to its close. */
    private void use(Baton baton, int client) throws Exception {
        baton.lock(own + client).acquire().close();
        Optional<Lease> shared = baton.lock("shared-" + client % SHARED_NAMES).tryAcquire(WAIT);
        if (client % 2 == 0) {
            shared.ifPresent(Lease::close);
        }
    }
}
