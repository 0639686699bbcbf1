package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code baton run} with its defaults on every store. A command runs to its end, for any time that the store lets a
 * client believe without an answer, and is ended when its lock is taken away. All stores run at the same time. The
 * locks are taken away while the long commands sleep.
 */
@Tag("serial")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EveryStoreTest {
    /** Twice the session of ZooKeeper and etcd, and two renewals of a lease of 30 s. */
    private static final String LONG = "20";

    /** No other process can take a lock away on these stores: only one process can use the file. */
    private static final Set<Place> ALONE = EnumSet.of(Place.H2_FILE);

    @TempDir
    private static Path directory;

    /** A starting JVM needs a processor: more starts at the same time would only hit time limits. */
    private static final Semaphore STARTING = new Semaphore(2);

    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static final List<OnOneStore> STORES = new ArrayList<>();
    private static final CompletableFuture<String> IN_MEMORY = new CompletableFuture<>();

    /** The runs on one store. */
    private record OnOneStore(Place place, Runs runs, BatonProcess kept) {
        static OnOneStore start(Place place) throws Exception {
            Path own = Files.createDirectory(directory.resolve(place.name()));
            Runs runs = new Runs(own, place.uri(own));
            return new OnOneStore(place, runs, run(runs, "kept", "sleep " + LONG + "; echo whole"));
        }

        /** Starts a command that runs this script, and waits until the script has begun. */
        private static BatonProcess run(Runs runs, String name, String script) throws Exception {
            STARTING.acquire();
            try {
                BatonProcess baton =
                        runs.run("--name", name, "--", "sh", "-c", "echo $$ >" + runs.file(name) + "; " + script);
                Runs.until(
                        name + " begins or ends",
                        () -> Files.exists(runs.file(name)) || !baton.handle().isAlive());
                return baton;
            } finally {
                STARTING.release();
            }
        }

        /** Returns the result of the command that was not disturbed. */
        String end() throws InterruptedException {
            return kept.exitCode() + " " + kept.out() + kept.err();
        }

        /** Takes the lock of another command away, and returns the result. */
        String loss() throws Exception {
            BatonProcess taken = run(runs, "taken", "exec sleep 100");
            ProcessHandle command = runs.process("taken");
            try (Baton admin = runs.client()) {
                assertThat(admin.admin().forceRelease("taken")).isPresent();
            }
            int exitCode = taken.exitCode();
            assertThat(taken.err())
                    .as(place.name())
                    .endsWith("; ending the command\n")
                    .hasLineCount(1);
            return exitCode + (command.isAlive() ? " alive" : " gone");
        }
    }

    private interface Step<T> {
        T take() throws Exception;
    }

    /** Runs the same step for all of them at the same time, and returns the results. */
    private static <S, T> List<T> atOnce(List<S> all, Function<S, Step<T>> step) throws Exception {
        List<Callable<T>> calls =
                all.stream().map(each -> (Callable<T>) step.apply(each)::take).toList();
        List<T> results = new ArrayList<>();
        for (Future<T> each : THREADS.invokeAll(calls)) {
            results.add(each.get());
        }
        return results;
    }

    private static void eachSays(String what, List<OnOneStore> stores, Function<OnOneStore, Step<String>> step)
            throws Exception {
        assertThat(atOnce(
                        stores,
                        store -> () -> store.place + ": " + step.apply(store).take()))
                .containsExactlyElementsOf(
                        stores.stream().map(store -> store.place + ": " + what).toList());
    }

    /** Tests the same watching code in this process, because the memory store exists only here. */
    private static void watchInMemory() {
        List<String> told = new ArrayList<>();
        try (Baton baton = Baton.connect("memory:");
                Lease lease = baton.lock("kept").acquire()) {
            Duration leaseTime = BatonOptions.DEFAULT_LEASE_TIME;
            Terms terms = Terms.of(lease, leaseTime, Duration.ofSeconds(5)).orElseThrow();
            String mark = baton.clientId();
            Watch watch = new Watch(
                    lease,
                    terms,
                    () -> Guardian.start(Command.MARK + '=' + mark, terms.grace()),
                    "interrupted",
                    told::add);
            int exitCode = watch.over(Command.under(lease, List.of("kept"), List.of("sleep", LONG), mark));
            Release release =
                    new Release(lease, leaseTime, () -> LateRelease.comesThrough(baton, baton.lock("kept")), told::add);
            exitCode = watch.hasEndedIt() ? ExitCode.RUN_LOST : release.after(exitCode, Duration.ZERO);
            IN_MEMORY.complete(exitCode + String.join(" ", told));
        } catch (Throwable e) {
            IN_MEMORY.completeExceptionally(e);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        THREADS.execute(EveryStoreTest::watchInMemory);
        STORES.addAll(atOnce(List.of(Place.values()), place -> () -> OnOneStore.start(place)));
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
        STORES.forEach(store -> store.runs.close());
    }

    @Test
    @Order(1)
    void lockTakenAway_endsTheCommand_onEveryStore() throws Exception {
        List<OnOneStore> shared =
                STORES.stream().filter(store -> !ALONE.contains(store.place)).toList();
        eachSays(ExitCode.RUN_LOST + " gone", shared, store -> store::loss);
    }

    @Test
    @Order(2)
    void commandOfTwentySeconds_runsToItsEnd_onEveryStore() throws Exception {
        eachSays("0 whole\n", STORES, store -> store::end);
        assertThat(IN_MEMORY.get(1, TimeUnit.MINUTES)).isEqualTo("0");
    }
}
