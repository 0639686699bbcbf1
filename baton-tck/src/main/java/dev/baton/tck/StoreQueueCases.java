package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The queue: order, hand-off, presence, claim window. */
abstract class StoreQueueCases extends StoreHoldCases {
    @Test
    void release_withQueue_handsToTheHeadInOrder() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        List<StoreClient> waiters = List.of(stage.client(), stage.client(), stage.client());
        List<Long> attempts = new ArrayList<>();
        for (int i = 0; i < waiters.size(); i++) {
            attempts.add(waiters.get(i).queue(LOCK, i));
        }
        for (int i = 0; i < waiters.size(); i++) {
            assertThat(owner.release(held)).isTrue();
            for (int later = i + 1; later < waiters.size(); later++) {
                waiters.get(later).expectWaiting(LOCK, attempts.get(later), later - i - 1);
            }
            StoreClient.Held next = waiters.get(i).expectHandedOff(LOCK, attempts.get(i));
            assertThat(next.token()).isGreaterThan(held.token());
            owner = waiters.get(i);
            held = next;
        }
        assertThat(owner.release(held)).isTrue();
        assertThat(owner.isUnknown(LOCK)).isTrue();
    }

    @Test
    void heartbeat_ofHold_tellsWhetherOthersQueue() throws Exception {
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        long alone = ((Heartbeat.Renewed) owner.renew(held)).deadlineMicros();
        assertThat(owner.confirm(held)).isEqualTo(new Heartbeat.Renewed(alone, false));
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient other = stage.client();
        long attempt = other.queue(LOCK, 0);
        assertThat(owner.confirm(held)).isEqualTo(new Heartbeat.Renewed(alone, true));
        other.cancel(LOCK, attempt);
        assertThat(owner.confirm(held)).isEqualTo(new Heartbeat.Renewed(alone, false));
    }

    @Test
    void heartbeat_ofTicket_describesWhoWaitsNow_andOneWithoutADescriptionChangesNone() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient first = stage.client();
        long attempt = first.queue(LOCK, 0);
        StoreClient second = stage.client();
        long behind = second.queue(LOCK, 1);
        String described = descriptions(owner).get(1);
        String heir = "x".repeat(150) + " \uD83D\uDD12";
        assertThat(first.heartbeat(List.of(), List.of(new Heartbeat.Ticket(LOCK, attempt, heir)))
                        .tickets()
                        .get(0))
                .isInstanceOf(Heartbeat.Waiting.class);
        assertThat(descriptions(owner)).containsExactly(heir, described);
        first.expectWaiting(LOCK, attempt, 0);
        second.expectWaiting(LOCK, behind, 1);
        assertThat(descriptions(owner)).containsExactly(heir, described);
        second.heartbeat(List.of(), List.of(new Heartbeat.Ticket(LOCK, behind, "second heir")));
        owner.release(held);
        first.release(first.expectHandedOff(LOCK, attempt));
        StoreClient.Held last = second.expectHandedOff(LOCK, behind);
        assertThat(owner.inspect(LOCK).holds().get(0).description()).isEqualTo("second heir");
        second.heartbeat(List.of(), List.of(new Heartbeat.Ticket(LOCK, behind, "third heir")));
        assertThat(owner.inspect(LOCK).holds().get(0).description())
                .as("of a ticket that has become a hold")
                .isEqualTo("third heir");
        second.release(last);
    }

    private static List<String> descriptions(StoreClient client) throws Exception {
        return client.inspect(LOCK).tickets().stream()
                .map(ResourceView.Ticket::description)
                .toList();
    }

    @Test
    void release_withQueue_tellsTheNextClientIfThisStorePushes() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        owner.release(held);
        StoreClient.Held handed = next.expectHandedOff(LOCK, attempt);
        if (stage.capabilities().push()) {
            Push push = next.awaitPush();
            assertThat(push.name()).isEqualTo(LOCK.name());
            assertThat(push.attempt()).isEqualTo(attempt);
            assertThat(push.token()).isEqualTo(handed.token());
            assertThat(push.secret()).isEqualTo(StoreClient.secretOf(attempt));
            assertThat(push.deadlineMicros()).isEqualTo(handed.deadlineMicros());
        } else {
            assertThat(next.pushes()).isEmpty();
        }
    }

    @Test
    void acquire_thatQueues_saysHowLongHoldersMayStay() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        stage.client().hold(LOCK);
        stage.passMicros(1_000);
        StoreClient next = stage.client();
        Acquire.Queued queued = (Acquire.Queued) next.acquire(LOCK, 1, 1, StoreClient.LEASE, 0, Acquire.Mode.QUEUE);
        assertThat(queued.position()).isZero();
        if (stage.showsDeadlines()) {
            assertThat(queued.remainingMicros()).isEqualTo(StoreClient.LEASE - 1_000);
        } else {
            assertThat(queued.remainingMicros()).isPositive();
        }
    }

    @Test
    void acquire_thatMayQueue_isGrantedWhereNobodyHolds() throws Exception {
        StoreClient client = stage.client();
        StoreClient.held(LOCK, 1, 1, client.acquire(LOCK, 1, 1, StoreClient.LEASE, 0, Acquire.Mode.QUEUE));
    }

    @Test
    void try_withQueue_neverPassesIt() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        StoreClient pushy = stage.client();
        Acquire.Held refused = (Acquire.Held) pushy.tryAcquire(LOCK, 1);
        assertThat(refused.queued()).isEqualTo(1);
        owner.release(held);
        pushy.expectRefused(LOCK);
        next.expectHandedOff(LOCK, attempt);
    }

    @Test
    void try_whenHolderDied_handsToTheQueueFirst() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        stage.client().hold(LOCK, 1, 5_000_000, 0);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        stage.passMicros(5_000_000);
        stage.client().expectRefused(LOCK);
        next.expectHandedOff(LOCK, attempt);
    }

    @Test
    @DisplayName("P21: poll_whenHolderDied_grantsTheTicket")
    void poll_whenHolderDied_grantsTheTicket() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        stage.client().hold(LOCK, 1, 5_000_000, 0);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        stage.passMicros(4_999_999);
        next.expectWaiting(LOCK, attempt, 0);
        stage.passMicros(1);
        StoreClient.Held handed = next.expectHandedOff(LOCK, attempt);
        assertThat(handed.deadlineMicros()).isEqualTo(stage.now() + Timings.DEFAULTS.claimMicros());
    }

    @Test
    @DisplayName("P16: ticket_withoutPresence_isDropped")
    void ticket_withoutPresence_isDropped() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient dead = stage.client();
        StoreClient alive = stage.client();
        long deadAttempt = dead.queue(LOCK, 0);
        stage.passMicros(Timings.DEFAULTS.presenceMicros() / 2);
        long attempt = alive.queue(LOCK, 1);
        stage.passMicros(Timings.DEFAULTS.presenceMicros() / 2);
        alive.expectWaiting(LOCK, attempt, 0);
        dead.expectGone(LOCK, deadAttempt);
        owner.release(held);
        alive.expectHandedOff(LOCK, attempt);
    }

    @Test
    @DisplayName("P16: queue_ofDeadTickets_givesWayToTheFirstLivingOne")
    void queue_ofDeadTickets_givesWayToTheFirstLivingOne() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient dead = stage.client();
        for (int i = 0; i < 100; i++) {
            dead.queue(LOCK, i);
        }
        stage.passMicros(Timings.DEFAULTS.presenceMicros() - 1);
        StoreClient alive = stage.client();
        long attempt = alive.queue(LOCK, 100);
        stage.passMicros(1);
        owner.release(held);
        alive.expectHandedOff(LOCK, attempt);
    }

    @Test
    void ticket_thatIsPolled_staysInTheQueue() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        long step = Timings.DEFAULTS.presenceMicros() / 7;
        for (int i = 0; i < 40; i++) {
            stage.passMicros(step);
            next.expectWaiting(LOCK, attempt, 0);
            assertThat(owner.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
        }
        assertThat(owner.release(held)).isTrue();
        next.expectHandedOff(LOCK, attempt);
    }

    @Test
    void handOff_thatNobodyClaims_goesToTheNext() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient dead = stage.client();
        StoreClient next = stage.client();
        long deadAttempt = dead.queue(LOCK, 0);
        long attempt = next.queue(LOCK, 1);
        owner.release(held);
        stage.passMicros(Timings.DEFAULTS.claimMicros() - 1);
        next.expectWaiting(LOCK, attempt, 0);
        stage.passMicros(1);
        StoreClient.Held handed = next.expectHandedOff(LOCK, attempt);
        assertThat(handed.token()).isGreaterThan(held.token());
        dead.expectGone(LOCK, deadAttempt);
    }

    @Test
    void handOff_atItsFirstHeartbeat_startsItsLease() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        for (boolean extend : new boolean[] {true, false}) {
            Resource lock = Resource.lock("handed " + extend);
            StoreClient owner = stage.client();
            StoreClient.Held held = owner.hold(lock);
            StoreClient next = stage.client();
            long attempt = next.queue(lock, 0);
            owner.release(held);
            StoreClient.Held handed = next.expectHandedOff(lock, attempt);
            stage.pass(Duration.ofSeconds(1));
            Heartbeat.Renewed started = new Heartbeat.Renewed(stage.now() + StoreClient.LEASE, false);
            assertThat(next.heartbeat(List.of(handed.named(extend)), List.of()).holds())
                    .containsExactly(started);
            stage.pass(Duration.ofSeconds(1));
            assertThat(next.confirm(handed)).isEqualTo(started);
        }
    }

    @Test
    void handOff_releasedBeforeItsFirstHeartbeat_goesOn() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        StoreClient last = stage.client();
        long attempt = next.queue(LOCK, 0);
        long lastAttempt = last.queue(LOCK, 1);
        owner.release(held);
        assertThat(next.release(next.expectHandedOff(LOCK, attempt))).isTrue();
        last.expectHandedOff(LOCK, lastAttempt);
    }

    @Test
    void lockDelay_withQueue_isWaitedForByTheHead() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        stage.client().hold(LOCK, 1, 1_000_000, 5_000_000);
        StoreClient next = stage.client();
        long attempt = next.queue(LOCK, 0);
        stage.passMicros(1_000_000);
        next.expectWaiting(LOCK, attempt, 0);
        stage.passMicros(4_999_999);
        next.expectWaiting(LOCK, attempt, 0);
        stage.passMicros(1);
        next.expectHandedOff(LOCK, attempt);
    }

    @Test
    void lockDelay_ofTicket_isThatOfItsHold() throws Exception {
        if (stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        StoreClient next = stage.client();
        next.acquire(LOCK, 1, next.nextNumber(), StoreClient.LEASE, 5_000_000, Acquire.Mode.QUEUE);
        owner.release(held);
        stage.passMicros(Timings.DEFAULTS.claimMicros() + 4_999_999);
        owner.expectRefused(LOCK);
        stage.passMicros(1);
        owner.hold(LOCK);
    }

    @Test
    void poll_ofUnknownTicket_isGone() throws Exception {
        StoreClient client = stage.client();
        client.expectGone(LOCK, 7);
        client.hold(LOCK);
        client.expectGone(LOCK, 7);
        assertThat(stage.client().poll(LOCK, 1)).isEqualTo(new Heartbeat.Gone());
    }
}
