package dev.baton.chaos.soak;

import dev.baton.chaos.client.Vitals;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.server.Site;
import dev.baton.chaos.server.Sites;
import dev.baton.chaos.soak.Gauge.Reading;
import dev.baton.tck.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Clients come and go, several at once in each of several JVMs, and every fifth JVM is killed with those that it has.
 *
 * @param store a name, or an address
 * @param clients how many come and go
 * @param limit when no more come, although there were fewer
 * @param jvms how many JVMs there are at a time
 * @param clientsEach how many clients one JVM has in its life
 * @param atOnce how many clients a JVM has at a time
 * @param directory where the JVMs' errors go
 * @param progress receives lines that report progress
 */
public record Crowd(
        String store,
        int clients,
        Duration limit,
        int jvms,
        int clientsEach,
        int atOnce,
        Path directory,
        Consumer<String> progress) {
    /** Slopes are per so many clients. */
    static final double UNIT = 100_000;

    private static final Duration LINE = Duration.ofMinutes(10);
    private static final int KILLED = 5;

    /** A JVM's first clients load classes and fill caches. */
    private static final double WARM_UP = 1_000 / UNIT;

    /** Runs. */
    public CrowdReport run() throws Exception {
        Files.createDirectories(directory);
        try (Site site = Sites.of(store, directory)) {
            Gauge gauge = Gauges.of(site.uri());
            SoakRun.useOnce(site);
            Reading before = gauge.read();
            long began = HostTime.nanos();
            Run run = new Run(this, site.uri(), began);
            ExecutorService slots = Executors.newFixedThreadPool(jvms);
            try {
                List<Future<?>> ends = new ArrayList<>();
                for (int i = 0; i < jvms; i++) {
                    ends.add(slots.submit(run));
                }
                for (Future<?> each : ends) {
                    each.get();
                }
            } finally {
                slots.shutdownNow();
            }
            Duration length = HostTime.since(began);
            Reading after = Leftovers.awaited(gauge, before);
            return new CrowdReport(
                    site.words(),
                    length,
                    run.gone.get(),
                    run.killed.get(),
                    run.failed.get(),
                    run.series,
                    before,
                    after);
        }
    }

    /** What all slots share. */
    private static final class Run implements Callable<Void> {
        private final Crowd crowd;
        private final String uri;
        private final long began;
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicInteger gone = new AtomicInteger();
        private final AtomicInteger killed = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final Series series = new Series(WARM_UP);
        private final ReentrantLock guard = new ReentrantLock();

        Run(Crowd crowd, String uri, long began) {
            this.crowd = crowd;
            this.uri = uri;
            this.began = began;
        }

        @Override
        public Void call() throws Exception {
            while (goesOn()) {
                int number = started.incrementAndGet();
                try (ChildProcess child = ChildProcess.start(
                        crowd.directory(),
                        Map.of(),
                        CrowdMain.class,
                        uri,
                        Integer.toString(crowd.clientsEach()),
                        Integer.toString(crowd.atOnce()),
                        "own-" + number + "-")) {
                    follow(child, number);
                }
            }
            return null;
        }

        private boolean goesOn() {
            return gone.get() < crowd.clients() && HostTime.since(began).compareTo(crowd.limit()) < 0;
        }

        private void follow(ChildProcess child, int number) throws InterruptedException {
            int last = number % KILLED == 0 ? crowd.clientsEach() / 2 : crowd.clientsEach();
            for (int seen = 0; seen < last && goesOn(); seen += CrowdMain.STEP) {
                String[] words = child.expect("GONE ", LINE).split(" ", 2);
                Vitals vitals = Vitals.of(words[1]);
                guard.lock();
                try {
                    series.add("JVM " + number, Integer.parseInt(words[0]) / UNIT, vitals);
                } finally {
                    guard.unlock();
                }
                if (gone.addAndGet(CrowdMain.STEP) % 1_000 == 0) {
                    crowd.progress().accept("%d clients; JVM %d: %s".formatted(gone.get(), number, vitals));
                }
                if (seen + CrowdMain.STEP >= last) {
                    failed.addAndGet((int) vitals.exceptions());
                }
            }
            if (last < crowd.clientsEach()) {
                // In the middle of the next ones.
                HostTime.sleep(Duration.ofMillis(50));
                child.kill();
                killed.addAndGet(crowd.atOnce());
            }
        }
    }
}
