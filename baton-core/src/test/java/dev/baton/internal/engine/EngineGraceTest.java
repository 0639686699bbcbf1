package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.BatonEvent;
import dev.baton.BatonEvent.Type;
import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import java.time.Duration;
import java.util.Deque;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A store that may have forgotten: the client tells of it, and what it still holds comes back. */
class EngineGraceTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;
    private static final long GRACE_MICROS = 60_000_000;

    /** Another server takes over, with all that the old one knew. */
    private void failOver() {
        driver.machine.restartAs("after a failover", driver.storeMicros() + GRACE_MICROS);
    }

    private void endGraceEarly() {
        driver.machine.restartAs("after a failover", 0);
    }

    // ---- the telling ---------------------------------------------------------------------------------------------

    @Test
    void gracePeriod_isToldOnceEachWay_withItsLength() {
        Grant held = acquire("held", RENEWED);
        failOver();
        Caller caller = ask("wanted", RENEWED, false);
        ask("also wanted", RENEWED, true);
        live(70 * SECOND);
        assertThat(told(Type.GRACE_BEGAN, Type.GRACE_ENDED))
                .extracting(BatonEvent::type)
                .containsExactly(Type.GRACE_BEGAN, Type.GRACE_ENDED);
        assertThat(told(Type.GRACE_BEGAN).get(0).detail()).contains("for another 60 s");
        assertThat(told(Type.GRACE_ENDED).get(0).elapsed())
                .isBetween(Duration.ofSeconds(60), Duration.ofMillis(61_000));
        assertThat(held.isHeld()).isTrue();
        assertThat(caller.grant()).isNotNull();
    }

    @Test
    void gracePeriod_ofAClientThatAsksNothing_isToldWhenItsTimeIsOver() {
        failOver();
        ask("wanted", RENEWED, true);
        long before = driver.commands;
        live(59 * SECOND);
        assertThat(told(Type.GRACE_BEGAN, Type.GRACE_ENDED)).hasSize(1);
        live(2 * SECOND);
        assertThat(told(Type.GRACE_ENDED)).hasSize(1);
        assertThat(driver.commands).isEqualTo(before);
    }

    /** A store may keep one for each server or bucket: what is told of one name says nothing about another. */
    @Test
    void gracePeriod_ofOneBucket_isNotEndedByAnAnswerAboutAnother() {
        failOver();
        ask("wanted", RENEWED, true);
        endGraceEarly();
        acquire("other", RENEWED);
        assertThat(told(Type.GRACE_ENDED)).isEmpty();
        acquire("wanted", RENEWED);
        assertThat(told(Type.GRACE_ENDED)).hasSize(1);
        assertThat(told(Type.GRACE_BEGAN)).hasSize(1);
    }

    @Test
    void gracePeriods_ofSeveralBuckets_areToldAsOne() {
        failOver();
        ask("wanted", RENEWED, true);
        live(30 * SECOND);
        failOver();
        ask("other", RENEWED, true);
        live(59 * SECOND);
        assertThat(told(Type.GRACE_BEGAN, Type.GRACE_ENDED)).hasSize(1);
        live(2 * SECOND);
        assertThat(told(Type.GRACE_ENDED))
                .singleElement()
                .satisfies(event -> assertThat(event.elapsed()).isGreaterThan(Duration.ofSeconds(89)));
    }

    /** Two heartbeats of one name pass each other: the one that was sent first brings the old server's answer. */
    @Test
    void gracePeriod_isNotEndedByAnAnswerToAnEarlierQuestion() {
        Grant held = acquire("held", RENEWED);
        Deque<Command> open = holdAnswersBack();
        step(out -> driver.engine.confirmSoon(held, out));
        step(driver.engine::tick);
        Command early = open.remove();
        driver.held = null;
        driver.engine.sending(early);
        driver.nanos += MILLI;
        driver.performSent(early, () -> {
            failOver();
            driver.perform(driver.engine.confirmation(held, new Outbox()), () -> {});
        });
        assertThat(told(Type.GRACE_BEGAN)).hasSize(1);
        assertThat(told(Type.GRACE_ENDED)).isEmpty();
    }

    // ---- callers that give up ------------------------------------------------------------------------------------

    private Waiter.Outcome giveUp(Caller caller) {
        step(out -> driver.engine.giveUp(caller, BatonEvent.Reason.TIMED_OUT, out));
        return Objects.requireNonNull(caller.outcome());
    }

    private static void assertUnknown(Waiter.Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Waiter.Failed.class,
                        failed ->
                                assertThat(failed.reason()).hasMessageContaining("the store may have forgotten holds"));
    }

    /** The store knows of no holder, but may have forgotten one: “held by another” would be a guess. */
    @Test
    void callers_whoseTimeEndsInAGracePeriod_hearThatItIsUnknown() {
        failOver();
        Caller first = ask("wanted", RENEWED, false);
        Caller second = ask("wanted", RENEWED, false);
        live(20 * SECOND);
        Caller third = ask("wanted", RENEWED, false);
        assertUnknown(giveUp(first));
        assertUnknown(giveUp(second));
        assertUnknown(giveUp(third));
    }

    /** The store has the hold on record, so this name is not free. */
    @Test
    void caller_whoseTimeEndsInAGracePeriod_hearsOfARecordedHolder() {
        driver.holdElsewhere("wanted");
        failOver();
        Caller caller = ask("wanted", RENEWED, false);
        live(20 * SECOND);
        assertThat(giveUp(caller)).isInstanceOf(Waiter.Busy.class);
    }

    /** A recorded holder of one permit leaves room, unless the store has forgotten more holders. */
    @Test
    void caller_whoWantsAPart_hearsThatItIsUnknown_besideARecordedHolder() {
        Resource permits = new Resource("permits", Kind.SEMAPHORE, 3);
        ask(permits, new Caller(RENEWED, false, true));
        failOver();
        Caller caller = ask(permits, new Caller(RENEWED, false, true));
        live(20 * SECOND);
        assertUnknown(giveUp(caller));
    }

    @Test
    void caller_whoseTimeEndsAfterAGracePeriod_hearsThatTheLockIsHeld() {
        failOver();
        Caller first = ask("wanted", RENEWED, false);
        Caller second = ask("wanted", RENEWED, false);
        live(70 * SECOND);
        assertThat(first.grant()).isNotNull();
        assertThat(giveUp(second)).isInstanceOf(Waiter.Busy.class);
    }

    // ---- what is held --------------------------------------------------------------------------------------------

    /** Has the store asked about a hold, and returns that heartbeat before it is sent. */
    private Command heartbeat(Grant grant) {
        Deque<Command> open = holdAnswersBack();
        step(out -> driver.engine.confirmSoon(grant, out));
        step(driver.engine::tick);
        driver.held = null;
        return open.remove();
    }

    private boolean isHeldAtTheStore(String name) {
        return driver.machine.inspect(name, driver.storeMicros()).stream()
                .anyMatch(view -> !view.holds().isEmpty());
    }

    /** A failover, to a server that knows nothing of a name's hold. */
    private void failOverWithout(Grant grant) {
        driver.machine.forceRelease(grant.name(), grant.token() / 256, true, driver.storeMicros(), (c, p) -> {});
        failOver();
    }

    /** Two names of one bucket: the release of one makes older heartbeats for the other outdated. */
    private static String inTheBucketOf(String name) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "beside " + i)
                .filter(other -> Protocol.bucketOf(other) == Protocol.bucketOf(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void hold_thatIsToBeAskedAgain_isPutBackAtOnce() {
        Grant kept = acquire("kept", RENEWED);
        Grant other = acquire(inTheBucketOf("kept"), RENEWED);
        failOverWithout(kept);
        Command overtaken = heartbeat(kept);
        release(other);
        driver.perform(overtaken, () -> {});
        assertThat(isHeldAtTheStore("kept")).isFalse();
        long before = driver.nanos;
        driver.wake();
        assertThat(isHeldAtTheStore("kept")).isTrue();
        assertThat(driver.nanos).isEqualTo(before);
        live(90 * SECOND);
        assertThat(kept.isHeld()).isTrue();
        assertThat(told(Type.LOST)).isEmpty();
    }

    @Test
    void hold_thatIsToBeAskedAgainForEver_isAskedWithPauses() {
        Grant kept = acquire("kept", RENEWED);
        driver.puttingOff = true;
        step(out -> driver.engine.confirmSoon(kept, out));
        long before = driver.heartbeats;
        passByTimers(10 * SECOND);
        assertThat(driver.heartbeats - before).isBetween(10L, 20L);
        driver.puttingOff = false;
        passByTimers(30 * SECOND);
        assertThat(kept.isHeld()).isTrue();
    }

    /** The explicit lease of the next caller needs its whole time: the hold is extended before it passes on. */
    @Test
    void handOff_whoseRenewalIsPutOff_isRenewedByTheNextHeartbeat() {
        HoldRequest explicit = new HoldRequest(100 * MILLI, true, 0, 0, false);
        Grant first = acquire("a", explicit);
        Caller next = ask("a", explicit, false);
        pass(30 * MILLI);
        driver.puttingOff = true;
        release(first);
        driver.wake();
        assertThat(next.outcome()).isNull();
        driver.puttingOff = false;
        driver.wake();
        Grant second = Objects.requireNonNull(next.grant());
        assertThat(second.lastsUntil(driver.nanos + 90 * MILLI)).isTrue();
        assertThat(second.token()).as("the same hold").isEqualTo(first.token() + 1);
    }

    @Test
    void hold_thatALateHeartbeatPutBackAfterItsRelease_isReleasedAgain() {
        Grant grant = acquire("a", RENEWED);
        Command late = heartbeat(grant);
        release(grant);
        failOver();
        driver.machine.forgetMarks();
        driver.perform(late, () -> assertThat(isHeldAtTheStore("a")).isTrue());
        assertThat(isHeldAtTheStore("a")).isFalse();
        assertThat(driver.engine.size()).isZero();
    }

    @Test
    void hold_thatALateHeartbeatRenewedAfterItsLoss_isReleased_withItsLockDelay() {
        Grant grant = acquire("a", new HoldRequest(SECOND, false, 0, 5 * SECOND, false));
        Command late = heartbeat(grant);
        driver.perform(late, () -> {
            driver.refusing = true;
            passByTimers(3 * SECOND);
            driver.refusing = false;
        });
        assertThat(grant.loss()).isNotNull();
        assertThat(isHeldAtTheStore("a")).isFalse();
    }

    @Test
    void hold_whoseReleaseIsOnItsWay_isNotReleasedTwice() {
        Grant grant = acquire("a", RENEWED);
        Command late = heartbeat(grant);
        Deque<Command> open = holdAnswersBack();
        release(grant);
        driver.perform(late, () -> {});
        assertThat(open).hasSize(1);
    }

    @Test
    void hold_thatAHeartbeatRenewedTwice_isReleasedOnce() {
        Grant grant = acquire("a", RENEWED);
        Command late = heartbeat(grant);
        Command later = driver.engine.confirmation(grant, new Outbox());
        release(grant);
        failOver();
        driver.machine.forgetMarks();
        Deque<Command> open = holdAnswersBack();
        driver.perform(late, () -> {});
        driver.perform(later, () -> {});
        assertThat(open).hasSize(1);
    }
}
