package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.StoreException;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is slow, silent or in a grace period: callers get true answers, and no retry loop spins. */
class EngineTroubleTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;

    private static StoreException unknown(Caller caller) {
        assertThat(caller.outcome()).isInstanceOf(Waiter.Failed.class);
        RuntimeException reason = ((Waiter.Failed) Objects.requireNonNull(caller.outcome())).reason();
        assertThat(reason).isInstanceOf(StoreException.class);
        return (StoreException) reason;
    }

    @Test
    void grantThatIsOverOnArrival_isTriedAgainWithPausesAndTold() {
        driver.answerNanos = 100 * MILLI;
        Caller caller = ask("a", new Caller(new HoldRequest(100 * MILLI, true, 0, 0, false), false, false));
        passByTimers(60 * SECOND);
        assertThat(unknown(caller)).hasMessageContaining("use a longer lease");
        // Ten seconds of store timeout, pauses of up to a second, two commands each.
        assertThat(driver.commands).isLessThan(60);
    }

    /** Too few replicas confirm what a request wrote, and an undo need not be confirmed. */
    @Test
    void request_thatIsNeverAnswered_thoughEachUndoIs_failsWhenTheTimeOfTheStoreIsOver() {
        Deque<Command> open = new ArrayDeque<>();
        driver.held = open;
        Caller caller = ask("a", new Caller(RENEWED, false, false));
        long start = driver.nanos;
        for (int i = 0; i < 200 && caller.outcome() == null; i++) {
            Command next = open.poll();
            if (next == null) {
                driver.wake();
            } else if (next instanceof Command.Ask) {
                driver.engine.sending(next);
                driver.nanos += 900 * MILLI;
                step(out -> driver.engine.failed(
                        next, new StoreFailure(StoreFailure.Effect.UNKNOWN, "0 of 1 replicas", null), out));
            } else {
                driver.perform(next, () -> {});
            }
        }
        assertThat(unknown(caller)).hasMessageContaining("0 of 1 replicas");
        assertThat(driver.nanos - start).isBetween(9 * SECOND, 13 * SECOND);
    }

    @Test
    void tryOnly_besideAWaiterOfASilentStore_isUnknownAndNotBusy() {
        driver.holdElsewhere("a");
        ask("a", RENEWED, false);
        driver.silent = true;
        passByTimers(120 * SECOND);
        unknown(ask("a", RENEWED, true));
    }

    /** The store is back and has undone the lost attempt, but the repeated request is still in flight. */
    @Test
    void timedOut_afterAnOutage_beforeTheRepeatedQuestionIsAnswered_isUnknownAndNotBusy() {
        Deque<Command> open = new ArrayDeque<>();
        driver.held = open;
        Caller caller = ask("a", RENEWED, false);
        Command lost = open.remove();
        driver.engine.sending(lost);
        driver.nanos += SECOND;
        step(out -> driver.engine.failed(
                lost, new StoreFailure(StoreFailure.Effect.UNKNOWN, "the connection broke", null), out));
        driver.perform(open.remove(), () -> {});
        isUnknownAfterAskingAgain(open, caller);
    }

    /** The caller's time ends before the repeated request is answered. */
    private void isUnknownAfterAskingAgain(Deque<Command> open, Caller caller) {
        assertThat(open).as("asked again").hasSize(1);
        driver.engine.sending(open.element());
        driver.nanos += 50 * MILLI;
        step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
        unknown(caller);
    }

    /** The undo of an earlier request was in flight all the time, so no command failed while this caller waited. */
    @Test
    void timedOut_afterAnOutageInWhichNothingFailed_isUnknownAndNotBusy() {
        Deque<Command> open = new ArrayDeque<>();
        driver.held = open;
        Caller before = ask("a", RENEWED, false);
        Command lost = open.remove();
        driver.engine.sending(lost);
        step(out -> driver.engine.failed(
                lost, new StoreFailure(StoreFailure.Effect.UNKNOWN, "the connection broke", null), out));
        step(out -> driver.engine.giveUp(before, BatonEvent.Reason.TIMED_OUT, out));
        unknown(before);
        Command undoing = open.remove();
        driver.engine.sending(undoing);
        driver.nanos += SECOND / 2;
        Caller caller = ask("a", RENEWED, false);
        driver.nanos += SECOND;
        driver.perform(undoing, () -> {});
        isUnknownAfterAskingAgain(open, caller);
    }

    @Test
    void tryOnly_besideAWaiterInAGracePeriod_isUnknownAndNotBusy() {
        driver.machine.restartAs("another run", driver.storeMicros() + 60_000_000);
        Caller waiting = ask("a", RENEWED, false);
        assertThat(waiting.outcome()).isNull();
        assertThat(unknown(ask("a", RENEWED, true))).hasMessageContaining("forgotten");
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 7, 9})
    void untimedCaller_ofASilentStore_isToldAtTheStoreTimeout(long silenceSeconds) {
        InlineDriver slow = new InlineDriver(silenceSeconds * SECOND);
        slow.silent = true;
        Deque<Command> held = new ArrayDeque<>();
        slow.held = held;
        Caller caller = new Caller(RENEWED, false, false);
        Outbox out = new Outbox();
        slow.engine.acquire(Resource.lock("a"), caller, out);
        out.flush(slow);
        long start = slow.nanos;
        long failsAt = start + silenceSeconds * SECOND;
        // In production, commands time out on other threads: meanwhile the clock and the engine's timers go on.
        while (caller.outcome() == null && slow.nanos - start < 60 * SECOND) {
            slow.nanos = Math.min(slow.wakeNanos, failsAt);
            if (slow.nanos == failsAt && !held.isEmpty()) {
                Outbox failed = new Outbox();
                slow.engine.failed(
                        held.remove(), new StoreFailure(StoreFailure.Effect.UNKNOWN, "silent", null), failed);
                failed.flush(slow);
                failsAt += silenceSeconds * SECOND;
            } else if (slow.nanos == slow.wakeNanos) {
                slow.wake();
            } else {
                failsAt += silenceSeconds * SECOND;
            }
        }
        unknown(caller);
        assertThat(slow.nanos - start).isBetween(10 * SECOND - MILLI, 10 * SECOND + 100 * MILLI);
    }

    @Test
    void withoutQueue_inAGracePeriod_theStoreIsAskedWithPauses() {
        driver.queue = false;
        driver.machine.restartAs("another run", driver.storeMicros() + 60_000_000);
        Caller caller = ask("a", RENEWED, false);
        passByTimers(61 * SECOND);
        assertThat(driver.commands).isLessThan(200);
        assertThat(caller.grant()).isNotNull();
    }

    @Test
    void withoutQueue_contention_isForgottenWhenTheOthersHaveGone() {
        driver.queue = false;
        long token = driver.holdElsewhere("a");
        Deque<Caller> waitQueue = new ArrayDeque<>(List.of(ask("a", RENEWED, false), ask("a", RENEWED, false)));
        driver.releaseElsewhere("a", token);
        driver.wake();
        long start = driver.nanos;
        for (int i = 0; i < 400; i++) {
            Caller caller = waitQueue.remove();
            passUntilGranted(caller);
            waitQueue.add(ask("a", RENEWED, false));
            driver.nanos += 10 * MILLI;
            release(Objects.requireNonNull(caller.grant()));
        }
        // This client is alone for four seconds, of which only the first two may contain pauses.
        assertThat(driver.nanos - start).isLessThan(400 * 10 * MILLI + 2 * SECOND);
    }

    @Test
    void shortWait_thatEndsBeforeAnAnswer_isNotYoursWhileTheStoreIsWell() {
        Deque<Command> held = new ArrayDeque<>();
        driver.held = held;
        Caller caller = ask("a", RENEWED, false);
        driver.engine.sending(held.element());
        driver.nanos += MILLI;
        step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
        assertThat(caller.outcome()).isInstanceOf(Waiter.Busy.class);
    }

    /** The answer to another command is late, as behind a pause of the server or of this machine. */
    @Test
    void shortWaits_onAStoreThatIsLate_areNotYours_andBecomeUnknownWhenItHasFallenSilent() {
        Deque<Command> held = new ArrayDeque<>();
        driver.held = held;
        Caller last = null;
        for (int i = 0; i < 800; i++) {
            Caller caller = new Caller(RENEWED, false, true);
            caller.waitsFor(MILLI);
            ask("a " + i, caller);
            driver.engine.sending(held.remove());
            // Once the machine keeps the caller from running.
            driver.nanos += i == 400 ? 300 * MILLI : MILLI;
            step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
            if (i < 690) {
                assertThat(caller.outcome()).as("wait %d", i).isInstanceOf(Waiter.Busy.class);
            }
            last = caller;
        }
        unknown(Objects.requireNonNull(last));
    }

    @Test
    void waitOfATenthOfASecond_onASilentStore_isUnknown() {
        Deque<Command> held = new ArrayDeque<>();
        driver.held = held;
        Caller caller = ask("a", RENEWED, false);
        driver.engine.sending(held.remove());
        driver.nanos += 100 * MILLI;
        step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
        unknown(caller);
    }

    @Test
    void nextInLine_asksWhenTheHoldersLeaseRunsOut_andNotASecondLater() {
        Acquire command =
                new Acquire(Resource.lock("a"), CommandNumber.of(1), 1, 5_340_000, 0, "dies", Acquire.Mode.TRY, 0);
        driver.machine.acquire("other", command, driver.storeMicros(), (client, push) -> {});
        Caller caller = ask("a", RENEWED, false);
        long start = driver.nanos;
        passUntilGranted(caller);
        assertThat(driver.nanos - start).isBetween(5_340 * MILLI, 5_345 * MILLI);
        // One a second, and one at the end.
        assertThat(driver.commands).isLessThan(9);
    }
}
