package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Kind;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds of locks: grants, tokens, deadlines, releases. */
abstract class StoreHoldCases extends StoreStagedCases {
    static final Resource LOCK = Resource.lock("lock");

    @Test
    void acquire_ofFreeLock_isGrantedWithItsFullLease() throws Exception {
        StoreClient client = stage.client();
        Acquire.Reply reply = client.acquire(LOCK, 1, 1, StoreClient.LEASE, 0, Acquire.Mode.TRY);
        Acquire.Granted granted = (Acquire.Granted) reply;
        assertThat(granted.token()).isPositive();
        assertThat(granted.stamp().nowMicros()).isEqualTo(stage.now());
        assertThat(granted.stamp().graceMicros()).isZero();
        assertThat(granted.deadlineMicros()).isEqualTo(stage.now() + StoreClient.LEASE);
    }

    @Test
    void acquire_ofHeldLock_saysByWhomAndForHowLong() throws Exception {
        StoreClient owner = stage.client();
        owner.hold(LOCK);
        stage.pass(Duration.ofSeconds(10));
        Acquire.Held held = (Acquire.Held) stage.client().tryAcquire(LOCK, 1);
        assertThat(held.holders()).containsExactly("by " + owner.id());
        if (stage.showsDeadlines()) {
            assertThat(held.remainingMicros()).isEqualTo(StoreClient.LEASE - 10_000_000);
        } else {
            assertThat(held.remainingMicros()).isPositive();
        }
        assertThat(held.queued()).isZero();
    }

    @Test
    @DisplayName("P14: acquire_byTheHoldersClient_isRefusedLikeAnyOther")
    void acquire_byTheHoldersClient_isRefusedLikeAnyOther() throws Exception {
        StoreClient client = stage.client();
        client.hold(LOCK);
        client.expectRefused(LOCK);
    }

    @Test
    void release_ofHold_freesIt() throws Exception {
        StoreClient first = stage.client();
        StoreClient.Held held = first.hold(LOCK);
        assertThat(first.release(held)).isTrue();
        assertThat(first.isUnknown(LOCK)).isTrue();
        stage.client().hold(LOCK);
    }

    @Test
    @DisplayName("P36: release_twice_answersNotHeld")
    void release_twice_answersNotHeld() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        assertThat(client.release(held)).isTrue();
        assertThat(client.release(held)).isFalse();
    }

    @Test
    @DisplayName("P8: release_byWrongToken_freesNothing")
    void release_byWrongToken_freesNothing() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        assertThat(client.release(held.withToken(held.token() - 1))).isFalse();
        assertThat(client.release(held.withToken(held.token() + 1))).isFalse();
        stage.client().expectRefused(LOCK);
        assertThat(client.release(held)).isTrue();
    }

    @Test
    @DisplayName("P8: release_byWrongAttempt_freesNothing")
    void release_byWrongAttempt_freesNothing() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        assertThat(client.release(held.withAttempt(client.nextNumber()))).isFalse();
        stage.client().expectRefused(LOCK);
    }

    @Test
    @DisplayName("P8: release_byAnotherClient_freesNothing")
    void release_byAnotherClient_freesNothing() throws Exception {
        StoreClient.Held held = stage.client().hold(LOCK);
        StoreClient other = stage.client();
        assertThat(other.release(held)).isFalse();
        other.expectRefused(LOCK);
    }

    @Test
    @DisplayName("P8: release_afterExpiry_doesNotFreeTheSuccessor")
    void release_afterExpiry_doesNotFreeTheSuccessor() throws Exception {
        StoreClient late = stage.client();
        StoreClient.Held expired = late.hold(LOCK);
        stage.passMicros(StoreClient.LEASE);
        StoreClient successor = stage.client();
        StoreClient.Held held = successor.hold(LOCK);
        assertThat(late.release(expired)).isFalse();
        assertThat(late.release(expired.withToken(held.token()))).isFalse();
        stage.client().expectRefused(LOCK);
        assertThat(successor.release(held)).isTrue();
    }

    @Test
    void releaseAll_ofManyHolds_answersEachInOrder() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held a = client.hold(Resource.lock("a"));
        StoreClient.Held b = client.hold(Resource.lock("b"));
        Resource shared = stage.shared("c");
        StoreClient.Held c = client.hold(shared, Math.min(2, shared.capacity()));
        List<Release.Reply> replies = client.store()
                .releaseAll(
                        List.of(
                                client.releaseOf(a),
                                client.releaseOf(b.withToken(b.token() + 1)),
                                client.releaseOf(c),
                                client.releaseOf(a)),
                        StoreClient.TIMEOUT_NANOS);
        assertThat(replies).extracting(Release.Reply::released).containsExactly(true, false, true, false);
        assertThat(client.isUnknown(a.resource())).isTrue();
        assertThat(client.isUnknown(b.resource())).isFalse();
        assertThat(client.isUnknown(c.resource())).isTrue();
    }

    @Test
    @DisplayName("P1: tokens_ofLaterGrants_grow")
    void tokens_ofLaterGrants_grow() throws Exception {
        StoreClient a = stage.client();
        StoreClient b = stage.client();
        long last = 0;
        for (int i = 0; i < 50; i++) {
            StoreClient owner = i % 2 == 0 ? a : b;
            StoreClient.Held held = owner.hold(LOCK);
            assertThat(held.token()).isGreaterThan(last);
            last = held.token();
            if (i % 3 == 0) {
                stage.passMicros(StoreClient.LEASE);
            } else {
                owner.release(held);
            }
        }
    }

    @Test
    @DisplayName("P1: tokens_afterCleanUpAndClockStepBack_grow")
    void tokens_afterCleanUpAndClockStepBack_grow() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held before = client.hold(LOCK);
        client.release(before);
        stage.pass(Duration.ofHours(2));
        useOtherNames(client, 600);
        assertThat(client.hold(Resource.lock("one more")).token()).isPositive();
        stage.pass(Duration.ofHours(-3));
        assertThat(client.hold(LOCK).token()).isGreaterThan(before.token());
    }

    static void useOtherNames(StoreClient client, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            client.release(client.hold(Resource.lock("other-" + i)));
        }
    }

    @Test
    @DisplayName("P21, P35: acquire_whenDeadlinePassed_isGrantedAtOnce")
    void acquire_whenDeadlinePassed_isGrantedAtOnce() throws Exception {
        stage.client().hold(LOCK);
        StoreClient other = stage.client();
        stage.passMicros(StoreClient.LEASE - 1);
        other.expectRefused(LOCK);
        stage.passMicros(1);
        other.hold(LOCK);
    }

    @Test
    void heartbeat_ofHold_movesItsDeadline() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        stage.passMicros(StoreClient.LEASE / 2);
        assertThat(client.renew(held)).isEqualTo(new Heartbeat.Renewed(stage.now() + StoreClient.LEASE, false));
        stage.passMicros(StoreClient.LEASE - 1);
        stage.client().expectRefused(LOCK);
    }

    @Test
    void heartbeat_thatOnlyConfirms_leavesTheDeadline() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        stage.passMicros(StoreClient.LEASE / 2);
        assertThat(client.confirm(held)).isEqualTo(new Heartbeat.Renewed(held.deadlineMicros(), false));
        stage.passMicros(StoreClient.LEASE / 2);
        stage.client().hold(LOCK);
    }

    @Test
    void heartbeat_ofHold_namesItsPresentOwner() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        for (boolean extend : new boolean[] {true, false}) {
            String owner = "another thread, extends: " + extend;
            client.heartbeat(List.of(held.named(extend, StoreClient.LEASE, owner)), List.of());
            assertThat(client.inspect(LOCK).holds())
                    .extracting(ResourceView.Hold::description)
                    .containsExactly(owner);
        }
    }

    /** A client whose machine slept only asks: the store neither restores nor extends the hold. */
    @Test
    void heartbeat_withoutALeaseTime_onlyAsks() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        stage.passMicros(StoreClient.LEASE / 2);
        assertThat(client.heartbeat(List.of(held.named(false, 0)), List.of()).holds())
                .containsExactly(new Heartbeat.Renewed(held.deadlineMicros(), false));
        stage.passMicros(StoreClient.LEASE / 2);
        assertThat(client.heartbeat(List.of(held.named(false, 0)), List.of()).holds())
                .containsExactly(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
        stage.client().hold(LOCK);
    }

    @Test
    void ping_tellsServerAndTime_andChangesNothing() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        Stamp first = client.store().ping(StoreClient.TIMEOUT_NANOS);
        stage.passMicros(1_000_000);
        Stamp second = client.store().ping(StoreClient.TIMEOUT_NANOS);
        assertThat(second.runId()).isEqualTo(first.runId()).isNotEmpty();
        assertThat(second.nowMicros()).isEqualTo(first.nowMicros() + 1_000_000);
        assertThat(client.inspect(LOCK).holds())
                .extracting(ResourceView.Hold::deadlineMicros)
                .containsExactly(held.deadlineMicros());
    }

    @Test
    @DisplayName("P3, P38: heartbeat_ofExpiredHold_isLostAndCreatesNothing")
    void heartbeat_ofExpiredHold_isLostAndCreatesNothing() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        stage.passMicros(StoreClient.LEASE);
        assertThat(client.renew(held)).isEqualTo(new Heartbeat.Lost(Heartbeat.Reason.EXPIRED));
        assertThat(client.isUnknown(LOCK)).isTrue();
    }

    @Test
    @DisplayName("P3: heartbeat_ofReleasedHold_isLostAndCreatesNothing")
    void heartbeat_ofReleasedHold_isLostAndCreatesNothing() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        client.release(held);
        assertThat(client.renew(held)).isInstanceOf(Heartbeat.Lost.class);
        stage.client().hold(LOCK);
    }

    @Test
    void heartbeat_withWrongToken_isLost() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        assertThat(client.renew(held.withToken(held.token() + 1))).isInstanceOf(Heartbeat.Lost.class);
        assertThat(stage.client().renew(held)).isInstanceOf(Heartbeat.Lost.class);
        assertThat(client.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
    }

    @Test
    void heartbeat_ofManyHolds_answersEachInOrder() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held a = client.hold(Resource.lock("a"));
        StoreClient.Held b = client.hold(Resource.lock("b"), 1, 100_000, 0);
        stage.passMicros(200_000);
        Heartbeat.Reply reply = client.heartbeat(List.of(b.named(true), a.named(true)), List.of());
        assertThat(reply.holds())
                .containsExactly(
                        new Heartbeat.Lost(Heartbeat.Reason.EXPIRED),
                        new Heartbeat.Renewed(stage.now() + StoreClient.LEASE, false));
        assertThat(reply.stamp().nowMicros()).isEqualTo(stage.now());
    }

    @Test
    void heartbeat_thatNamesTheTokenOfAnotherOwnHold_renewsNeither() throws Exception {
        StoreClient client = stage.client();
        StoreClient.Held one = client.hold(LOCK);
        // Otherwise both may have the same token.
        stage.pass(Duration.ofSeconds(1));
        StoreClient.Held other = client.hold(Resource.lock("other"));
        stage.pass(Duration.ofSeconds(1));
        Heartbeat.Reply reply = client.heartbeat(
                List.of(
                        one.withToken(other.token()).named(true),
                        other.withToken(one.token()).named(true)),
                List.of());
        assertThat(reply.holds()).allMatch(Heartbeat.Lost.class::isInstance);
        assertThat(client.inspect(LOCK).holds().get(0).deadlineMicros()).isEqualTo(one.deadlineMicros());
        assertThat(client.inspect(other.resource()).holds().get(0).deadlineMicros())
                .isEqualTo(other.deadlineMicros());
    }

    @Test
    void lockDelay_afterExpiry_keepsOthersOut() throws Exception {
        long delay = 5_000_000;
        stage.client().hold(LOCK, 1, StoreClient.LEASE, delay);
        StoreClient other = stage.client();
        stage.passMicros(StoreClient.LEASE);
        Acquire.Held refused = (Acquire.Held) other.tryAcquire(LOCK, 1);
        assertThat(refused.holders()).isEmpty();
        assertThat(refused.remainingMicros()).isEqualTo(delay);
        stage.passMicros(delay - 1);
        other.expectRefused(LOCK);
        stage.passMicros(1);
        other.hold(LOCK);
    }

    @Test
    void lockDelay_afterRelease_isNotWaitedFor() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK, 1, StoreClient.LEASE, 5_000_000);
        owner.release(held);
        stage.client().hold(LOCK);
    }

    @Test
    void name_heldAsSomethingElse_isRefusedClearly() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient other = stage.client();
        Resource semaphore = StoreStage.semaphore(LOCK.name(), 4);
        Acquire.Mismatch mismatch = (Acquire.Mismatch) other.tryAcquire(semaphore, 1);
        assertThat(mismatch.kind()).isEqualTo(Kind.LOCK);
        assertThat(mismatch.capacity()).isEqualTo(1);
        assertThat(other.tryAcquire(StoreStage.semaphore(LOCK.name(), 1), 1)).isInstanceOf(Acquire.Mismatch.class);
        owner.release(held);
        StoreClient.Held permits = other.hold(semaphore, 4);
        assertThat(permits.token()).isGreaterThan(held.token());
        assertThat(owner.tryAcquire(LOCK, 1)).isInstanceOf(Acquire.Mismatch.class);
        assertThat(owner.tryAcquire(StoreStage.semaphore(LOCK.name(), 5), 1)).isInstanceOf(Acquire.Mismatch.class);
        other.release(permits);
        assertThat(owner.hold(LOCK).token()).isGreaterThan(permits.token());
    }

    @Test
    void name_whoseHolderDied_mayStandForSomethingElse() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        Resource semaphore = StoreStage.semaphore(LOCK.name(), 3);
        stage.client().hold(semaphore, 1, 1_000_000, 0);
        stage.passMicros(1_000_000);
        StoreClient owner = stage.client();
        owner.hold(LOCK);
        assertThat(owner.inspect(LOCK).resource()).isEqualTo(LOCK);
        assertThat(stage.client().tryAcquire(semaphore, 1)).isInstanceOf(Acquire.Mismatch.class);
        stage.client().expectRefused(LOCK);
    }
}
