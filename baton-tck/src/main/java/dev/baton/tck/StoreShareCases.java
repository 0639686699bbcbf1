package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Capacities above 1: read-write locks and semaphores. */
abstract class StoreShareCases extends StoreWithholdCases {
    private static final Resource DOC = StoreStage.readWrite("doc");
    private static final int WRITER = Integer.MAX_VALUE;
    private static final Resource GPU = StoreStage.semaphore("gpu", 4);

    @Test
    @DisplayName("P17: readers_together_shareOneToken")
    void readers_together_shareOneToken() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient a = stage.client();
        StoreClient b = stage.client();
        StoreClient.Held first = a.hold(DOC);
        StoreClient.Held second = b.hold(DOC);
        assertThat(second.token()).isEqualTo(first.token());
        a.expectRefused(DOC, WRITER);
        a.release(first);
        a.expectRefused(DOC, WRITER);
        b.release(second);
        StoreClient.Held writer = a.hold(DOC, WRITER);
        assertThat(writer.token()).isGreaterThan(second.token());
        b.expectRefused(DOC);
    }

    @Test
    @DisplayName("P17 P44: writer_inTheQueue_isNotStarvedByReaders")
    void writer_inTheQueue_isNotStarvedByReaders() throws Exception {
        if (stage.endsWithoutShares() || stage.endsWithoutQueue()) {
            return;
        }
        StoreClient reader = stage.client();
        StoreClient.Held reading = reader.hold(DOC);
        StoreClient writer = stage.client();
        long writing = writer.queue(DOC, WRITER, 0);
        reader.expectRefused(DOC);
        StoreClient lateA = stage.client();
        StoreClient lateB = stage.client();
        long readingA = lateA.queue(DOC, 1);
        long readingB = lateB.queue(DOC, 2);
        reader.release(reading);
        StoreClient.Held written = writer.expectHandedOff(DOC, writing, WRITER);
        lateA.expectWaiting(DOC, readingA, 0);
        writer.release(written);
        StoreClient.Held a = lateA.expectHandedOff(DOC, readingA);
        StoreClient.Held b = lateB.expectHandedOff(DOC, readingB);
        assertThat(a.token()).isEqualTo(b.token()).isGreaterThan(written.token());
    }

    @Test
    @DisplayName("P17: reader_thatDied_stopsBlockingAfterItsOwnLease")
    void reader_thatDied_stopsBlockingAfterItsOwnLease() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient alive = stage.client();
        StoreClient.Held held = alive.hold(DOC);
        stage.client().hold(DOC, 1, 5_000_000, 0);
        stage.passMicros(4_999_999);
        assertThat(alive.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
        alive.release(held);
        alive.expectRefused(DOC, WRITER);
        stage.passMicros(1);
        alive.hold(DOC, WRITER);
    }

    @Test
    void heartbeat_thatNamesLessWeight_makesAReaderOfAWriter_andNothingRaisesItAgain() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient writer = stage.client();
        StoreClient other = stage.client();
        StoreClient.Held held = writer.hold(DOC, WRITER);
        other.expectRefused(DOC, 1);
        assertThat(writer.renew(held.withWeight(1))).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(writer.inspect(DOC).holds().get(0).weight()).isEqualTo(1);
        StoreClient.Held joined = other.hold(DOC, 1);
        assertThat(joined.token()).isEqualTo(held.token());
        // A heartbeat of before may arrive late.
        assertThat(writer.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(writer.inspect(DOC).holds()).allMatch(hold -> hold.weight() == 1);
        stage.client().expectRefused(DOC, WRITER);
        assertThat(writer.release(held)).isTrue();
        assertThat(other.release(joined)).isTrue();
        assertThat(stage.client().hold(DOC, WRITER).token()).isGreaterThan(held.token());
    }

    @Test
    void heartbeat_thatNamesLessWeight_grantsTheReadersAtTheHead_andNotTheWriterBehindThem() throws Exception {
        if (stage.endsWithoutShares() || stage.endsWithoutQueue()) {
            return;
        }
        StoreClient writer = stage.client();
        StoreClient.Held held = writer.hold(DOC, WRITER);
        StoreClient first = stage.client();
        StoreClient second = stage.client();
        StoreClient third = stage.client();
        StoreClient last = stage.client();
        long one = first.queue(DOC, 1, 0);
        long two = second.queue(DOC, 1, 1);
        long next = third.queue(DOC, WRITER, 2);
        long behind = last.queue(DOC, 1, 3);
        assertThat(writer.confirm(held.withWeight(1))).isInstanceOf(Heartbeat.Renewed.class);
        StoreClient.Held a = first.expectHandedOff(DOC, one);
        StoreClient.Held b = second.expectHandedOff(DOC, two);
        assertThat(a.token()).isEqualTo(held.token());
        assertThat(b.token()).isEqualTo(held.token());
        third.expectWaiting(DOC, next, 0);
        last.expectWaiting(DOC, behind, 1);
        first.release(a);
        second.release(b);
        third.expectWaiting(DOC, next, 0);
        writer.release(held);
        assertThat(third.expectHandedOff(DOC, next, WRITER).token()).isGreaterThan(held.token());
        last.expectWaiting(DOC, behind, 0);
    }

    @Test
    void semaphore_upToItsCapacity_isHeldInWeights() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient a = stage.client();
        StoreClient b = stage.client();
        StoreClient.Held three = a.hold(GPU, 3);
        b.expectRefused(GPU, 2);
        StoreClient.Held one = b.hold(GPU, 1);
        assertThat(one.token()).isNotEqualTo(three.token());
        b.expectRefused(GPU, 1);
        assertThat(a.release(one)).isFalse();
        assertThat(a.release(three)).isTrue();
        b.hold(GPU, 3);
        a.expectRefused(GPU, 1);
    }

    @Test
    void semaphore_whoseHeadDoesNotFit_letsNobodyPass() throws Exception {
        if (stage.endsWithoutShares() || stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(GPU, 2);
        StoreClient.Held other = owner.hold(GPU, 1);
        StoreClient big = stage.client();
        long bigAttempt = big.queue(GPU, 3, 0);
        StoreClient small = stage.client();
        small.expectRefused(GPU, 1);
        long smallAttempt = small.queue(GPU, 1, 1);
        owner.release(other);
        big.expectWaiting(GPU, bigAttempt, 0);
        small.expectWaiting(GPU, smallAttempt, 1);
        owner.release(held);
        big.expectHandedOff(GPU, bigAttempt, 3);
        small.expectHandedOff(GPU, smallAttempt);
    }

    @Test
    @DisplayName("P21 P39: permits_ofDeadHolder_comeBack")
    void permits_ofDeadHolder_comeBack() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient alive = stage.client();
        StoreClient.Held held = alive.hold(GPU, 1);
        stage.client().hold(GPU, 3, 5_000_000, 0);
        stage.passMicros(5_000_000);
        stage.client().hold(GPU, 3);
        assertThat(alive.renew(held)).isInstanceOf(Heartbeat.Renewed.class);
    }

    @Test
    void permits_ofManyClients_areRenewedOneByOne() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        Resource pool = StoreStage.semaphore("pool", 50);
        StoreClient a = stage.client();
        StoreClient b = stage.client();
        StoreClient.Held first = a.hold(pool, 5);
        for (int i = 0; i < 20; i++) {
            b.hold(pool, 2, 10_000_000, 0);
        }
        stage.passMicros(9_000_000);
        a.renew(first);
        stage.passMicros(1_000_000);
        assertThat(a.inspect(pool).holds()).singleElement().satisfies(hold -> {
            assertThat(hold.client()).isEqualTo(a.id());
            assertThat(hold.weight()).isEqualTo(5);
        });
        b.hold(pool, 45);
        a.expectRefused(pool);
    }

    @Test
    void forceRelease_ofReaders_revokesAllThatShareTheToken() throws Exception {
        if (stage.endsWithoutShares()) {
            return;
        }
        StoreClient a = stage.client();
        StoreClient b = stage.client();
        StoreClient.Held first = a.hold(DOC);
        StoreClient.Held second = b.hold(DOC);
        assertThat(a.force(first, false)).isTrue();
        Heartbeat.HoldReply revoked = new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
        assertThat(a.renew(first)).isEqualTo(revoked);
        assertThat(b.renew(second)).isEqualTo(revoked);
    }

    @Test
    void semaphore_ofCapacityOne_isQueuedAndHandedOnLikeALock() throws Exception {
        if (stage.endsWithoutShares() || stage.endsWithoutQueue()) {
            return;
        }
        Resource single = StoreStage.semaphore("single", 1);
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(single);
        StoreClient next = stage.client();
        long attempt = next.queue(single, 0);
        assertThat(owner.tryAcquire(single, 1)).isInstanceOf(Acquire.Held.class);
        assertThat(owner.heartbeat(List.of(held.named(true)), List.of()).holds())
                .hasOnlyElementsOfType(Heartbeat.Renewed.class);
        owner.release(held);
        next.expectHandedOff(single, attempt);
    }
}
