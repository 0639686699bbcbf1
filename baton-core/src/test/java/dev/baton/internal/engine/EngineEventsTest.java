package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.BatonEvent.Reason;
import dev.baton.BatonEvent.Type;
import dev.baton.LossCause;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The events about outages, callers that gave up and lost leases, with their reasons. */
class EngineEventsTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;

    private void answer(Deque<Command> open) {
        driver.held = null;
        while (!open.isEmpty()) {
            driver.performSent(open.remove(), () -> {});
        }
    }

    @Test
    void outageOfFourSeconds_underLoad_isToldOnceEachWay() {
        acquire("held", RENEWED);
        Deque<Command> open = holdAnswersBack();
        for (int i = 0; i < 20; i++) {
            ask("wanted " + i, RENEWED, false);
        }
        open.forEach(driver.engine::sending);
        live(4 * SECOND);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK)).hasSize(1);
        answer(open);
        live(4 * SECOND);
        List<BatonEvent> both = told(Type.STORE_SILENT, Type.STORE_BACK);
        assertThat(both).extracting(BatonEvent::type).containsExactly(Type.STORE_SILENT, Type.STORE_BACK);
        assertThat(both.get(0).elapsed()).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_500));
        assertThat(both.get(1).elapsed()).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4_250));
    }

    /** A store with sessions answers for waiting tickets without a request, for seconds after its server has fallen silent. */
    @Test
    void heartbeat_answeredFromMemory_neitherDelaysNorEndsAnOutage() {
        driver.remembering = true;
        driver.holdElsewhere("busy");
        ask("busy", RENEWED, false);
        live(10 * SECOND);
        long before = driver.heartbeats;
        Deque<Command> open = holdAnswersBack();
        ask("wanted", RENEWED, false);
        open.forEach(driver.engine::sending);
        live(4 * SECOND);
        assertThat(driver.heartbeats).as("heartbeats during the outage").isGreaterThan(before);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK))
                .extracting(BatonEvent::type)
                .containsExactly(Type.STORE_SILENT);
        answer(open);
        live(SECOND);
        List<BatonEvent> both = told(Type.STORE_SILENT, Type.STORE_BACK);
        assertThat(both.get(0).elapsed()).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_500));
        assertThat(both.get(1).elapsed()).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4_250));
    }

    /** Nothing was asked, so nothing is missing: otherwise each such heartbeat would cost the ping that it saves. */
    @Test
    void heartbeat_answeredFromMemory_raisesNoDoubt() {
        driver.remembering = true;
        driver.holdElsewhere("busy");
        ask("busy", RENEWED, false);
        long before = driver.commands - driver.heartbeats;
        live(60 * SECOND);
        assertThat(driver.commands - driver.heartbeats).as("pings").isEqualTo(before);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK)).isEmpty();
    }

    /** The last answer overtook the requests that are open, and nothing more is asked during the outage. */
    @Test
    void outage_ofRequestsThatWereSentBeforeTheLastAnswer_isTold() {
        Deque<Command> open = holdAnswersBack();
        Caller caller = ask("wanted", RENEWED, false);
        ask("other", RENEWED, false);
        open.forEach(driver.engine::sending);
        Command other = open.removeLast();
        driver.performSent(other, () -> {});
        live(4 * SECOND);
        assertThat(told(Type.STORE_SILENT)).hasSize(1);
        step(out -> driver.engine.giveUp(caller, Reason.TIMED_OUT, out));
        assertThat(caller.outcome()).isInstanceOf(Waiter.Failed.class);
        answer(open);
        live(2 * SECOND);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK)).hasSize(2);
    }

    /** The store had more to do after its server answered; or the network held the answer back, and it heals. */
    @ParameterizedTest
    @ValueSource(longs = {1_900, 4_000})
    void answer_thatWasGivenBeforeTheOutage_andComesLater_isNotItsEnd(long lateMillis) {
        acquire("before", RENEWED);
        Deque<Command> open = holdAnswersBack();
        ask("slow", RENEWED, false);
        ask("wanted", RENEWED, false);
        Command slow = open.removeFirst();
        open.forEach(driver.engine::sending);
        driver.perform(slow, () -> live(lateMillis * MILLI));
        live(600 * MILLI);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK))
                .extracting(BatonEvent::type)
                .containsExactly(Type.STORE_SILENT);
        answer(open);
        live(2 * SECOND);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK)).hasSize(2);
    }

    /** A server that is busy: every request takes 300 ms, and there is an answer every 10 ms. */
    @Test
    void storeWithABacklog_isWell_becauseItAnswersAllTheTime() {
        acquire("before", RENEWED);
        Deque<Command> open = holdAnswersBack();
        for (int i = 0; i < 100; i++) {
            Caller caller = ask("wanted " + i, RENEWED, false);
            driver.engine.sending(open.getLast());
            driver.nanos += 10 * MILLI;
            if (i >= 30) {
                Command oldest = open.removeFirst();
                driver.held = null;
                driver.performSent(oldest, () -> {});
                driver.held = open;
                driver.nanos += MILLI;
                step(out -> driver.engine.giveUp(caller, Reason.TIMED_OUT, out));
                assertThat(caller.outcome()).as("caller %d", i).isInstanceOf(Waiter.Busy.class);
            }
        }
    }

    /** Sends what is asked with a limit of the caller's own, and has it fail at once or when the limit is over. */
    private Caller askInHurry(String name, long limitNanos, long untilFailureNanos) {
        Deque<Command> open = holdAnswersBack();
        Caller caller = ask(name, RENEWED, false);
        driver.held = null;
        Command asked = open.remove();
        asked.hurry(limitNanos);
        driver.engine.sending(asked);
        driver.nanos += untilFailureNanos;
        step(out -> driver.engine.failed(asked, new StoreFailure(StoreFailure.Effect.NONE, "late", null), out));
        step(out -> driver.engine.giveUp(caller, Reason.TIMED_OUT, out));
        return caller;
    }

    @Test
    void callersWithLimitsThatAreTooShortForAnAnswer_sayNothingAboutTheStore() {
        acquire("before", RENEWED);
        for (int i = 0; i < 200; i++) {
            Caller caller = askInHurry("wanted " + i, 2 * MILLI, 2 * MILLI);
            assertThat(caller.outcome()).as("caller %d", i).isInstanceOf(Waiter.Busy.class);
        }
        live(5 * SECOND);
        acquire("after", RENEWED);
        assertThat(told(Type.STORE_SILENT)).isEmpty();
        Caller late = askInHurry("wanted", 2 * MILLI, 2 * MILLI);
        assertThat(late.outcome()).isInstanceOf(Waiter.Busy.class);
    }

    @Test
    void callersWithShortLimits_whomTheStoreRefuses_tellThatItIsAway() {
        acquire("before", RENEWED);
        driver.refusing = true;
        askInHurry("wanted", 50 * MILLI, MILLI);
        live(3 * SECOND);
        assertThat(told(Type.STORE_SILENT)).hasSize(1);
        Caller late = askInHurry("again", 50 * MILLI, 50 * MILLI);
        assertThat(late.outcome()).isInstanceOf(Waiter.Failed.class);
    }

    /** An answer to such a caller ends no silence, for there was none. */
    @Test
    void callerWithAShortLimit_afterATimeWithoutCommands_seesNoSilence() {
        acquire("before", new HoldRequest(60 * SECOND, false, 0, 0, false));
        live(5 * SECOND);
        Deque<Command> open = holdAnswersBack();
        ask("wanted", RENEWED, false);
        Command asked = open.remove();
        driver.held = null;
        asked.hurry(2 * MILLI);
        driver.perform(asked, () -> driver.nanos += MILLI);
        Caller late = askInHurry("other", 2 * MILLI, 2 * MILLI);
        assertThat(late.outcome()).isInstanceOf(Waiter.Busy.class);
    }

    @Test
    void answerThatIsLate_isNoOutage_whenTheStoreAnswersAQuestion() {
        Deque<Command> open = holdAnswersBack();
        ask("slow", RENEWED, false);
        open.forEach(driver.engine::sending);
        driver.held = null;
        live(10 * SECOND);
        answer(open);
        assertThat(told(Type.STORE_SILENT, Type.STORE_BACK)).isEmpty();
    }

    @Test
    void storeThatRefusesConnections_isToldWithTheReason_andItsReturnIsNoticedByItself() {
        driver.refusing = true;
        Caller caller = ask("wanted", RENEWED, false);
        live(3 * SECOND);
        assertThat(told(Type.STORE_SILENT))
                .singleElement()
                .satisfies(event -> assertThat(event.detail()).isEqualTo("nobody is there"));
        step(out -> driver.engine.giveUp(caller, Reason.TIMED_OUT, out));
        driver.refusing = false;
        live(2 * SECOND);
        assertThat(told(Type.STORE_BACK)).hasSize(1);
    }

    @Test
    void clientThatAsksNothing_asksNothing() {
        acquire("held", RENEWED);
        long before = driver.commands;
        live(4 * SECOND);
        assertThat(driver.commands).isEqualTo(before);
    }

    @Test
    void callerThatGoesAway_isToldWithItsReason() {
        driver.holdElsewhere("a");
        ask("a", RENEWED, true);
        Caller late = ask("a", RENEWED, false);
        step(out -> driver.engine.giveUp(late, Reason.TIMED_OUT, out));
        Caller cancelled = ask("a", RENEWED, false);
        step(out -> driver.engine.giveUp(cancelled, Reason.CANCELLED, out));
        driver.refusing = true;
        Caller failed = ask("b", RENEWED, false);
        passByTimers(SECOND);
        step(out -> driver.engine.giveUp(failed, Reason.TIMED_OUT, out));
        assertThat(told(Type.GAVE_UP))
                .extracting(BatonEvent::reason)
                .containsExactly(Reason.BUSY, Reason.TIMED_OUT, Reason.CANCELLED, Reason.FAILED);
    }

    @Test
    void leaseThatIsLost_isToldWithItsCause() {
        Grant grant = acquire("a", new HoldRequest(SECOND, true, 0, 0, false));
        pass(2 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
        assertThat(told(Type.LOST)).extracting(BatonEvent::lossCause).containsExactly(LossCause.EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threadThatWaitsForItsOwnLease_isTold_unlessAnotherReleasesItWithinASecond(boolean released) {
        Grant grant = Objects.requireNonNull(ask("a", ofThisThread()).grant());
        Caller again = ask("a", ofThisThread());
        pass(SECOND / 2);
        assertThat(told(Type.SELF_WAIT)).isEmpty();
        if (released) {
            release(grant);
        }
        passByTimers(SECOND);
        assertThat(again.grant() != null).isEqualTo(released);
        assertThat(told(Type.SELF_WAIT)).hasSize(released ? 0 : 1);
    }

    private static Caller ofThisThread() {
        return new Caller(RENEWED, false, false, Thread.currentThread());
    }
}
