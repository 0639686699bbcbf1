package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.client.BatonClient;
import dev.baton.internal.client.Connector;
import dev.baton.internal.client.SystemClock;
import dev.baton.internal.engine.Clock;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The promises to users of the API, on every store. Each subclass covers one topic. {@link Contracts#ALL} lists them,
 * and a store's module subclasses each with its own fixture. Test cases are named {@code subject_condition_outcome};
 * the display name says which pains of {@code docs/pains.md} a case covers.
 */
@ExtendWith(OnVirtualThread.class)
@Timeout(120)
public abstract class ClientContract {
    /** Short, so that losing it is fast; long enough for a machine that has other work. */
    static final Duration LEASE = Duration.ofSeconds(1);

    /** G of most cases: it makes the claim window and the presence of tickets one second each. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** How long a ticket stays in the queue without a sign of its client. */
    static final Duration PRESENCE = Duration.ofSeconds(1);

    /** How often a waiting client asks a store that pushes grants: it learns of a lost push after this long. */
    static final Duration BEAT = PRESENCE.dividedBy(3);

    /**
     * How much a machine that stalls may add to any measured time. A fault must take longer, so leases and time limits
     * that it would use up are longer.
     */
    static final Duration MARGIN = Duration.ofSeconds(4);

    /** Long enough for an event that would happen at once. */
    static final Duration WHILE = Duration.ofMillis(100);

    /** After this long an awaited event will not happen any more. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Baton> clients = new CopyOnWriteArrayList<>();
    private StoreFixture fixture;

    /** For subclasses; the fixture is made before each case. */
    @SuppressWarnings("NullAway") // the fixture is set before each case
    protected ClientContract() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract StoreFixture newFixture() throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        fixture = newFixture();
    }

    @AfterEach
    final void closeStore() throws Exception {
        clients.forEach(Baton::close);
        fixture.close();
    }

    final StoreFixture fixture() {
        return fixture;
    }

    /** Returns whether to run at full size. */
    static boolean nightly() {
        return Boolean.getBoolean("baton.nightly");
    }

    /** Returns a size for this store and this kind of run: a store beyond this JVM does less in the same time. */
    final int size(int full, int fraction) {
        if (nightly()) {
            return full;
        }
        return switch (fixture.capabilities().reach()) {
            case JVM -> fraction;
            case HOST -> Math.max(2, fraction / 10);
            case NETWORK -> Math.max(2, fraction / 20);
        };
    }

    /** Returns a lease time of one second, or the shortest that the store accepts if that is longer. */
    final Duration lease() {
        return lease(LEASE);
    }

    /** Returns the given lease time, or the shortest that the store accepts if that is longer. */
    final Duration lease(Duration usual) {
        Duration shortest = fixture.capabilities().shortestLease();
        return usual.compareTo(shortest) < 0 ? shortest : usual;
    }

    /**
     * Returns when an explicit lease ends at the earliest: to the millisecond at its time. On a store of sessions its holder
     * ends it, when it believes no longer: a hundredth earlier, and a margin.
     */
    final Duration earliestEnd(Duration lease) {
        Duration early = fixture.capabilities().session() == null
                ? Duration.ZERO
                : lease.dividedBy(100).plusMillis(5);
        return lease.minus(early).minusMillis(1);
    }

    // ---- clients -------------------------------------------------------------------------------------------------

    /**
     * Returns three times the lease time, for cases that wait while clients hold: a busy machine may keep a process from
     * running for most of a second, and then a lease would be lost for another reason.
     */
    final Duration lasting() {
        return lease().multipliedBy(3);
    }

    final BatonOptions.Builder options() {
        return BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(lease())
                .grace(GRACE)
                .storeTimeout(Duration.ofSeconds(5));
    }

    /** Returns options for clients whose leases are {@link #lasting()}, which G must not be shorter than. */
    final BatonOptions.Builder lastingOptions() {
        return options().leaseTime(lasting()).grace(lasting());
    }

    /** Connects one more client, with {@link #lease()} as its lease time. */
    final Baton connect() {
        return connect(options().build());
    }

    /** Connects one more client, with {@link #lasting()} as its lease time. */
    final Baton connectLasting() {
        return connect(lastingOptions().build());
    }

    final Baton connect(BatonOptions options) {
        return connect(options, new FaultyStore());
    }

    /** Connects one more client, with faults between it and the store. */
    final Baton connect(BatonOptions options, FaultyStore faults) {
        return connect(options, faults, SystemClock.INSTANCE);
    }

    final Baton connect(BatonOptions options, FaultyStore faults, Clock clock) {
        try {
            return connect(options, faults, clock, Thread::new);
        } catch (StoreFailure failure) {
            throw new AssertionError(failure);
        }
    }

    /** Connects one more client, with threads that may fail to start. */
    final Baton connect(BatonOptions options, FaultyStore faults, Clock clock, ThreadFactory threads)
            throws StoreFailure {
        String clientId = Connector.newClientId();
        Timings timings = Timings.withGrace(options.grace());
        Baton client = new BatonClient(
                clientId,
                options,
                timings,
                clock,
                faults.over(listener -> fixture.openIn(options.namespace(), clientId, timings, listener)),
                threads);
        clients.add(client);
        return client;
    }

    // ---- stores that cannot do it all -----------------------------------------------------------------------------

    /**
     * For a store without a queue: asserts that a waiter is not shown in any queue and still gets the lock. This ends
     * the case.
     *
     * @return true if the rest of the case does not apply to this store
     */
    final boolean endsWithoutQueue(Mode mode) throws Exception {
        if (fixture.capabilities().queue()) {
            return false;
        }
        Baton holder = connect();
        Lease held = mode.acquire(holder.lock("without queue"));
        Baton waiting = connect();
        Work<Lease> waiter = mode.start(() -> mode.acquire(waiting.lock("without queue")));
        throughout(WHILE, "waits, seen by nobody", () -> !waiter.isDone() && queued(holder, "without queue") == 0);
        mode.release(held);
        assertThat(mode.release(waiter.get())).isEqualTo(ReleaseOutcome.RELEASED);
        return true;
    }

    /**
     * For a store that has only locks: asserts that it refuses the other kinds when they are made. This ends the case.
     *
     * @return true if the rest of the case does not apply to this store
     */
    final boolean endsWithoutShares() {
        if (fixture().capabilities().shares()) {
            return false;
        }
        Baton client = connect();
        String store = fixture().capabilities().store();
        assertThatThrownBy(() -> client.readWriteLock("shared"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(store)
                .hasMessageContaining("read-write locks");
        assertThatThrownBy(() -> client.semaphore("shared", 2))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(store)
                .hasMessageContaining("semaphores");
        return true;
    }

    static int queued(Baton admin, String name) {
        return admin.admin().inspect(name).map(info -> info.waiters().size()).orElse(0);
    }

    static void assertBusy(Mode mode, DistributedLock lock) throws InterruptedException {
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isEmpty();
    }

    static void assertGoesOnWaiting(Work<Lease> waiting) {
        throughout(WHILE, "waits", () -> !waiting.isDone());
    }

    /** Waits until the store keeps no more records than it had; it may leave the cleanup to later commands. */
    final void awaitResidue(Mode mode, Baton client, long most) throws Exception {
        for (int i = 0; i < 100 && fixture.residue() > most; i++) {
            pause(Duration.ofMillis(50));
            mode.release(mode.acquire(client.lock("base")));
        }
        assertThat(fixture.residue()).isLessThanOrEqualTo(most);
    }

    // ---- waiting -------------------------------------------------------------------------------------------------

    /** Waits until a condition holds. The time limit is reached only if it never does. */
    static void until(String what, BooleanSupplier condition) {
        within(PATIENCE, what, condition);
    }

    /** Waits until a condition holds, and fails if that takes longer than allowed. Returns how long it took. */
    static Duration within(Duration limit, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("not within " + limit.toMillis() + " ms: " + what);
            }
            pause(Duration.ofMillis(1));
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Asserts that a condition holds for the whole time. */
    static void throughout(Duration time, String what, BooleanSupplier condition) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            if (!condition.getAsBoolean()) {
                throw new AssertionError("did not stay so: " + what);
            }
            pause(Duration.ofMillis(1));
        }
    }

    /**
     * Waits until a lease has been renewed twice: only a renewal makes longer what remains of it. The first one may
     * have been on its way already. It does not matter how late they come, as long as the lease lasts.
     */
    static void untilRenewed(Lease lease) {
        for (int i = 0; i < 2; i++) {
            Duration[] before = {lease.remaining()};
            until("renewed", () -> {
                Duration now = lease.remaining();
                boolean longer = now.compareTo(before[0]) > 0;
                before[0] = now;
                return longer;
            });
        }
    }

    /** Lets time pass, because the case is about time. */
    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
            throw new AssertionError("a test was interrupted", unexpected);
        }
    }

    /** Collects a client's events. */
    static final class Events implements BatonListener {
        private final List<BatonEvent> all = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(BatonEvent event) {
            all.add(event);
        }

        long count(BatonEvent.Type type) {
            return details(type).count();
        }

        Stream<String> details(BatonEvent.Type type) {
            return all.stream().filter(event -> event.type() == type).map(BatonEvent::detail);
        }
    }
}
