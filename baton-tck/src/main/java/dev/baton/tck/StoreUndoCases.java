package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commands that undo and remove: cancel, the rule of once, force. */
abstract class StoreUndoCases extends StoreQueueCases {
    @Test
    @DisplayName("P9: cancel_ofTicket_leavesTheQueue")
    void cancel_ofTicket_leavesTheQueue() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient first = stage.client();
        StoreClient second = stage.client();
        long cancelled = first.queue(LOCK, 0);
        long attempt = second.queue(LOCK, 1);
        assertThat(first.cancel(LOCK, cancelled).nowMicros()).isEqualTo(stage.now());
        second.expectWaiting(LOCK, attempt, 0);
        first.expectGone(LOCK, cancelled);
        owner.release(held);
        second.expectHandedOff(LOCK, attempt);
    }

    @Test
    @DisplayName("P9: cancel_ofHold_freesIt")
    void cancel_ofHold_freesIt() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        client.cancel(LOCK, held.attempt());
        assertThat(client.isUnknown(LOCK)).isTrue();
        assertThat(client.release(held)).isFalse();
        assertThat(stage.client().hold(LOCK).token()).isGreaterThan(held.token());
    }

    @Test
    @DisplayName("P9: cancel_ofHandedOffTicket_handsOn")
    void cancel_ofHandedOffTicket_handsOn() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient first = stage.client();
        StoreClient second = stage.client();
        long cancelled = first.queue(LOCK, 0);
        long attempt = second.queue(LOCK, 1);
        owner.release(held);
        first.cancel(LOCK, cancelled);
        second.expectHandedOff(LOCK, attempt);
        first.expectGone(LOCK, cancelled);
    }

    @Test
    @DisplayName("P9: acquire_thatArrivesAfterItsCancel_isStale")
    void acquire_thatArrivesAfterItsCancel_isStale() throws Exception {
        StoreClient client = stage.client();
        for (Acquire.Mode mode : Acquire.Mode.values()) {
            long late = client.nextNumber();
            client.cancel(LOCK, late);
            assertThat(client.acquire(LOCK, 1, late, StoreClient.LEASE, 0, mode))
                    .isInstanceOf(Acquire.Stale.class);
            assertThat(client.isUnknown(LOCK)).isTrue();
        }
        client.release(client.hold(LOCK));
    }

    @Test
    @DisplayName("P9: acquire_besideItsCancel_leavesNothing")
    void acquire_besideItsCancel_leavesNothing() throws Exception {
        // Two things at once need a clock that moves between them.
        StoreClient client = stage.client(null);
        int answered = 0;
        for (int round = 0; round < 300; round++) {
            long attempt = client.nextNumber();
            CountDownLatch started = new CountDownLatch(1);
            Work<Boolean> acquire = Mode.SYNC.start(() -> {
                started.countDown();
                return isAnswered(client, attempt);
            });
            started.await();
            // Every round meets the acquire elsewhere: before, while and after it is on its way.
            LockSupport.parkNanos(round % 10 * 20_000L);
            client.cancel(LOCK, attempt);
            answered += acquire.get() ? 1 : 0;
            assertThat(client.isUnknown(LOCK)).as("after round %d", round).isTrue();
        }
        assertThat(answered).isPositive();
    }

    /** Returns whether an acquire that is undone at the same time is answered: it may also fail. */
    private static boolean isAnswered(StoreClient client, long attempt) {
        try {
            Acquire.Reply reply = client.acquire(LOCK, 1, attempt, StoreClient.LEASE, 0, Acquire.Mode.TRY);
            return reply instanceof Acquire.Granted || reply instanceof Acquire.Stale;
        } catch (StoreFailure undone) {
            return false;
        }
    }

    @Test
    @DisplayName("P9: acquire_ofHeldLockAfterItsCancel_doesNotQueue")
    void acquire_ofHeldLockAfterItsCancel_doesNotQueue() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient client = stage.client();
        long late = client.nextNumber();
        client.cancel(LOCK, late);
        assertThat(client.acquire(LOCK, 1, late, StoreClient.LEASE, 0, Acquire.Mode.QUEUE))
                .isInstanceOf(Acquire.Stale.class);
        owner.release(held);
        assertThat(owner.isUnknown(LOCK)).isTrue();
    }

    @Test
    @DisplayName("P9: acquire_afterItsCancelOneMinuteAgo_isStale")
    void acquire_afterItsCancelOneMinuteAgo_isStale() throws Exception {
        StoreClient client = stage.client();
        long late = client.nextNumber();
        client.cancel(LOCK, late);
        stage.pass(Duration.ofMinutes(1));
        useOtherNames(stage.client(), 600);
        assertThat(client.acquire(LOCK, 1, late, StoreClient.LEASE, 0, Acquire.Mode.TRY))
                .isInstanceOf(Acquire.Stale.class);
    }

    @Test
    void cancel_byAnotherClient_undoesNothing() throws Exception {
        StoreClient.Held held = stage.client().hold(LOCK);
        StoreClient other = stage.client();
        other.cancel(LOCK, held.attempt());
        other.expectRefused(LOCK);
    }

    @Test
    @DisplayName("P5: acquire_sentTwice_isOneHold")
    void acquire_sentTwice_isOneHold() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        if (stage.capabilities().idempotentAttempts()) {
            stage.passMicros(1_000);
            Acquire.Reply again = client.acquire(LOCK, 1, held.attempt(), StoreClient.LEASE, 0, Acquire.Mode.TRY);
            assertThat(StoreClient.held(LOCK, held.attempt(), 1, again)).isEqualTo(held);
        }
        assertThat(client.release(held)).isTrue();
        stage.client().hold(LOCK);
    }

    @Test
    @DisplayName("P5: acquire_sentAgainAfterRelease_isStaleOrNeverSent")
    void acquire_sentAgainAfterRelease_isStaleOrNeverSent() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        long earlier = held.attempt();
        client.release(held);
        if (stage.capabilities().idempotentAttempts()) {
            assertThat(client.acquire(LOCK, 1, earlier, StoreClient.LEASE, 0, Acquire.Mode.QUEUE))
                    .isInstanceOf(Acquire.Stale.class);
        } else {
            client.cancel(LOCK, earlier);
            assertThat(client.acquire(LOCK, 1, earlier, StoreClient.LEASE, 0, Acquire.Mode.QUEUE))
                    .isInstanceOf(Acquire.Stale.class);
        }
        assertThat(client.isUnknown(LOCK)).isTrue();
    }

    @Test
    void forceRelease_ofHold_tellsItsClientAndWaitsForIt() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient admin = stage.client();
        assertThat(admin.force(held, false)).isTrue();
        assertThat(owner.inspect(LOCK).holds().get(0).revoked()).isTrue();
        admin.expectRefused(LOCK);
        stage.pass(Duration.ofSeconds(1));
        assertThat(owner.renew(held)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.REVOKED));
        assertThat(owner.inspect(LOCK).holds().get(0).deadlineMicros()).isEqualTo(held.deadlineMicros());
        admin.expectRefused(LOCK);
        assertThat(owner.release(held)).isTrue();
        admin.hold(LOCK);
    }

    @Test
    void forceRelease_ofHoldWhoseClientIsSilent_endsAtItsDeadline() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient admin = stage.client();
        admin.force(held, false);
        stage.passMicros(StoreClient.LEASE - 1);
        owner.renew(held);
        admin.expectRefused(LOCK);
        stage.passMicros(1);
        admin.hold(LOCK);
    }

    @Test
    void forceRelease_now_handsOnAtOnce() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        assertThat(next.force(held, true)).isTrue();
        StoreClient.Held taken = next.hold(LOCK);
        assertThat(taken.token()).isGreaterThan(held.token());
        assertThat(owner.release(held)).isFalse();
        stage.client().expectRefused(LOCK);
    }

    @Test
    void forceRelease_withQueue_handsToTheHead() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        assertThat(owner.force(held, true)).isTrue();
        next.expectHandedOff(LOCK, attempt);
    }

    @Test
    void forceRelease_ofUnknownToken_findsNothing() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        assertThat(owner.force(held.withToken(held.token() + 1), true)).isFalse();
        stage.client().expectRefused(LOCK);
        owner.release(held);
        assertThat(owner.force(held, true)).isFalse();
    }
}
