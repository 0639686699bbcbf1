package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.LossCause;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A machine that sleeps, and a wall clock that is set: the monotonic clock shows neither. */
class EngineClocksTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;
    private static final long HOUR_MILLIS = 3_600_000;

    private static Command only(Deque<Command> commands) {
        assertThat(commands).hasSize(1);
        return commands.remove();
    }

    @Test
    void grant_whoseAnswerSleptOnTheWay_isConfirmedBeforeItIsGiven() {
        Deque<Command> held = new ArrayDeque<>();
        driver.held = held;
        Caller caller = ask("a", RENEWED, false);
        driver.held = null;
        driver.perform(only(held), () -> driver.sleptMillis += HOUR_MILLIS);
        passByTimers(SECOND);
        Grant grant = Objects.requireNonNull(caller.grant(), "it was asked for again");
        assertThat(caller.heldWhenTold).isTrue();
        assertThat(grant.isHeld()).isTrue();
    }

    @Test
    void grant_overtakenByAnotherWhileTheMachineSlept_isNotGiven() {
        Deque<Command> held = new ArrayDeque<>();
        driver.held = held;
        Caller caller = ask("a", RENEWED, false);
        driver.held = null;
        driver.perform(only(held), () -> {
            driver.sleptMillis += HOUR_MILLIS;
            driver.holdElsewhere("a");
        });
        passByTimers(SECOND);
        assertThat(caller.grant()).isNull();
        assertThat(caller.outcome()).isNull();
    }

    @Test
    void localHandOff_afterASleep_doesNotPassOnWhatAnotherHas() {
        Grant first = acquire("a", RENEWED);
        Caller next = ask("a", RENEWED, false);
        driver.sleptMillis += HOUR_MILLIS;
        driver.holdElsewhere("a");
        release(first);
        passByTimers(SECOND);
        assertThat(next.grant()).isNull();
    }

    /** Another client may have held it meanwhile, and a store in a grace period may have forgotten that. */
    @Test
    void holdThatRanOutWhileTheMachineSlept_isNotPutBackInAGracePeriod() {
        Grant grant = acquire("a", RENEWED);
        driver.sleptMillis += HOUR_MILLIS;
        driver.machine.restartAs("after a failover", driver.storeMicros() + 60_000_000);
        step(driver.engine::look);
        passByTimers(SECOND);
        assertThat(grant.isHeld()).isFalse();
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void localHandOff_afterTheClockWasSet_waitsForTheStoreOnly() {
        Grant first = acquire("a", RENEWED);
        Caller next = ask("a", RENEWED, false);
        driver.wallStepMillis += HOUR_MILLIS;
        release(first);
        passByTimers(MILLI);
        assertThat(next.heldWhenTold).isTrue();
    }

    @Test
    void push_afterASleep_isConfirmedByTheStore() {
        long token = driver.holdElsewhere("a");
        Caller caller = ask("a", RENEWED, false);
        driver.releaseElsewhere("a", token);
        long now = driver.storeMicros();
        driver.sleptMillis += HOUR_MILLIS;
        step(out -> driver.engine.onPush(new Push("a", 1, token + 1, now + 3_000_000, now, "run", 1), out));
        assertThat(caller.heldWhenTold).isEqualTo(caller.grant() != null);
        passByTimers(2 * SECOND);
        assertThat(caller.heldWhenTold).isTrue();
    }

    @Test
    void remaining_afterASleep_isWhatIsReallyLeft() {
        Grant grant = acquire("a", RENEWED);
        driver.sleptMillis += 25_000;
        assertThat(grant.remainingNanos()).isBetween(4 * SECOND, 5 * SECOND);
    }

    @Test
    void loss_duringASleep_isToldWhenTheClocksAreLookedAt() {
        Grant grant = acquire("a", RENEWED);
        passByTimers(SECOND);
        driver.sleptMillis += HOUR_MILLIS;
        step(out -> driver.engine.tick(out));
        passByTimers(10 * MILLI);
        assertThat(grant.loss()).isNotNull();
    }

    @Test
    void clockThatIsSetForward_losesNothingWhereTheStoreAnswers() {
        Grant grant = acquire("a", RENEWED);
        driver.wallStepMillis += HOUR_MILLIS;
        assertThat(grant.isHeld()).isFalse();
        step(out -> driver.engine.confirmSoon(grant, out));
        passByTimers(MILLI);
        assertThat(grant.isHeld()).isTrue();
        assertThat(grant.loss()).isNull();
    }

    @Test
    void clockThatIsSetForward_andASilentStore_isALoss() {
        Grant grant = acquire("a", RENEWED);
        driver.wallStepMillis += HOUR_MILLIS;
        driver.silent = true;
        passByTimers(11 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.STORE_UNREACHABLE);
    }

    @Test
    void forceThatLeavesNoTrace_isToldAsRevoked() {
        Grant grant = acquire("a", RENEWED);
        long storeToken = grant.token() / 256;
        driver.machine.forceRelease(Resource.lock("a").name(), storeToken, true, driver.storeMicros(), (c, p) -> {});
        passByTimers(11 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.REVOKED);
    }

    @Test
    void storeThatForgotAfterARestart_isNotToldAsForce() {
        Grant grant = acquire("a", RENEWED);
        long storeToken = grant.token() / 256;
        driver.machine.forceRelease("a", storeToken, true, driver.storeMicros(), (c, p) -> {});
        driver.machine.restartAs("another run", 0);
        passByTimers(11 * SECOND);
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void extension_answeredAfterTheLoss_isFreedAtTheStore() {
        Grant grant = acquire("a", new HoldRequest(2 * SECOND, true, 0, 0, false));
        driver.nanos += 1_900 * MILLI;
        Command extension = extend(grant, 600 * SECOND);
        driver.perform(extension, () -> {
            driver.nanos += 200 * MILLI;
            step(driver.engine::tick);
        });
        assertThat(grant.loss()).isEqualTo(LossCause.EXPIRED);
        assertThat(driver.machine.inspect("a", driver.storeMicros())).isEmpty();
    }
}
