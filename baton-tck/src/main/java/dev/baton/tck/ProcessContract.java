package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Timings;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Cases with a client of this process, and others in processes of their own, which die, pause and resume. */
@Tag("serial")
abstract class ProcessContract {
    static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    static final Duration LEASE = Duration.ofMillis(600);
    static final Duration PATIENCE = LockTaker.CONNECT_TIMEOUT.plusSeconds(30);

    /** Keeps the default claim window, and halves presence: some cases wait until a dead waiter's ticket ends. */
    private static final Duration GRACE = Timings.DEFAULT_PRESENCE;

    static final Timings TIMINGS = Timings.withGrace(GRACE);

    /** Long for a write, and short for a lease. */
    static final Duration PROBE = Duration.ofMillis(200);

    private static final Duration MOMENT = Duration.ofMillis(5);

    private StoreFixture fixture;
    private JvmHiccups hiccups;
    private Baton baton;

    @SuppressWarnings("NullAway") // set before each case
    ProcessContract() {}

    /** Returns an empty store. */
    protected abstract StoreFixture newFixture() throws Exception;

    @BeforeEach
    final void connect() throws Exception {
        fixture = newFixture();
        hiccups = new JvmHiccups();
        assertThat(fixture.capabilities().reach()).isNotEqualTo(Capabilities.Reach.JVM);
        baton = Baton.connect(fixture.uri(), options().leaseTime(lease()).build());
    }

    @AfterEach
    final void disconnect() throws Exception {
        baton.close();
        hiccups.close();
        fixture.close();
    }

    static BatonOptions.Builder options() {
        return BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .grace(GRACE)
                .connectTimeout(PATIENCE);
    }

    final StoreFixture fixture() {
        return fixture;
    }

    /** Returns the client of this process. */
    final Baton baton() {
        return baton;
    }

    /** Returns a short lease time, or the shortest that the store accepts if that is longer. */
    final Duration lease() {
        Duration shortest = fixture.capabilities().shortestLease();
        return LEASE.compareTo(shortest) < 0 ? shortest : LEASE;
    }

    /** Returns a lease time that no stall of the machine outlasts, for cases in which no lease shall end by itself. */
    final Duration longLease() {
        return lease().multipliedBy(50);
    }

    /** Starts a process with a client. */
    final ChildProcess taker() throws IOException, InterruptedException {
        return taker(lease());
    }

    /** Starts a process with a client that has this lease time. */
    final ChildProcess taker(Duration leaseTime) throws IOException, InterruptedException {
        ChildProcess child = start(fixture.uri(), leaseTime);
        child.expect("READY", PATIENCE);
        return child;
    }

    /** Starts a process whose client has the address and the lease time, and which says when it is ready. */
    final ChildProcess start(String uri, Duration leaseTime) throws IOException {
        return ChildProcess.start(
                LockTaker.class, uri, "x", Long.toString(leaseTime.toMillis()), Long.toString(GRACE.toMillis()));
    }

    /**
     * Adds to a bound the time for which this machine kept threads from running: twice, for both sides of a message.
     */
    final Duration inTime(Duration bound) {
        return hiccups.fair(bound, 2);
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /**
     * Pauses a process outside its writes. A process that is paused in the middle of a write may block a whole store,
     * or this name on it; the page of such a store says so. If that happens, this resumes the process and pauses it
     * again a moment later.
     */
    final void pauseOutsideItsWrites(ChildProcess process) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            process.pause();
            try {
                baton.lock("x").tryAcquire(PROBE).ifPresent(Lease::close);
                return;
            } catch (StoreException stopped) {
                assertThat(System.nanoTime()).as("the store works").isLessThan(end);
                process.resume();
                ClientContract.pause(MOMENT);
            }
        }
    }
}
