package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that may still forget a hand-off: no caller has the lock before a heartbeat has confirmed it. */
class EngineHandOffTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;

    private final Deque<Command> open = new ArrayDeque<>();
    private long token;

    @BeforeEach
    void confirm() {
        driver.confirming = true;
        token = driver.holdElsewhere("a");
    }

    private void push() {
        long now = driver.storeMicros();
        step(out -> driver.engine.onPush(new Push("a", 1, token + 1, now + 3_000_000, now, "run", 1), out));
    }

    /** Waits behind the other client, which releases: the push or the ticket's heartbeat tells, and nothing is sent. */
    private Caller handedOff(HoldRequest request, boolean pushed) {
        Caller caller = ask("a", request, false);
        driver.releaseElsewhere("a", token);
        if (pushed) {
            driver.held = open;
            push();
        } else {
            driver.held = open;
            driver.wake();
            driver.perform(open.remove(), () -> {});
        }
        return caller;
    }

    private Command.Beat nextBeat() {
        driver.wake();
        return (Command.Beat) open.remove();
    }

    private static Heartbeat.Hold holdOf(Command.Beat beat) {
        return beat.heartbeat.holds().get(0);
    }

    private void refuse(Command command) {
        driver.refusing = true;
        driver.perform(command, () -> {});
        driver.refusing = false;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handOff_isGivenWhenAHeartbeatThatWritesWasAnswered(boolean pushed) {
        Caller caller = handedOff(RENEWED, pushed);
        assertThat(caller.outcome()).isNull();
        long heard = driver.nanos;
        Command.Beat first = nextBeat();
        assertThat(driver.nanos).as("asked at once").isEqualTo(heard);
        assertThat(holdOf(first).extend()).isTrue();
        driver.perform(first, () -> assertThat(caller.outcome()).isNull());
        assertThat(caller.heldWhenTold).isTrue();
        assertThat(Objects.requireNonNull(caller.grant()).lastsUntil(driver.nanos + 25 * SECOND))
                .isTrue();
    }

    /** The first heartbeat has claimed the hold at the primary alone: only one more write proves that a replica has it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void heartbeatAfterOneWithoutAnAnswer_writesAgain(boolean explicit) {
        Caller caller = handedOff(new HoldRequest(30 * SECOND, explicit, 0, 0, false), true);
        refuse(nextBeat());
        assertThat(caller.outcome()).isNull();
        Command.Beat second = nextBeat();
        assertThat(holdOf(second).extend()).isTrue();
        driver.perform(second, () -> {});
        assertThat(caller.heldWhenTold).isTrue();
    }

    @Test
    void heartbeatThatOnlyAsks_confirmsNothing() {
        Caller caller = handedOff(RENEWED, true);
        driver.wallStepMillis += 3_600_000;
        Command.Beat asking = nextBeat();
        assertThat(holdOf(asking).extend()).isFalse();
        driver.perform(asking, () -> {});
        assertThat(caller.outcome()).isNull();
        Command.Beat writing = nextBeat();
        assertThat(holdOf(writing).extend()).isTrue();
        driver.perform(writing, () -> {});
        assertThat(caller.heldWhenTold).isTrue();
    }

    @Test
    void handOff_thatIsNotConfirmedInTime_isReleased_andTheCallerAsksAgain() {
        Caller caller = handedOff(RENEWED, true);
        long end = driver.nanos + 4 * SECOND;
        while (driver.nanos < end && !(open.peek() instanceof Command.Free)) {
            if (open.isEmpty()) {
                driver.wake();
            } else {
                refuse(open.remove());
            }
        }
        assertThat(open.peek()).isInstanceOf(Command.Free.class);
        assertThat(caller.outcome()).isNull();
        driver.held = null;
        driver.perform(open.remove(), () -> {});
        passByTimers(2 * SECOND);
        assertThat(Objects.requireNonNull(caller.grant()).token()).isGreaterThan((token + 1) * 256);
    }

    @Test
    void handOff_thatWasForgotten_isNotGiven() {
        Caller caller = handedOff(RENEWED, true);
        driver.machine.forceRelease("a", token + 1, true, driver.storeMicros(), (c, p) -> {});
        driver.queueElsewhere("a", 1);
        driver.perform(nextBeat(), () -> {});
        assertThat(caller.outcome()).isNull();
    }

    @Test
    void handOff_whoseCallerGaveUp_isReleased() {
        Caller caller = handedOff(RENEWED, true);
        step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
        assertThat(open.peek()).isInstanceOf(Command.Free.class);
    }

    @Test
    void grantInAnAcquiresOwnAnswer_needsNoConfirmation() {
        Caller caller = ask("b", RENEWED, false);
        assertThat(caller.heldWhenTold).isTrue();
    }
}
