package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.StoreFailure;
import org.junit.jupiter.api.Test;

/** Releases that keep the name from all clients for a time. */
abstract class StoreKeptCases extends StoreUndoCases {
    static final long KEPT = 5_000_000;

    private static void expectKept(StoreClient client, Resource resource, long restMicros) throws StoreFailure {
        Acquire.Held refused = (Acquire.Held) client.tryAcquire(resource, 1);
        assertThat(refused.holders()).isEmpty();
        assertThat(refused.remainingMicros()).isEqualTo(restMicros);
        ResourceView view = client.inspect(resource);
        assertThat(view.holds()).isEmpty();
        assertThat(view.restMicros()).isEqualTo(restMicros);
    }

    @Test
    void release_thatKeeps_grantsNobody_untilTheTimeIsOver() throws Exception {
        StoreClient owner = stage.client();
        StoreClient other = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        assertThat(owner.release(held, KEPT)).isTrue();
        expectKept(owner, LOCK, KEPT);
        expectKept(other, LOCK, KEPT);
        assertThat(other.store().list("", "", 10, StoreClient.TIMEOUT_NANOS)).hasSize(1);
        assertThat(owner.release(held, 2 * KEPT)).isFalse();
        stage.passMicros(KEPT - 1);
        expectKept(other, LOCK, 1);
        stage.passMicros(1);
        assertThat(other.isUnknown(LOCK)).isTrue();
        assertThat(other.hold(LOCK).token()).isGreaterThan(held.token());
    }

    @Test
    void release_thatKeeps_outlivesItsClient() throws Exception {
        StoreClient owner = stage.client();
        owner.release(owner.hold(LOCK), KEPT);
        owner.close();
        StoreClient other = stage.client();
        expectKept(other, LOCK, KEPT);
        stage.passMicros(KEPT);
        // A client that sees it for the first time knows when it began.
        stage.client().hold(LOCK);
    }

    @Test
    void release_thatKeeps_letsTheQueueWait() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient first = stage.client();
        StoreClient second = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        long early = first.queue(LOCK, 0);
        owner.release(held, KEPT);
        first.expectWaiting(LOCK, early, 0);
        long late = second.queue(LOCK, 1);
        stage.passMicros(KEPT - 1);
        first.expectWaiting(LOCK, early, 0);
        second.expectWaiting(LOCK, late, 1);
        stage.passMicros(1);
        StoreClient.Held next = first.expectHandedOff(LOCK, early);
        second.expectWaiting(LOCK, late, 0);
        first.release(next);
        second.expectHandedOff(LOCK, late);
    }

    @Test
    void release_thatKeeps_endsByForce() throws Exception {
        StoreClient owner = stage.client();
        StoreClient admin = stage.client();
        for (boolean now : new boolean[] {true, false}) {
            owner.release(owner.hold(LOCK), KEPT);
            assertThat(admin.store().forceRelease(LOCK.name(), 0, now, StoreClient.TIMEOUT_NANOS))
                    .isTrue();
            assertThat(admin.isUnknown(LOCK)).isTrue();
            assertThat(admin.store().forceRelease(LOCK.name(), 0, now, StoreClient.TIMEOUT_NANOS))
                    .isFalse();
            StoreClient.Held held = stage.client().hold(LOCK);
            admin.force(held, true);
        }
    }

    @Test
    void release_ofNoHold_keepsNothing() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        assertThat(owner.release(held.withToken(held.token() + 1), KEPT)).isFalse();
        assertThat(owner.release(held)).isTrue();
        assertThat(owner.isUnknown(LOCK)).isTrue();
        stage.client().hold(LOCK);
    }

    @Test
    void writer_thatKeepsAReadWriteLock_keepsReadersOut() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        Resource lock = Resource.readWrite("kept");
        StoreClient owner = stage.client();
        StoreClient other = stage.client();
        owner.release(owner.hold(lock, lock.capacity()), KEPT);
        expectKept(other, lock, KEPT);
        stage.passMicros(KEPT);
        other.hold(lock, 1);
        owner.hold(lock, 1);
    }
}
