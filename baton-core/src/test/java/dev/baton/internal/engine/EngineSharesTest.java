package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.BatonException;
import dev.baton.LossCause;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Several holds of one client under one name, holds that callers share, and names that stand for something else. */
class EngineSharesTest extends EngineCase {
    private static final Resource PERMITS = new Resource("permits", Kind.SEMAPHORE, 3);
    private static final Resource PAGES = new Resource("pages", Kind.READ_WRITE, Integer.MAX_VALUE);
    private static final HoldRequest READER = request(1, true);
    private static final HoldRequest WRITER = request(Integer.MAX_VALUE, false);

    private static HoldRequest request(int weight, boolean shared) {
        return new HoldRequest(weight, shared, 30 * SECOND, false, 0, 0, false, 0);
    }

    private Caller ask(Resource resource, HoldRequest request, boolean tryOnly) {
        return ask(resource, new Caller(request, tryOnly, true));
    }

    private static Grant grantOf(Caller caller) {
        return Objects.requireNonNull(caller.grant());
    }

    @Test
    void permits_areHeldBesideEachOther_upToTheCapacity() {
        Caller first = ask(PERMITS, request(1, false), false);
        Caller second = ask(PERMITS, request(2, false), false);
        Caller third = ask(PERMITS, request(1, false), false);
        assertThat(grantOf(first).token()).isNotEqualTo(grantOf(second).token());
        assertThat(third.grant()).isNull();
        release(grantOf(second));
        passUntilGranted(third);
        assertThat(grantOf(first).isHeld()).isTrue();
        release(grantOf(first));
        release(grantOf(third));
        passByTimers(SECOND);
        assertThat(driver.engine.size()).isZero();
        assertThat(driver.machine.size(driver.storeMicros())).isZero();
    }

    @Test
    void permit_thatComesFree_goesToTheNextCallerHere_whoseTicketIsGivenBack() {
        Caller all = ask(PERMITS, request(3, false), false);
        Caller next = ask(PERMITS, request(3, false), false);
        assertThat(driver.machine
                        .inspect("permits", driver.storeMicros())
                        .orElseThrow()
                        .tickets())
                .hasSize(1);
        release(grantOf(all));
        assertThat(grantOf(next).token()).isEqualTo(grantOf(all).token() + 1);
        assertThat(driver.machine
                        .inspect("permits", driver.storeMicros())
                        .orElseThrow()
                        .tickets())
                .isEmpty();
    }

    @Test
    void tryForPermits_asksTheStore_thoughSomeAreHeldHere() {
        ask(PERMITS, request(2, false), false);
        assertThat(ask(PERMITS, request(1, false), true).grant()).isNotNull();
        assertThat(ask(PERMITS, request(1, false), true).outcome()).isInstanceOf(Waiter.Busy.class);
    }

    @Test
    void tryForWhatCannotFitBesideWhatIsHeldHere_doesNotAskTheStore() {
        ask(PERMITS, request(2, false), false);
        Caller writer = ask(PAGES, WRITER, false);
        long before = driver.commands;
        assertThat(ask(PERMITS, request(2, false), true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(ask(PAGES, READER, true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(ask(PAGES, WRITER, true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(driver.commands).isEqualTo(before);
        release(grantOf(writer));
        assertThat(ask(PAGES, READER, true).grant()).isNotNull();
    }

    @Test
    void readersOfOneClient_shareAHold_withoutAskingTheStore() {
        Caller first = ask(PAGES, READER, false);
        long before = driver.commands;
        Caller second = ask(PAGES, READER, true);
        assertThat(driver.commands).isEqualTo(before);
        assertThat(grantOf(second).token()).isEqualTo(grantOf(first).token());
        release(grantOf(first));
        assertThat(grantOf(second).isHeld()).isTrue();
        assertThat(driver.commands).isEqualTo(before);
        release(grantOf(second));
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void thousandReadersOfOneClient_haveOneHold_andOnlyTheFirstAsksTheStore() {
        Caller first = ask(PAGES, READER, false);
        long before = driver.commands;
        for (int i = 1; i < 1_000; i++) {
            assertThat(grantOf(ask(PAGES, READER, false)).token())
                    .isEqualTo(grantOf(first).token());
        }
        assertThat(driver.commands).isEqualTo(before);
        assertThat(driver.machine
                        .inspect("pages", driver.storeMicros())
                        .orElseThrow()
                        .holds())
                .hasSize(1);
    }

    @Test
    void reader_thatComesAfterAWriter_waitsBehindIt() {
        Caller reader = ask(PAGES, READER, false);
        Caller writer = ask(PAGES, WRITER, false);
        Caller late = ask(PAGES, READER, false);
        assertThat(late.grant()).isNull();
        release(grantOf(reader));
        passUntilGranted(writer);
        assertThat(late.grant()).isNull();
        release(grantOf(writer));
        passUntilGranted(late);
        assertThat(grantOf(late).token()).isGreaterThan(grantOf(writer).token());
    }

    @Test
    void lossOfASharedHold_isToldToEachThatHasIt() {
        Caller first = ask(PAGES, READER, false);
        Caller second = ask(PAGES, READER, false);
        driver.machine.forceRelease(
                "pages", grantOf(first).token() / 256, true, driver.storeMicros(), (client, push) -> {});
        passByTimers(11 * SECOND);
        assertThat(grantOf(first).loss()).isEqualTo(LossCause.REVOKED);
        assertThat(grantOf(second).loss()).isEqualTo(LossCause.REVOKED);
    }

    @Test
    void readerWhoseTimeIsOver_doesNotEndTheHoldOfTheOthers() {
        HoldRequest limited = new HoldRequest(1, true, 30 * SECOND, false, 5 * SECOND, 0, false, 0);
        Caller first = ask(PAGES, limited, false);
        // Others come and go, so the client knows all the time that no other client waits.
        for (int i = 0; i < 100; i++) {
            driver.nanos += 20 * MILLI;
            step(driver.engine::tick);
            release(grantOf(ask(PAGES, limited, false)));
        }
        Caller second = ask(PAGES, limited, false);
        assertThat(grantOf(second).token()).isEqualTo(grantOf(first).token());
        passByTimers(3 * SECOND + 100 * MILLI);
        assertThat(grantOf(first).loss()).isEqualTo(LossCause.EXPIRED);
        release(grantOf(first));
        assertThat(grantOf(second).isHeld()).isTrue();
        assertThat(driver.machine
                        .inspect("pages", driver.storeMicros())
                        .orElseThrow()
                        .holds())
                .hasSize(1);
    }

    @Test
    void abandonedReader_doesNotEndTheRenewalForTheOthers() {
        Caller first = ask(PAGES, READER, false);
        Caller second = ask(PAGES, READER, false);
        step(out -> driver.engine.abandoned(grantOf(first), out));
        passByTimers(60 * SECOND);
        assertThat(grantOf(second).isHeld()).isTrue();
        step(out -> driver.engine.abandoned(grantOf(second), out));
        passByTimers(60 * SECOND);
        assertThat(grantOf(second).loss()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void nameThatIsHeldHere_asSomethingElse_isRefused() {
        ask("permits", InlineDriver.RENEWED, false);
        Caller other = ask(PERMITS, request(1, false), false);
        assertThat(other.outcome())
                .isInstanceOfSatisfying(
                        Waiter.Failed.class,
                        failed -> assertThat(failed.reason())
                                .isInstanceOf(BatonException.class)
                                .hasMessageContaining("\"permits\" is in use as a LOCK of capacity 1")
                                .hasMessageContaining("SEMAPHORE of capacity 3"));
    }

    /** Callers pass permits on to each other, but one of them has a ticket, so the store says that a client waits. */
    @Test
    void resize_reachesCallersWhoPassPermitsOn() {
        Deque<Caller> callers = new ArrayDeque<>();
        for (int i = 0; i < 60; i++) {
            callers.add(ask(PERMITS, request(1, false), false));
        }
        withhold(2);
        for (int i = 0; i < 4; i++) {
            passByTimers(SECOND);
            release(grantOf(callers.remove()));
        }
        assertThat(permitsInUse()).isEqualTo(3);
    }

    /** The ticket of those who want all there was leaves the queue, and with it all who want as much. */
    @Test
    void resize_reachesCallersWhoPassAllPermitsOn() {
        Caller first = ask(PERMITS, request(3, false), false);
        Caller second = ask(PERMITS, request(3, false), false);
        Caller third = ask(PERMITS, request(3, false), false);
        release(grantOf(first));
        withhold(2);
        passByTimers(11 * SECOND);
        assertThat(third.outcome())
                .isInstanceOfSatisfying(
                        Waiter.Failed.class,
                        failed ->
                                assertThat(failed.reason()).hasMessageContaining("was resized to 1 of its 3 permits"));
        release(grantOf(second));
        assertThat(permitsInUse()).isEqualTo(2);
    }

    private void withhold(int permits) {
        driver.machine.withhold(PERMITS, permits, driver.storeMicros(), (client, push) -> {});
    }

    private int permitsInUse() {
        return driver.machine.inspect("permits", driver.storeMicros()).orElseThrow().holds().stream()
                .mapToInt(ResourceView.Hold::weight)
                .sum();
    }

    /** Another client's reader. */
    private void readElsewhere() {
        Acquire command =
                new Acquire(PAGES, CommandNumber.of(1), 1, 3_600_000_000L, 0, "elsewhere", Acquire.Mode.TRY, 0);
        driver.machine.acquire("other", command, driver.storeMicros(), (client, push) -> {});
    }

    private int tickets(String name) {
        return driver.machine
                .inspect(name, driver.storeMicros())
                .map(view -> view.tickets().size())
                .orElse(0);
    }

    @Test
    void readerBehindAWriterThatGivesUp_getsInBesideReadersElsewhere() {
        readElsewhere();
        Caller writer = ask(PAGES, WRITER, false);
        Caller reader = ask(PAGES, READER, false);
        assertThat(reader.grant()).isNull();
        assertThat(tickets("pages")).isEqualTo(1);
        step(out -> driver.engine.giveUp(writer, BatonEvent.Reason.TIMED_OUT, out));
        passByTimers(100 * MILLI);
        assertThat(grantOf(reader).isHeld()).isTrue();
        assertThat(tickets("pages")).isZero();
    }

    @Test
    void onePermitBehindACallerThatWantedAllAndGivesUp_isGrantedAtOnce() {
        ask(PERMITS, request(1, false), false);
        Caller all = ask(PERMITS, request(3, false), false);
        Caller one = ask(PERMITS, request(1, false), false);
        step(out -> driver.engine.giveUp(all, BatonEvent.Reason.CANCELLED, out));
        passByTimers(100 * MILLI);
        assertThat(grantOf(one).isHeld()).isTrue();
        assertThat(tickets("permits")).isZero();
    }

    @Test
    void callerThatWantsAll_doesNotInheritATicketForOne() {
        ask(PERMITS, request(3, false), false);
        Caller one = ask(PERMITS, request(1, false), false);
        Caller all = ask(PERMITS, request(3, false), false);
        step(out -> driver.engine.giveUp(one, BatonEvent.Reason.CANCELLED, out));
        assertThat(driver.machine
                        .inspect("permits", driver.storeMicros())
                        .orElseThrow()
                        .tickets())
                .allSatisfy(ticket -> assertThat(ticket.weight()).isEqualTo(3));
        assertThat(all.grant()).isNull();
    }

    @Test
    void threadThatReads_readsAgainAtOnce_thoughAWriterWaits() {
        Caller reader = ask(PAGES, new Caller(READER, false, true, Thread.currentThread()));
        Caller writer = ask(PAGES, WRITER, false);
        pass(SECOND);
        Caller other = ask(PAGES, READER, false);
        Caller again = ask(PAGES, new Caller(READER, false, true, Thread.currentThread()));
        assertThat(grantOf(again).token()).isEqualTo(grantOf(reader).token());
        assertThat(other.grant()).isNull();
        release(grantOf(reader));
        assertThat(writer.grant()).isNull();
        release(grantOf(again));
        passUntilGranted(writer);
    }

    @Test
    void threadThatWaitsForItsOwnWriterOrPermits_isReported_andOneThatMayGetMoreIsNot() {
        ask(PAGES, new Caller(WRITER, false, true, Thread.currentThread()));
        ask(PAGES, new Caller(WRITER, false, true, Thread.currentThread()));
        ask(PERMITS, new Caller(request(1, false), false, true, Thread.currentThread()));
        ask(PERMITS, request(2, false), false);
        ask(PERMITS, new Caller(request(2, false), false, true, Thread.currentThread()));
        passByTimers(2 * SECOND);
        assertThat(told(BatonEvent.Type.SELF_WAIT))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.detail()).contains("\"pages\"").contains("asReadWriteLock"));
        ask(PERMITS, new Caller(request(3, false), false, true, Thread.currentThread()));
        passByTimers(2 * SECOND);
        assertThat(told(BatonEvent.Type.SELF_WAIT))
                .hasSize(2)
                .last()
                .satisfies(event ->
                        assertThat(event.detail()).contains("\"permits\"").contains("all permits at once"));
    }
}
