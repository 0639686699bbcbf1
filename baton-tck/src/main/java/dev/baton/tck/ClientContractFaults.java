package dev.baton.tck;

import static dev.baton.tck.FaultyStore.always;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.tck.FaultyStore.Call;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A network that loses, delays and swallows calls. */
public abstract class ClientContractFaults extends ClientContract {
    private static final Duration SILENCE = Duration.ofMillis(200);

    /** From the watchdog to the callback to the caller: each of these threads may have to wait for a processor. */
    private static final int HOPS = 3;

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** For subclasses. */
    protected ClientContractFaults() {}

    private BatonOptions.Builder impatient() {
        return options()
                .leaseTime(lease(Duration.ofMillis(600)))
                .commandTimeout(SILENCE)
                .storeTimeout(Duration.ofMillis(400));
    }

    // ---- three answers -------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P22: brokenStore_asked_isNeverMistakenForHeldByAnother")
    void brokenStore_asked_isNeverMistakenForHeldByAnother(Mode mode) throws Exception {
        for (Fault fault : List.of(Fault.REFUSE, Fault.DROP_REQUEST, Fault.DROP_REPLY, Fault.SILENCE)) {
            FaultyStore faults = new FaultyStore();
            BatonOptions options =
                    impatient().commandTimeout(SECOND).storeTimeout(SECOND).build();
            DistributedLock lock = connect(options, faults).lock("broken " + fault);
            faults.script(always(fault));
            assertThatThrownBy(() -> mode.tryAcquire(lock, Duration.ZERO)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> mode.tryAcquire(lock, Duration.ofMillis(150)))
                    .isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> mode.acquire(lock)).isInstanceOf(StoreException.class);
            faults.script(FaultyStore.HEALTHY);
            Optional<Lease> lease = mode.tryAcquire(lock, PATIENCE);
            assertThat(lease).isPresent();
            assertThat(mode.release(lease.get())).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @EachMode
    @DisplayName("P22: heldLock_asked_isToldApartFromABrokenStore")
    void heldLock_asked_isToldApartFromABrokenStore(Mode mode) throws Exception {
        Lease held = connect().lock("busy").acquire();
        DistributedLock lock = connect().lock("busy");
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isEmpty();
        assertThat(mode.tryAcquire(lock, Duration.ofMillis(500))).isEmpty();
        assertThat(held.isHeld()).isTrue();
    }

    // ---- releases in the background ------------------------------------------------------------------------------

    @Test
    void closeInTheBackground_waitsForNoAnswer_andIsRepeatedUntilThereIsOne() throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(
                options().commandTimeout(SECOND).releaseInBackground(true).build(), faults);
        Baton other = connect();
        Lease single = client.lock("behind").acquire();
        Lease group = client.allOf("behind 1", "behind 2").acquire();
        // Three releases, each of which takes the time of a command.
        faults.script((call, number) -> call == Call.RELEASE || call == Call.CANCEL ? Fault.SILENCE : Fault.NONE);
        long start = System.nanoTime();
        single.close();
        group.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SECOND.multipliedBy(2));
        assertThat(single.isHeld()).isFalse();
        assertThat(group.isHeld()).isFalse();
        assertThat(other.lock("behind").tryAcquire())
                .as("the store has not heard of it")
                .isEmpty();
        Work<Lease> again = Mode.SYNC.start(() -> client.lock("behind").acquire());
        faults.script(FaultyStore.HEALTHY);
        try (Lease next = again.get()) {
            assertThat(next.token()).isGreaterThan(single.token());
        }
        for (String name : List.of("behind", "behind 1", "behind 2")) {
            try (Lease theirs = other.lock(name).acquire()) {
                assertThat(theirs.isHeld()).isTrue();
            }
        }
    }

    @Test
    void release_waitsForTheAnswer_evenIfCloseDoesNot() throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().releaseInBackground(true).build(), faults);
        Lease lease = client.lock("waited for").acquire();
        long before = faults.count(Call.RELEASE);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(faults.count(Call.RELEASE)).isGreaterThan(before);
        assertThat(connect().lock("waited for").tryAcquire()).isPresent();
    }

    // ---- time limits ---------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P15: timedCall_toABlackHole_keepsItsLimit")
    void timedCall_toABlackHole_keepsItsLimit(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().storeTimeout(SECOND).build(), faults);
        faults.script(always(Fault.SILENCE));
        slowest(mode, client.lock("warm-up"), 1);
        List<Work<Duration>> calls = new ArrayList<>();
        try (JvmHiccups hiccups = new JvmHiccups()) {
            for (int i = 0; i < 8; i++) {
                DistributedLock lock = client.lock("black hole " + i);
                calls.add(mode.start(() -> slowest(mode, lock, size(1_250, 4))));
            }
            Duration slowest = Duration.ZERO;
            for (Work<Duration> call : calls) {
                slowest = longer(slowest, call.get(Duration.ofMinutes(10)));
            }
            // A caller that waits for the store's time needs a second.
            assertThat(slowest).isLessThanOrEqualTo(hiccups.fair(Duration.ofMillis(600), HOPS));
        }
    }

    private static Duration slowest(Mode mode, DistributedLock lock, int calls) throws InterruptedException {
        Duration slowest = Duration.ZERO;
        for (int i = 0; i < calls; i++) {
            boolean unknown = false;
            long start = System.nanoTime();
            try {
                mode.tryAcquire(lock, Duration.ofMillis(200));
            } catch (StoreException expected) {
                unknown = true;
            }
            slowest = longer(slowest, Duration.ofNanos(System.nanoTime() - start));
            assertThat(unknown).isTrue();
        }
        return slowest;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    @EachMode
    @DisplayName("P20: interrupt_ofACallerOfASilentStore_isAnsweredLongBeforeTheStoresTime")
    void interrupt_ofACallerOfASilentStore_isAnsweredLongBeforeTheStoresTime(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Duration silence = Duration.ofSeconds(10);
        Baton client =
                connect(options().commandTimeout(silence).storeTimeout(silence).build(), faults);
        faults.script(always(Fault.SILENCE));
        Work<Lease> caller = mode.start(() -> mode.acquire(client.lock("deaf")));
        until("asks", () -> faults.count(Call.ACQUIRE) == 1);
        long start = System.nanoTime();
        caller.interrupt();
        assertThatThrownBy(caller::get).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SECOND.plus(MARGIN));
        faults.script(FaultyStore.HEALTHY);
    }

    @EachMode
    @DisplayName("P15: release_toABlackHole_returnsAfterTheServerSilence")
    void release_toABlackHole_returnsAfterTheServerSilence(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(impatient().build(), faults);
        Lease lease = mode.acquire(client.lock("deaf"));
        faults.script(always(Fault.SILENCE));
        long start = System.nanoTime();
        assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SILENCE.plus(MARGIN));
        assertThat(lease.isHeld()).isFalse();
    }

    // ---- giving up leaves nothing --------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P9: callersThatGiveUp_underHeavyLoss_leaveNothingOlderThanALease")
    void callersThatGiveUp_underHeavyLoss_leaveNothingOlderThanALease(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(impatient().build(), faults);
        Baton other = connect();
        SplittableRandom random = new SplittableRandom(9);
        faults.script(FaultyStore.lossy(0.15, 9));
        int rounds = size(3_400, 120);
        for (int i = 0; i < rounds; i++) {
            String name = "ghost " + i % 5;
            Lease rival = random.nextInt(3) == 0 ? other.lock(name).tryAcquire().orElse(null) : null;
            Work<Optional<Lease>> caller =
                    mode.start(() -> mode.tryAcquire(client.lock(name), Duration.ofMillis(1 + random.nextInt(20))));
            if (random.nextBoolean()) {
                pause(Duration.ofMillis(random.nextInt(3)));
                caller.interrupt();
            }
            leave(mode, caller);
            if (rival != null) {
                rival.close();
            }
        }
        faults.script(FaultyStore.HEALTHY);
        Baton patient = connect();
        within(
                Duration.ofSeconds(3).plus(MARGIN),
                "no hold and no ticket left",
                () -> patient.admin().list("ghost", 10).isEmpty());
    }

    private static void leave(Mode mode, Work<Optional<Lease>> caller) throws Exception {
        try {
            caller.get().ifPresent(mode::release);
        } catch (StoreException | InterruptedException nothing) {
            // The caller holds nothing, even if the store processed the request.
        }
    }

    @EachMode
    @DisplayName("P5: acquireAndRelease_whoseRepliesAreLost_countOnce")
    void acquireAndRelease_whoseRepliesAreLost_countOnce(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        // Long leases: what a second count would leave at the store must not end by itself in the time allowed below.
        Baton client =
                connect(impatient().leaseTime(PATIENCE).storeTimeout(PATIENCE).build(), faults);
        Baton other = connect();
        faults.script((call, number) ->
                number % 3 == 0 && (call == Call.ACQUIRE || call == Call.RELEASE) ? Fault.DROP_REPLY : Fault.NONE);
        for (int i = 0; i < size(1_000, 40); i++) {
            Lease lease = mode.tryAcquire(client.lock("once"), PATIENCE).orElseThrow();
            assertThat(other.admin().inspect("once").orElseThrow().holders()).hasSize(1);
            assertThat(mode.release(lease)).isIn(ReleaseOutcome.RELEASED, ReleaseOutcome.UNKNOWN);
        }
        faults.script(FaultyStore.HEALTHY);
        within(MARGIN, "nobody holds", () -> other.admin().inspect("once").isEmpty());
    }

    // ---- lost pushes ---------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P10: handOver_whosePushesAreAllLost_takesAHeartbeatAndNotALease")
    void handOver_whosePushesAreAllLost_takesAHeartbeatAndNotALease(Mode mode) throws Exception {
        if (endsWithoutQueue(mode)) {
            return;
        }
        Duration lease = Duration.ofSeconds(30);
        Baton holder = connect(options().leaseTime(lease).grace(lease).build());
        FaultyStore faults = new FaultyStore();
        faults.losePushes(true);
        Baton waiting = connect(options().leaseTime(lease).grace(lease).build(), faults);
        for (int i = 0; i < size(20, 1); i++) {
            Lease held = mode.acquire(holder.lock("silent"));
            Work<Lease> waiter = mode.start(() -> mode.acquire(waiting.lock("silent")));
            until("queued", () -> queued(holder, "silent") == 1);
            long start = System.nanoTime();
            mode.release(held);
            Lease next = waiter.get();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SECOND.plus(MARGIN));
            mode.release(next);
        }
    }

    // ---- outages -------------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P2: holder_whoseAnswersAreAllWithheld_isToldBeforeTheStoreLetsAnotherIn")
    void holder_whoseAnswersAreAllWithheld_isToldBeforeTheStoreLetsAnotherIn(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().leaseTime(lease(Duration.ofSeconds(2))).build(), faults);
        Baton watcher = connect(options().build());
        Lease lease = mode.acquire(client.lock("cut off"));
        AtomicReference<LossCause> told = new AtomicReference<>();
        lease.onLost(told::set);
        faults.script(always(Fault.SILENCE));
        until("the store's deadline", () -> {
            // The order matters: with it, no stall between the two questions can hide or invent an overlap.
            boolean free = watcher.admin().inspect("cut off").isEmpty();
            boolean believed = lease.isHeld();
            assertThat(free && believed)
                    .as("believed in after the store's deadline")
                    .isFalse();
            return free;
        });
        within(MARGIN, "told", () -> told.get() != null);
        assertThat(told.get()).isEqualTo(LossCause.STORE_UNREACHABLE);
        assertThat(lease.isHeld()).isFalse();
        assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.EXPIRED);
    }

    @EachMode
    @DisplayName("P4: lock_takenAgainAfterAnOutageOfTwoLeases_isRenewed")
    void lock_takenAgainAfterAnOutageOfTwoLeases_isRenewed(Mode mode) throws Exception {
        FaultyStore faults = new FaultyStore();
        Duration lease = lasting();
        BatonOptions lasting =
                impatient().leaseTime(lease).grace(lease).storeTimeout(MARGIN).build();
        Baton client = connect(lasting, faults);
        Lease first = mode.acquire(client.lock("outage"));
        faults.script(always(Fault.SILENCE));
        pause(lease.multipliedBy(2));
        assertThat(first.isHeld()).isFalse();
        faults.script(FaultyStore.HEALTHY);
        Lease second = mode.tryAcquire(client.lock("outage"), PATIENCE).orElseThrow();
        throughout(nightly() ? lease.multipliedBy(10) : lease.multipliedBy(4).dividedBy(3), "renewed", second::isHeld);
        mode.release(first);
        assertThat(second.isHeld()).isTrue();
        assertThat(mode.release(second)).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
