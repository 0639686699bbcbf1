package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promises that must hold when real processes die, pause and resume: for every store that reaches beyond one JVM. */
public abstract class CrashContract extends ProcessContract {
    /** The next waiter asks each second. This is the machine's extra time for its question and the answer. */
    private static final Duration PROCESSING = Duration.ofSeconds(1);

    /** For subclasses. */
    protected CrashContract() {}

    /**
     * Returns the longest time for which a dead process may block a lock: its lease, or the claim window of a hand-off.
     */
    private Duration takeOver() {
        Duration window = TIMINGS.claimWindow().compareTo(lease()) < 0 ? lease() : TIMINGS.claimWindow();
        return window.plusSeconds(1).plus(PROCESSING);
    }

    /** Returns the same bound for the case that all earlier waiters have died as well. */
    private Duration survivor() {
        return takeOver().plus(TIMINGS.presence());
    }

    private static long acquire(ChildProcess child) throws InterruptedException {
        return acquire(child, "acquire");
    }

    private static long acquire(ChildProcess child, String how) throws InterruptedException {
        child.send(how);
        return Long.parseLong(child.expect("GRANTED", PATIENCE));
    }

    /** Waits until the queue has at least this many waiters. */
    private void awaitWaiters(int count) throws InterruptedException {
        awaitQueue(info -> info.waiters().size() >= count, count + " waiters");
    }

    /**
     * Waits until a process that holds the lock and started this many more clients has all of them in the queue.
     * Meanwhile the process may have lost its lease to one of them, which then holds the lock and does not wait.
     */
    private void awaitCrowd(int count) throws InterruptedException {
        awaitQueue(info -> info.holders().size() + info.waiters().size() >= count, count + " clients");
    }

    /** Waits until this process is in the queue. */
    private void awaitOwnTicket() throws InterruptedException {
        awaitQueue(CrashContract::waitsHere, "this process");
    }

    /** The same; meanwhile the holder may have lost its lease to this process, if the machine kept it from running. */
    private void awaitOwnTurn() throws InterruptedException {
        awaitQueue(
                info -> waitsHere(info) || info.holders().stream().anyMatch(holder -> isHere(holder.description())),
                "this process");
    }

    private static boolean waitsHere(LockInfo info) {
        return info.waiters().stream().anyMatch(CrashContract::isHere);
    }

    private static boolean isHere(String description) {
        return description.contains(" pid " + ProcessHandle.current().pid() + " ");
    }

    /**
     * Waits until the queue is complete. A store without a queue does not show waiters, so they get a moment to arrive.
     */
    private void awaitQueue(Predicate<LockInfo> complete, String what) throws InterruptedException {
        if (!fixture().capabilities().queue()) {
            ClientContract.pause(PROBE);
            return;
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        Optional<LockInfo> info = baton().admin().inspect("x");
        while (info.filter(complete).isEmpty()) {
            assertThat(System.nanoTime()).as("time to see %s at %s", what, info).isLessThan(end);
            ClientContract.pause(Duration.ofMillis(5));
            info = baton().admin().inspect("x");
        }
    }

    @Test
    @DisplayName("P21 P24 P35: a killed holder is followed within its lease or the claim window")
    void holder_killed_isFollowedInTime() throws Exception {
        try (ChildProcess holder = taker()) {
            long token = acquire(holder);
            CompletableFuture<Lease> next = baton().lock("x").acquireAsync();
            awaitOwnTurn();
            holder.kill();
            long killed = System.nanoTime();
            try (Lease lease = next.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                assertThat(since(killed)).isLessThan(inTime(takeOver()));
                assertThat(lease.token()).isGreaterThan(token);
                System.out.println(
                        "a killed holder was followed after " + since(killed).toMillis() + " ms");
            }
        }
    }

    @Test
    @DisplayName("P16: a killed waiter costs the others a claim window at most")
    void waiter_killed_isSkippedInTime() throws Exception {
        // A short lease would end while this machine keeps its holder from running, and the survivor would have it at
        // once.
        LockOptions lasting = LockOptions.defaults().withLeaseTime(PATIENCE);
        try (ChildProcess waiter = taker();
                Lease first = baton().lock("x", lasting).acquire()) {
            waiter.send("acquire");
            awaitWaiters(1);
            waiter.kill();
            try (Baton other = Baton.connect(fixture().uri(), options().build())) {
                CompletableFuture<Lease> next = other.lock("x").acquireAsync();
                awaitOwnTicket();
                first.release();
                long released = System.nanoTime();
                next.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).close();
                assertThat(since(released)).isLessThan(inTime(takeOver()));
            }
        }
    }

    @Test
    @DisplayName("P16: a killed holder and its crowd of waiters are followed when their presence ends")
    void crowd_killedWithItsHolder_isFollowedByTheSurvivor() throws Exception {
        try (ChildProcess child = taker()) {
            acquire(child);
            int waiters = NIGHTLY ? 998 : 30;
            child.send("crowd " + waiters);
            child.expect("CROWD", PATIENCE.multipliedBy(5));
            awaitCrowd(waiters);
            CompletableFuture<Lease> survivor = baton().lock("x").acquireAsync();
            awaitOwnTurn();
            child.kill();
            long killed = System.nanoTime();
            try (Lease lease = survivor.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                assertThat(since(killed)).isLessThan(inTime(survivor()));
                assertThat(lease.isHeld()).isTrue();
                System.out.println("a killed holder and " + waiters + " killed waiters were followed after "
                        + since(killed).toMillis() + " ms");
            }
        }
    }

    @Test
    @DisplayName("P1 P2 P8: a holder that was stopped knows at its first moment, is told, and writes nothing")
    void holder_stoppedForThreeLeases_wakesUpKnowing() throws Exception {
        long fence = 0;
        // Each lasts three leases: where these are longer there is time for fewer.
        int rounds = Math.max(2, (int) ((NIGHTLY ? 200 : 2) * LEASE.toMillis() / lease().toMillis()));
        int refused = 0;
        // The lease of this process must not end while the machine keeps it from running.
        LockOptions lasting = LockOptions.defaults().withLeaseTime(PATIENCE);
        try (ChildProcess holder = taker()) {
            for (int round = 0; round < rounds; round++) {
                long stale = acquire(holder, "hold");
                assertThat(stale).isGreaterThan(fence);
                pauseOutsideItsWrites(holder);
                long stopped = System.nanoTime();
                try (Lease lease = baton().lock("x", lasting)
                        .tryAcquire(PATIENCE)
                        .orElseThrow(() -> new AssertionError("the stopped holder blocks the lock"))) {
                    assertThat(lease.token()).isGreaterThan(stale);
                    fence = lease.token();
                    while (since(stopped).compareTo(lease().multipliedBy(3)) < 0) {
                        ClientContract.pause(Duration.ofMillis(10));
                    }
                    holder.resume();
                    assertThat(holder.expect("WOKE", PATIENCE)).isEqualTo("false");
                    holder.send("write");
                    assertThat(holder.expect("WRITE", PATIENCE)).isEqualTo(Long.toString(stale));
                    assertThat(stale).as("refused by the fence").isLessThan(fence);
                    refused++;
                    holder.send("release");
                    assertThat(holder.expect("RELEASED", PATIENCE)).isEqualTo("EXPIRED");
                    assertThat(lease.isHeld())
                            .as("the late release freed nothing")
                            .isTrue();
                }
            }
        }
        System.out.println(refused + " stale writes of stopped holders refused in " + rounds + " rounds, 0 accepted");
    }

    @Test
    @DisplayName("P2: loss is told after waking up")
    void holder_stoppedForThreeLeases_isToldOfItsLoss() throws Exception {
        try (ChildProcess holder = taker()) {
            acquire(holder);
            pauseOutsideItsWrites(holder);
            ClientContract.pause(lease().multipliedBy(3));
            holder.resume();
            assertThat(holder.expect("LOST", PATIENCE)).isIn("EXPIRED", "STORE_UNREACHABLE");
        }
    }

    @Test
    @DisplayName("P34: SIGTERM releases at once")
    void holder_terminated_releasesAtOnce() throws Exception {
        // A long lease: without a release, its end would come too late.
        try (ChildProcess holder = taker(longLease())) {
            acquire(holder);
            CompletableFuture<Lease> next = baton().lock("x").acquireAsync();
            awaitWaiters(1);
            long asked = System.nanoTime();
            holder.terminate();
            next.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).close();
            assertThat(since(asked)).isLessThan(inTime(Duration.ofSeconds(4)));
        }
    }

    @Test
    @DisplayName("P26: processes that count in a file miss nothing")
    void processes_countInAFile_missNothing(@TempDir Path directory) throws Exception {
        int times = NIGHTLY ? 2_000 : 100;
        Path file = Files.writeString(directory.resolve("number"), "0");
        // Long leases: nothing but the lock guards the file, and a stall must not end a lease.
        try (ChildProcess one = taker(longLease());
                ChildProcess two = taker(longLease());
                ChildProcess three = taker(longLease())) {
            for (ChildProcess child : new ChildProcess[] {one, two, three}) {
                child.send("count " + file + " " + times);
            }
            for (ChildProcess child : new ChildProcess[] {one, two, three}) {
                child.expect("COUNTED", Duration.ofMinutes(2));
            }
        }
        assertThat(Files.readString(file)).isEqualTo(Integer.toString(3 * times));
    }
}
