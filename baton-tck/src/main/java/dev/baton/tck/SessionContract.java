package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import dev.baton.tck.history.Residue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Promises that must hold when the server ends the session of a waiter or a holder: for stores whose holds and tickets
 * end with their client's session. Each case checks which client gets the lock and when, what views show meanwhile, and
 * that nothing is left.
 */
@Tag("serial")
public abstract class SessionContract {
    private static final Resource LOCK = Resource.lock("x");

    /** Longer than any case waits for an immediate event. */
    private static final Duration LONG = Duration.ofSeconds(20);

    /** A short wait, but longer than a stall of the machine: cases look at what happens meanwhile. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    /** The limit for a hand-over on a machine that stalls. A delay that should not be takes {@link #LONG}. */
    private static final Duration PROMPT = Duration.ofSeconds(4);

    private OrderedFixture fixture;
    private StoreStage stage;
    private JvmHiccups hiccups;

    /** For subclasses; the fixture is made before each case. */
    @SuppressWarnings("NullAway") // the fixture is set before each case
    protected SessionContract() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract OrderedFixture newFixture() throws Exception;

    @BeforeEach
    final void openStage() throws Exception {
        fixture = newFixture();
        stage = new StoreStage(fixture);
        hiccups = new JvmHiccups();
    }

    @AfterEach
    final void closeStage() throws Exception {
        hiccups.close();
        stage.close();
    }

    private StoreClient client() throws StoreFailure {
        return stage.client(null);
    }

    /** Queues a ticket, and returns its attempt. */
    private static long queue(StoreClient client, Duration lockDelay) throws StoreFailure {
        long attempt = client.nextNumber();
        assertThat(client.acquire(LOCK, 1, attempt, StoreClient.LEASE, micros(lockDelay), Acquire.Mode.QUEUE))
                .isInstanceOf(Acquire.Queued.class);
        return attempt;
    }

    private static StoreClient.Held hold(StoreClient client, Duration lockDelay) throws StoreFailure {
        return client.hold(LOCK, 1, StoreClient.LEASE, micros(lockDelay));
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Adds the machine's delays to a bound: two threads take part in each side of a hand-over. */
    private Duration inTime(Duration bound) {
        return hiccups.fair(bound, 4);
    }

    private static StoreClient.Held granted(StoreClient client, long attempt) throws InterruptedException {
        Push push = client.awaitPush();
        assertThat(push.attempt()).isEqualTo(attempt);
        return new StoreClient.Held(LOCK, attempt, 1, push.token(), push.deadlineMicros());
    }

    private static void awaitTickets(StoreClient client, int count) throws Exception {
        assertThat(count(() -> (long) client.inspect(LOCK).tickets().size(), count))
                .as("tickets")
                .isEqualTo(count);
    }

    /** Returns the count as soon as it is as expected, or the last count after the time limit. */
    private static long count(Callable<Long> counting, long expected) throws Exception {
        return Residue.await(counting, expected, LONG);
    }

    private void expectNothingLeft() throws Exception {
        assertThat(count(fixture::residue, 0)).as("what is left").isZero();
    }

    @Test
    void release_ofAHolderThatFailed_beginsItsLockDelay() throws Exception {
        StoreClient holder = client();
        StoreClient next = client();
        for (boolean failed : new boolean[] {true, false}) {
            StoreClient.Held held = hold(holder, failed ? SHORT : LONG);
            long attempt = queue(next, Duration.ZERO);
            long released = System.nanoTime();
            Release release = holder.releaseOf(held);
            assertThat(holder.store()
                            .release(
                                    new Release(LOCK, held.attempt(), held.token(), release.number(), failed, 0),
                                    StoreClient.TIMEOUT_NANOS)
                            .released())
                    .isTrue();
            StoreClient.Held mine = granted(next, attempt);
            Duration delay = failed ? SHORT : Duration.ZERO;
            assertThat(since(released)).isGreaterThanOrEqualTo(delay).isLessThan(inTime(delay.plus(PROMPT)));
            next.release(mine);
        }
        expectNothingLeft();
    }

    @Test
    @DisplayName("P16: waiter_whoseSessionEnds_imposesNoLockDelay")
    void waiter_whoseSessionEnds_imposesNoLockDelay() throws Exception {
        StoreClient holder = client();
        StoreClient waiter = client();
        StoreClient next = client();
        StoreClient.Held held = hold(holder, Duration.ZERO);
        queue(waiter, LONG);
        long attempt = queue(next, Duration.ZERO);
        fixture.endSession(waiter.id());
        awaitTickets(next, 1);
        ResourceView view = next.inspect(LOCK);
        assertThat(view.holds()).extracting(ResourceView.Hold::client).containsExactly(holder.id());
        assertThat(view.tickets()).extracting(ResourceView.Ticket::client).containsExactly(next.id());
        holder.release(held);
        long released = System.nanoTime();
        StoreClient.Held after = granted(next, attempt);
        assertThat(since(released)).isLessThan(inTime(PROMPT));
        assertThat(next.renew(after)).isInstanceOf(Heartbeat.Renewed.class);
        next.release(after);
        expectNothingLeft();
    }

    @Test
    void holder_whoseSessionEnds_isFollowedAfterItsLockDelay() throws Exception {
        StoreClient holder = client();
        StoreClient next = client();
        StoreClient last = client();
        hold(holder, SHORT);
        long second = queue(next, Duration.ZERO);
        long third = queue(last, SHORT);
        expectFollowed(holder, next, second, last, third);
    }

    @Test
    void holder_byHandOff_whoseSessionEnds_isFollowedAfterItsLockDelay() throws Exception {
        StoreClient first = client();
        StoreClient holder = client();
        StoreClient next = client();
        StoreClient last = client();
        StoreClient.Held held = hold(first, Duration.ZERO);
        long handedOff = queue(holder, SHORT);
        long second = queue(next, Duration.ZERO);
        long third = queue(last, SHORT);
        first.release(held);
        assertThat(holder.renew(granted(holder, handedOff))).isInstanceOf(Heartbeat.Renewed.class);
        expectFollowed(holder, next, second, last, third);
    }

    /** Ends a holder's session while two clients wait. */
    private void expectFollowed(StoreClient holder, StoreClient next, long second, StoreClient last, long third)
            throws Exception {
        long ended = System.nanoTime();
        fixture.endSession(holder.id());
        assertThat(count(() -> (long) last.inspect(LOCK).holds().size(), 0)).isZero();
        ResourceView during = last.inspect(LOCK);
        assertThat(during.holds()).isEmpty();
        assertThat(during.tickets()).extracting(ResourceView.Ticket::client).containsExactly(next.id(), last.id());
        last.expectRefused(LOCK);
        assertThat(next.pushes()).isEmpty();
        StoreClient.Held held = granted(next, second);
        assertThat(since(ended)).isGreaterThanOrEqualTo(SHORT).isLessThan(inTime(SHORT.plus(PROMPT)));
        ResourceView after = last.inspect(LOCK);
        assertThat(after.holds()).extracting(ResourceView.Hold::client).containsExactly(next.id());
        assertThat(after.tickets()).extracting(ResourceView.Ticket::client).containsExactly(last.id());
        next.release(held);
        long released = System.nanoTime();
        StoreClient.Held end = granted(last, third);
        assertThat(since(released)).isLessThan(inTime(PROMPT));
        last.release(end);
        expectNothingLeft();
    }

    @Test
    void hold_takenAwayByForce_isToldAsRevoked_andOneWhoseSessionEndedAsExpired() throws Exception {
        StoreClient holder = client();
        StoreClient admin = client();
        for (boolean now : new boolean[] {false, true}) {
            StoreClient.Held held = holder.hold(LOCK);
            assertThat(admin.force(held, now)).isTrue();
            assertThat(holder.renew(held)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.REVOKED));
            assertThat(holder.release(held)).isEqualTo(!now);
        }
        StoreClient.Held held = holder.hold(LOCK);
        fixture.endSession(holder.id());
        assertThat(answered(() -> holder.renew(held))).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
        expectNothingLeft();
    }

    /** Returns the first answer: a client gets none while it opens its next session. */
    private static <T> T answered(Callable<T> asking) throws Exception {
        long asked = System.nanoTime();
        while (true) {
            try {
                return asking.call();
            } catch (StoreFailure away) {
                assertThat(since(asked)).as("time to answer, after %s", away).isLessThan(LONG);
            }
        }
    }

    @Test
    @DisplayName("P39: sharer_whoseSessionEnds_keepsOnlyNewcomersOut")
    void sharer_whoseSessionEnds_keepsOnlyNewcomersOut() throws Exception {
        Resource permits = StoreStage.semaphore("permits", 2);
        StoreClient dying = client();
        StoreClient living = client();
        StoreClient next = client();
        dying.hold(permits, 1, StoreClient.LEASE, micros(SHORT));
        StoreClient.Held stays = living.hold(permits);
        long attempt = next.queue(permits, 0);
        long ended = System.nanoTime();
        fixture.endSession(dying.id());
        assertThat(count(() -> (long) next.inspect(permits).holds().size(), 1)).isEqualTo(1);
        assertThat(living.renew(stays)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(next.pushes()).isEmpty();
        Push push = next.awaitPush();
        assertThat(since(ended)).isGreaterThanOrEqualTo(SHORT).isLessThan(inTime(SHORT.plus(PROMPT)));
        assertThat(push.attempt()).isEqualTo(attempt);
        assertThat(next.inspect(permits).holds()).hasSize(2);
        next.release(new StoreClient.Held(permits, attempt, 1, push.token(), 0));
        living.release(stays);
        expectNothingLeft();
    }

    @Test
    void write_ofAHolderWhoseSessionEnded_isRefused_andWritesNothing() throws Exception {
        StoreClient holder = client();
        StoreClient next = client();
        StoreClient.Held held = holder.hold(LOCK);
        WriteNote before = holder.noteOf(held, "before");
        assertThat(holder.write(before)).isInstanceOf(WriteNote.Written.class);
        WriteNote late = holder.noteOf(held, "late");
        fixture.endSession(holder.id());
        assertThat(answered(() -> holder.write(late))).isInstanceOf(WriteNote.Refused.class);
        assertThat(next.note(LOCK)).contains(before.note());
        StoreClient.Held after = next.hold(LOCK);
        assertThat(answered(() -> holder.write(before))).isInstanceOf(WriteNote.Refused.class);
        WriteNote last = next.noteOf(after, "after");
        assertThat(next.write(last)).isInstanceOf(WriteNote.Written.class);
        assertThat(holder.note(LOCK)).contains(last.note());
        next.release(after);
        assertThat(holder.forget(LOCK)).isInstanceOf(WriteNote.Written.class);
        expectNothingLeft();
    }

    /** A write and the downgrade of its writer race: once the downgrade is answered, the note stays as it is. */
    @Test
    void write_thatRacesWithADowngrade_isNeverSeenAfterwards() throws Exception {
        Resource shared = Resource.readWrite("shared");
        StoreClient writer = client();
        StoreClient reader = client();
        for (int round = 0; round < 20; round++) {
            StoreClient.Held held = writer.hold(shared, shared.capacity());
            WriteNote write = writer.noteOf(held, "round " + round);
            CountDownLatch go = new CountDownLatch(1);
            Work<WriteNote.Reply> writing = Mode.SYNC.start(() -> {
                assertThat(go.await(10, TimeUnit.SECONDS)).isTrue();
                return writer.write(write);
            });
            go.countDown();
            if (round % 2 == 1) {
                // Rounds whose write looks before the downgrade, and arrives after it or before it.
                ClientContract.pause(Duration.ofMillis(round / 3));
            }
            writer.heartbeat(List.of(held.withWeight(1).named(true)), List.of());
            StoreClient.Held beside = reader.hold(shared);
            Optional<Note> read = reader.note(shared);
            WriteNote.Reply reply = writing.get();
            assertThat(reader.note(shared))
                    .as("round %s, the write was answered %s", round, reply)
                    .isEqualTo(read);
            assertThat(read.equals(Optional.of(write.note()))).isEqualTo(reply instanceof WriteNote.Written);
            reader.release(beside);
            writer.release(held);
        }
        reader.forget(shared);
        expectNothingLeft();
    }
}
