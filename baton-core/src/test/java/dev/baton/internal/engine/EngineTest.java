package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.LossCause;
import dev.baton.spi.Push;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drives the engine by hand: no threads, and time moves only when a test moves it. */
class EngineTest extends EngineCase {
    /** The last number is for readers. */
    private static final int TOKENS_OF_A_HOLD = 255;

    private static final HoldRequest EXPLICIT = new HoldRequest(300 * SECOND, true, 0, 0, false);
    private static final HoldRequest LIMITED = new HoldRequest(30 * SECOND, false, 5 * SECOND, 0, false);

    @Test
    void uncontendedPair_costsTwoCommandsAndLeavesNothing() {
        release(acquire("a", InlineDriver.RENEWED));
        assertThat(driver.commands).isEqualTo(2);
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void tryOnly_heldHere_isBusyWithoutAskingTheStore() {
        acquire("a", InlineDriver.RENEWED);
        assertThat(ask("a", InlineDriver.RENEWED, true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(driver.commands).isEqualTo(1);
    }

    /** Passes a lock on locally as many times as given, with a pause between; returns the last grant. */
    private Grant passOn(Grant first, int times, long pauseNanos) {
        Grant grant = first;
        for (int i = 0; i < times; i++) {
            Caller next = ask("a", InlineDriver.RENEWED, false);
            driver.nanos += pauseNanos;
            long token = grant.token();
            release(grant);
            step(driver.engine::tick);
            grant = Objects.requireNonNull(next.grant(), "caller " + i);
            assertThat(grant.token()).isGreaterThan(token);
        }
        return grant;
    }

    @Test
    void localHandOff_ofAClientThatIsAlone_asksTheStoreForNothing() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        long before = driver.commands;
        passOn(grant, TOKENS_OF_A_HOLD - 1, 0);
        assertThat(driver.commands - before).isZero();
    }

    @Test
    void localHandOff_beyondTheTokensOfAHold_takesANewOne() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        long before = driver.commands;
        passOn(grant, 10 * TOKENS_OF_A_HOLD - 1, 0);
        assertThat(driver.commands - before).isEqualTo(9 * 2);
    }

    @Test
    void localHandOff_ofAClientThatIsAlone_onlyAsksWhetherItStillIs() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        long before = driver.commands;
        passOn(grant, 200, MILLI);
        assertThat(driver.heartbeats).as("one in 25 ms").isBetween(7L, 8L);
        assertThat(driver.commands - before).isEqualTo(driver.heartbeats);
    }

    @Test
    void localHandOff_ofAClientThatIsAlone_andSlow_asksOnceForEach() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        long before = driver.commands;
        passOn(grant, 20, 100 * MILLI);
        assertThat(driver.heartbeats).isLessThanOrEqualTo(20);
        assertThat(driver.commands - before).isEqualTo(driver.heartbeats);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MILLI, 10 * MILLI, 100 * MILLI})
    void localHandOff_whileAnotherClientWaits_endsWithItsTurn(long pauseNanos) {
        Grant grant = passOn(acquire("a", InlineDriver.RENEWED), 1, 0);
        driver.queueElsewhere("a", 1);
        long start = driver.nanos;
        Caller next = ask("a", InlineDriver.RENEWED, false);
        do {
            driver.nanos += pauseNanos;
            release(Objects.requireNonNull(grant));
            step(driver.engine::tick);
            grant = next.grant();
            next = ask("a", InlineDriver.RENEWED, false);
        } while (grant != null);
        assertThat(driver.nanos - start).isLessThanOrEqualTo(50 * MILLI + pauseNanos);
    }

    @Test
    void localHandOff_afterAHandOffByTheStore_endsAfterSixtyFourInARow() {
        long token = driver.holdElsewhere("a");
        List<Caller> waitQueue = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waitQueue.add(ask("a", InlineDriver.RENEWED, false));
        }
        driver.releaseElsewhere("a", token);
        passUntilGranted(waitQueue.get(0));
        driver.queueElsewhere("a", 1);
        for (int i = 0; i < 64; i++) {
            release(Objects.requireNonNull(waitQueue.get(i).grant(), "caller " + i));
            step(driver.engine::tick);
        }
        assertThat(waitQueue.get(64).outcome())
                .as("the other client has its turn")
                .isNull();
    }

    @Test
    void localHandOff_otherWish_goesByTheStore() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        Caller other = ask("a", EXPLICIT, false);
        release(grant);
        assertThat(driver.commands).isEqualTo(3);
        assertThat(Objects.requireNonNull(other.grant()).remainingNanos()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"0, true, 8, 10", "16, true, 4, 6", "200, true, 2, 3", "0, false, 200, 400", "200, false, 16, 30"})
    void ticket_deepInTheQueue_asksMoreSeldom(int ahead, boolean pushed, int least, int most) {
        driver.push = pushed;
        driver.holdElsewhere("a");
        driver.queueElsewhere("a", ahead);
        Caller caller = ask("a", InlineDriver.RENEWED, false);
        passByTimers(9 * SECOND);
        assertThat(driver.heartbeats).isBetween((long) least, (long) most);
        assertThat(caller.outcome()).isNull();
        assertThat(driver.commands).as("its place was kept").isEqualTo(driver.heartbeats + 1);
    }

    @Test
    void renewal_tenThousandHolds_costsAtMostOneCallPerHundred() {
        for (int i = 0; i < 10_000; i++) {
            acquire("lock-" + i, InlineDriver.RENEWED);
            driver.nanos += MILLI / 10;
        }
        long before = driver.heartbeats;
        for (int i = 0; i < 300; i++) {
            pass(SECOND / 10);
        }
        long periods = 3;
        assertThat(driver.heartbeats - before).isLessThanOrEqualTo((periods + 1) * 10_000 / 100);
        assertThat(driver.engine.size()).isEqualTo(10_000);
    }

    @Test
    void renewal_holdsThroughTwentyLeases() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        for (int i = 0; i < 600; i++) {
            pass(SECOND);
            assertThat(grant.isHeld()).isTrue();
        }
        assertThat(driver.heartbeats).isBetween(55L, 90L);
    }

    @Test
    void explicitLease_longerThanGrace_isConfirmedButNotExtended() {
        Grant grant = acquire("a", EXPLICIT);
        for (int i = 0; i < 305; i++) {
            assertThat(grant.isHeld()).as("second %d", i).isTrue();
            pass(SECOND);
            if (grant.loss() != null) {
                assertThat(i).isGreaterThan(290);
                return;
            }
        }
        throw new AssertionError("an explicit lease went on");
    }

    @Test
    void maxHold_reached_isLostAndNoLongerRenewed() {
        Grant grant = acquire("a", LIMITED);
        pass(4 * SECOND);
        assertThat(grant.isHeld()).isTrue();
        pass(2 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
        pass(SECOND);
        assertThat(ask("a", InlineDriver.RENEWED, true).grant())
                .as("free at the store, too")
                .isNotNull();
    }

    @Test
    void pause_longerThanLease_isNotHeldAtTheFirstInstruction() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        driver.nanos += 90 * SECOND;
        assertThat(grant.isHeld()).isFalse();
        assertThat(grant.loss()).isNull();
        step(driver.engine::tick);
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void push_fromAnotherServer_isNotBelieved() {
        acquire("a", InlineDriver.RENEWED);
        long now = driver.storeMicros();
        assertThat(driver.engine.around.beliefIn(new Push("b", 9, 9, now + 3_000_000, now, "run", 1), driver.nanos))
                .isNotNull();
        assertThat(driver.engine.around.beliefIn(new Push("b", 9, 9, now + 3_000_000, now, "other", 1), driver.nanos))
                .isNull();
    }

    @Test
    void handOff_thatIsBelievedForAMoment_isConfirmedInThatMoment() {
        long token = driver.holdElsewhere("a");
        Caller caller = ask("a", InlineDriver.RENEWED, false);
        driver.releaseElsewhere("a", token);
        long now = driver.storeMicros();
        step(out -> driver.engine.onPush(new Push("a", 1, token + 1, now + 300_000, now, "run", 1), out));
        Grant grant = Objects.requireNonNull(caller.grant());
        passByTimers(SECOND);
        assertThat(grant.loss()).isNull();
        assertThat(grant.isHeld()).isTrue();
    }

    @Test
    void push_whoseClockRanAhead_isNotBelieved() {
        acquire("a", InlineDriver.RENEWED);
        long ahead = driver.storeMicros() + 100_000;
        assertThat(driver.engine.around.beliefIn(new Push("b", 9, 9, ahead + 3_000_000, ahead, "run", 1), driver.nanos))
                .isNull();
    }

    @Test
    void localHandOff_ofExplicitLeases_renewsForTheNextAtMostOnce() {
        HoldRequest explicit = new HoldRequest(30 * SECOND, true, 0, 0, false);
        Grant grant = acquire("a", explicit);
        List<Caller> behind = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            behind.add(ask("a", explicit, false));
        }
        for (Caller next : behind) {
            driver.nanos += MILLI;
            release(grant);
            step(driver.engine::tick);
            grant = Objects.requireNonNull(next.grant());
            assertThat(grant.remainingNanos()).isGreaterThan(26 * SECOND);
        }
        assertThat(driver.heartbeats).isLessThanOrEqualTo(20);
        assertThat(driver.commands).isLessThanOrEqualTo(23);
    }

    @Test
    void timedOut_whileTheLockIsOnItsWay_isBusyAndNotUnknown() {
        Grant grant = acquire("a", InlineDriver.RENEWED);
        driver.nanos += 60 * MILLI;
        Caller waiting = ask("a", InlineDriver.RENEWED, false);
        Outbox undelivered = new Outbox();
        driver.engine.release(grant, new Releasing(null), undelivered);
        step(out -> driver.engine.giveUp(waiting, BatonEvent.Reason.TIMED_OUT, out));
        assertThat(waiting.outcome()).isInstanceOf(Waiter.Busy.class);
        undelivered.flush(driver);
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void extension_beyondMaxHold_isCappedAtTheStore() {
        Grant grant = acquire("a", LIMITED);
        Command command = extend(grant, 600 * SECOND);
        driver.send(command);
        assertThat(grant.lastsUntil(driver.nanos + 600 * SECOND)).isFalse();
        pass(6 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
        assertThat(ask("a", InlineDriver.RENEWED, true).grant())
                .as("free at the store, too")
                .isNotNull();
    }

    @Test
    void extension_granted_lastsAsLongAsAsked() {
        for (HoldRequest request : List.of(InlineDriver.RENEWED, new HoldRequest(30 * SECOND, true, 0, 0, false))) {
            Grant grant = acquire("a", request);
            driver.send(extend(grant, 50 * SECOND));
            driver.nanos += 10 * MILLI;
            assertThat(grant.lastsUntil(driver.nanos + 50 * SECOND)).isTrue();
            release(grant);
        }
    }

    @Test
    void withoutQueue_theStoreIsAskedAgain_moreSeldomTheLongerItIsWaitedFor() {
        driver.queue = false;
        long token = driver.holdElsewhere("a");
        Caller caller = ask("a", InlineDriver.RENEWED, false);
        long start = driver.nanos;
        assertThat(driver.commands).isEqualTo(1);
        List<Long> pauses = new ArrayList<>();
        while (driver.nanos - start < 3 * SECOND) {
            long before = driver.nanos;
            driver.wake();
            pauses.add(driver.nanos - before);
        }
        assertThat(driver.commands).isEqualTo(1 + pauses.size());
        // Jitter takes off a quarter if the random number is a half.
        assertThat(pauses).isSorted().startsWith(MILLI * 3 / 4).endsWith(50 * MILLI * 3 / 4);
        assertThat(caller.outcome()).isNull();
        driver.releaseElsewhere("a", token);
        driver.wake();
        release(Objects.requireNonNull(caller.grant()));
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void withoutQueue_oneAsksForAllThatWaitHere_andHandsOnToThem() {
        driver.queue = false;
        long token = driver.holdElsewhere("a");
        List<Caller> waitQueue = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waitQueue.add(ask("a", InlineDriver.RENEWED, false));
        }
        assertThat(driver.commands).isEqualTo(1);
        driver.wake();
        assertThat(driver.commands).isEqualTo(2);
        driver.releaseElsewhere("a", token);
        driver.wake();
        for (Caller caller : waitQueue) {
            release(Objects.requireNonNull(caller.grant()));
        }
        assertThat(driver.commands).as("asked three times, released once").isEqualTo(4);
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void withoutQueue_aTurnThatIsOver_leavesOthersTimeToAsk() {
        driver.queue = false;
        long token = driver.holdElsewhere("a");
        Caller first = ask("a", InlineDriver.RENEWED, false);
        Caller second = ask("a", InlineDriver.RENEWED, false);
        driver.releaseElsewhere("a", token);
        driver.wake();
        driver.nanos += 51 * MILLI;
        long before = driver.commands;
        release(Objects.requireNonNull(first.grant()));
        assertThat(driver.commands - before).as("released, and not asked for").isEqualTo(1);
        long start = driver.nanos;
        while (second.grant() == null) {
            driver.wake();
        }
        assertThat(driver.nanos - start).isBetween(25 * MILLI, 50 * MILLI);
    }

    @Test
    void withoutQueue_whoWouldNotWait_isRefusedAtOnce() {
        driver.queue = false;
        driver.holdElsewhere("a");
        assertThat(ask("a", InlineDriver.RENEWED, true).outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(driver.engine.size()).isZero();
        ask("a", InlineDriver.RENEWED, false);
        assertThat(ask("a", InlineDriver.RENEWED, true).outcome())
                .as("another waits already")
                .isInstanceOf(Waiter.Busy.class);
        assertThat(driver.commands).isEqualTo(2);
    }

    @Test
    void withoutQueue_whoeverComesWhileTheStoreIsAsked_hearsItsAnswer() {
        driver.queue = false;
        long token = driver.holdElsewhere("a");
        ask("a", InlineDriver.RENEWED, false);
        driver.releaseElsewhere("a", token);
        driver.nanos += SECOND;
        Outbox unanswered = new Outbox();
        driver.engine.tick(unanswered);
        Caller trying = ask("a", InlineDriver.RENEWED, true);
        assertThat(trying.outcome()).isNull();
        unanswered.flush(driver);
        assertThat(trying.outcome()).isInstanceOf(Waiter.Busy.class);
    }

    @Test
    void withoutQueue_whoGivesUp_hearsThatItIsHeld_andLeavesNothingToUndo() {
        driver.queue = false;
        driver.holdElsewhere("a");
        Caller caller = ask("a", InlineDriver.RENEWED, false);
        driver.wake();
        step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
        assertThat(caller.outcome()).isInstanceOf(Waiter.Busy.class);
        assertThat(driver.commands).isEqualTo(2);
        assertThat(driver.engine.size()).isZero();
    }
}
