package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permits of a semaphore that the store grants to no client. */
abstract class StoreWithholdCases extends StoreKeptCases {
    private static final Resource POOL = StoreStage.semaphore("pool", 4);

    private static void withhold(StoreClient client, int weight) throws StoreFailure {
        assertThat(client.store().withhold(POOL, weight, StoreClient.TIMEOUT_NANOS))
                .isEqualTo(POOL);
    }

    private static void expectUnfit(StoreClient client, int weight, int permits) throws StoreFailure {
        assertThat(client.tryAcquire(POOL, weight))
                .isInstanceOfSatisfying(
                        Acquire.Unfit.class,
                        unfit -> assertThat(unfit.permits()).isEqualTo(permits));
    }

    @Test
    void withheldPermits_areGrantedToNobody_untilTheyAreGivenBack() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient admin = stage.client();
        StoreClient user = stage.client();
        withhold(admin, 3);
        StoreClient.Held only = user.hold(POOL);
        user.expectRefused(POOL);
        expectUnfit(user, 2, 1);
        withhold(admin, 1);
        StoreClient.Held two = user.hold(POOL, 2);
        admin.expectRefused(POOL);
        expectUnfit(admin, 4, 3);
        withhold(admin, 0);
        StoreClient.Held last = admin.hold(POOL);
        assertThat(user.release(only) && user.release(two) && admin.release(last))
                .isTrue();
        assertThat(user.hold(POOL, 4).token()).isPositive();
    }

    @Test
    void withheldPermits_outliveTheirClientAndAllHolds_andKeepTheNumberOfPermits() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient admin = stage.client();
        withhold(admin, 2);
        admin.close();
        StoreClient user = stage.client();
        user.release(user.hold(POOL, 2));
        stage.passMicros(3_600_000_000L);
        assertThat(user.inspect(POOL).withheld()).isEqualTo(2);
        assertThat(user.store().list("", "", 10, StoreClient.TIMEOUT_NANOS)).hasSize(1);
        expectUnfit(user, 3, 2);
        assertThat(user.tryAcquire(StoreStage.semaphore(POOL.name(), 5), 1)).isInstanceOf(Acquire.Mismatch.class);
        assertThat(user.store().withhold(StoreStage.semaphore(POOL.name(), 5), 1, StoreClient.TIMEOUT_NANOS))
                .isEqualTo(POOL);
        withhold(user, 0);
        assertThat(user.isUnknown(POOL)).isTrue();
    }

    @Test
    void withhold_onANameThatIsInUseAsSomethingElse_changesNothing() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient owner = stage.client();
        Resource lock = Resource.lock(POOL.name());
        StoreClient.Held held = owner.hold(lock);
        StoreClient admin = stage.client();
        for (StoreClient each : List.of(owner, admin)) {
            assertThat(each.store().withhold(POOL, 2, StoreClient.TIMEOUT_NANOS))
                    .isEqualTo(lock);
        }
        assertThat(owner.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
        owner.release(held);
        assertThat(admin.isUnknown(lock)).isTrue();
    }

    @Test
    void withhold_onANameThatRestsAsSomethingElse_changesNothing() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient owner = stage.client();
        Resource lock = Resource.lock(POOL.name());
        StoreClient admin = stage.client();
        owner.release(owner.hold(lock), KEPT);
        for (StoreClient each : List.of(owner, admin)) {
            assertThat(each.store().withhold(POOL, 2, StoreClient.TIMEOUT_NANOS))
                    .isEqualTo(lock);
        }
        stage.passMicros(KEPT);
        withhold(admin, 2);
        expectUnfit(owner, 3, 2);
    }

    @Test
    void holdsThatAreThere_keepTheirPermits_andNothingIsGrantedUntilTheRestHasRoom() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient first = stage.client();
        StoreClient second = stage.client();
        StoreClient admin = stage.client();
        StoreClient.Held two = first.hold(POOL, 2);
        StoreClient.Held one = second.hold(POOL);
        withhold(admin, 3);
        assertThat(first.renew(two)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(second.renew(one)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(((Acquire.Held) admin.tryAcquire(POOL, 1)).holders()).hasSize(2);
        first.release(two);
        admin.expectRefused(POOL);
        second.release(one);
        admin.hold(POOL);
    }

    @Test
    void waiters_waitForPermitsThatAreWithheld_andGetThemBackAtOnce() throws Exception {
        if (stage.endsWithoutShares() || stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient admin = stage.client();
        StoreClient first = stage.client();
        StoreClient second = stage.client();
        StoreClient.Held held = owner.hold(POOL, 4);
        long early = first.queue(POOL, 0);
        long late = second.queue(POOL, 1);
        withhold(admin, 3);
        first.expectWaiting(POOL, early, 0);
        owner.release(held);
        StoreClient.Held next = first.expectHandedOff(POOL, early);
        second.expectWaiting(POOL, late, 0);
        withhold(admin, 2);
        second.expectHandedOff(POOL, late);
        first.release(next);
    }

    @Test
    void waiterThatAsksForMoreThanThereIs_leavesTheQueue_andThoseBehindItGoOn() throws Exception {
        if (stage.endsWithoutShares() || stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient admin = stage.client();
        StoreClient greedy = stage.client();
        StoreClient modest = stage.client();
        StoreClient.Held held = owner.hold(POOL, 2);
        long three = greedy.queue(POOL, 3, 0);
        long one = modest.queue(POOL, 1);
        withhold(admin, 2);
        greedy.expectGone(POOL, three);
        modest.expectWaiting(POOL, one, 0);
        expectUnfit(greedy, 3, 2);
        owner.release(held);
        modest.release(modest.expectHandedOff(POOL, one));
    }

    @Test
    void force_doesNotReachWithheldPermits() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient admin = stage.client();
        withhold(admin, 2);
        for (boolean now : new boolean[] {true, false}) {
            assertThat(admin.store().forceRelease(POOL.name(), 0, now, StoreClient.TIMEOUT_NANOS))
                    .isFalse();
        }
        assertThat(admin.inspect(POOL).withheld()).isEqualTo(2);
    }
}
