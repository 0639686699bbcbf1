package dev.baton.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.StoreException;
import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Final;
import dev.baton.chaos.history.History;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Hold.End;
import dev.baton.chaos.history.Hold.Fence;
import dev.baton.chaos.history.Hold.Work;
import dev.baton.chaos.history.Loss;
import dev.baton.chaos.history.Trouble;
import dev.baton.tck.history.Portion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Each checker finds what it is for, and nothing else. Times are in milliseconds. */
class ChaosCheckersTest {
    private static final Work DONE = new Work(Fence.ACCEPTED, 0, 1, true);

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static Hold hold(long token, long asked, long first, long last, Work work) {
        return new Hold(
                1,
                token,
                "x",
                token,
                "TIMED",
                nanos(asked),
                nanos(first),
                nanos(last),
                nanos(last),
                nanos(last),
                End.RELEASED,
                work);
    }

    private static Hold shared(Portion portion, long token, long asked, long first, long last, long read, long later) {
        return new Hold(
                1,
                first,
                "x",
                token,
                "TIMED",
                nanos(asked),
                nanos(first),
                nanos(last),
                nanos(last),
                nanos(last),
                portion.side() == Portion.Side.DOWNGRADED ? End.DOWNGRADED : End.RELEASED,
                new Work(Fence.ACCEPTED, read, later, true),
                portion);
    }

    private static Hold reader(long token, long first, long last, long sees) {
        return shared(Portion.reader(), token, 0, first, last, sees, sees);
    }

    private static Hold writer(boolean downgraded, long token, long first, long last, long reads) {
        return shared(Portion.writer(downgraded), token, 0, first, last, reads, reads + 1);
    }

    private static Hold permits(int permits, long token, long first, long last) {
        return shared(Portion.permits(permits, 5), token, 0, first, last, 0, permits == 5 ? 1 : 0);
    }

    private static Hold dead(int client, long token, long asked, long first) {
        return new Hold(
                client,
                token,
                "x",
                token,
                "TIMED",
                nanos(asked),
                nanos(first),
                nanos(asked),
                Hold.NEVER,
                Hold.NEVER,
                End.DIED,
                Work.NONE);
    }

    private static Happened fault(Fault.Damage damage, long began, long ended) {
        return Damaging.between(damage, nanos(began), nanos(ended));
    }

    private static Evidence evidence(History history, Happened... faults) {
        return new Evidence(
                history, List.of(faults), Map.of(2, nanos(50)), Duration.ofSeconds(1), List.of(), List.of());
    }

    private static History history(Hold... holds) {
        return new History(List.of(holds), List.of(), List.of(), List.of(), 0);
    }

    private static Evidence of(Hold... holds) {
        return evidence(history(holds));
    }

    private static List<String> promises(Evidence evidence) {
        return Checkers.run(Checkers.all(), evidence).stream()
                .filter(finding -> !finding.excused())
                .map(Finding::promise)
                .toList();
    }

    @Test
    void holds_oneAfterTheOther_areFine() {
        assertThat(promises(of(
                        hold(1, 0, 1, 5, DONE),
                        hold(2, 0, 6, 9, new Work(Fence.ACCEPTED, 1, 2, true)),
                        dead(2, 3, 9, 10),
                        hold(4, 20, 60, 61, new Work(Fence.ACCEPTED, 7, 8, true)))))
                .isEmpty();
    }

    @Test
    void readersTogether_betweenWriters_areFine() {
        assertThat(promises(of(
                        writer(false, 1, 1, 5, 0),
                        reader(2, 6, 20, 1),
                        reader(2, 10, 30, 1),
                        writer(true, 259, 31, 35, 1),
                        shared(Portion.formerWriter(), 259, 0, 35, 50, 2, 2),
                        reader(511, 40, 60, 2),
                        writer(false, 512, 61, 62, 2))))
                .isEmpty();
    }

    @Test
    void readerBesideAWriter_isFound() {
        assertThat(promises(of(writer(false, 1, 1, 9, 0), reader(2, 5, 20, 1)))).containsExactly("order", "belief");
        assertThat(promises(of(reader(1, 1, 9, 0), writer(false, 2, 5, 20, 0)))).containsExactly("order", "belief");
    }

    @Test
    void readerThatSeesAWriterAtWork_isFound() {
        assertThat(promises(of(writer(false, 1, 1, 5, 0), shared(Portion.reader(), 2, 0, 6, 20, 1, 2))))
                .containsExactly("counter");
        assertThat(promises(of(writer(false, 1, 1, 5, 0), reader(2, 6, 20, 0)))).containsExactly("counter");
    }

    /** One that was stopped between its check and its write writes whenever it goes on. */
    @Test
    void readerThatSeesTheWriteOfAStoppedWriter_isExcused() {
        Hold stopped = new Hold(
                1,
                99,
                "x",
                1,
                "TIMED",
                nanos(0),
                nanos(1),
                nanos(2),
                Hold.NEVER,
                nanos(15),
                End.LOST,
                new Work(Fence.ACCEPTED, 0, 1, false),
                Portion.writer(false));
        assertThat(promises(of(stopped, shared(Portion.reader(), 2, 0, 6, 20, 0, 1))))
                .isEmpty();
        assertThat(promises(of(stopped, shared(Portion.reader(), 2, 0, 16, 20, 0, 1))))
                .containsExactly("counter");
    }

    @Test
    void readersWithTheTokenOfAWriter_orTogetherWithTwoTokens_areFound() {
        assertThat(promises(of(writer(false, 1, 1, 5, 0), reader(1, 6, 20, 1)))).containsExactly("order");
        assertThat(promises(of(reader(1, 1, 10, 0), reader(2, 5, 20, 0)))).containsExactly("order");
        assertThat(promises(of(reader(2, 1, 5, 0), writer(false, 1, 6, 9, 0)))).containsExactly("order");
    }

    @Test
    void permits_upToTheCapacity_areFine_andOneMoreIsFound() {
        assertThat(promises(of(permits(2, 9, 1, 20), permits(2, 3, 2, 10), permits(1, 5, 3, 4), permits(3, 7, 10, 12))))
                .isEmpty();
        assertThat(promises(of(permits(2, 1, 1, 20), permits(2, 2, 2, 10), permits(2, 3, 3, 4))))
                .containsExactly("belief");
        assertThat(promises(of(permits(5, 1, 1, 20), permits(1, 2, 2, 10)))).containsExactly("belief", "counter");
        assertThat(promises(of(permits(1, 1, 1, 20), permits(1, 1, 2, 10)))).containsExactly("order");
    }

    /** Without the hold that was forgotten there are enough permits; with those alone that were asked for later, too many. */
    @Test
    void tooManyPermits_areExcused_ifAForgottenHoldIsAmongThem() {
        Happened forgot = fault(Fault.Damage.FORGETS, 3, 4);
        Hold forgotten = permits(2, 1, 1, 50);
        Hold fits = shared(Portion.permits(2, 5), 2, 6, 7, 50, 0, 0);
        Hold full = shared(Portion.permits(2, 5), 3, 8, 9, 50, 0, 0);
        Hold more = shared(Portion.permits(2, 5), 4, 10, 11, 50, 0, 0);
        assertThat(promises(evidence(history(forgotten, fits, full), forgot))).isEmpty();
        assertThat(promises(evidence(history(forgotten, fits, full, more), forgot)))
                .containsExactly("belief");
    }

    /** The store has forgotten the hold that the second reader shares, although that reader asked later. */
    @Test
    void readerThatSharesAForgottenHold_isExcused() {
        Happened forgot = fault(Fault.Damage.FORGETS, 3, 4);
        Hold first = shared(Portion.reader(), 256, 0, 1, 2, 0, 0);
        Hold second = shared(Portion.reader(), 256, 10, 11, 50, 0, 0);
        Hold granted = shared(Portion.writer(false), 512, 8, 9, 20, 0, 1);
        assertThat(promises(evidence(history(first, second, granted), forgot))).isEmpty();
        assertThat(promises(evidence(history(second, granted), forgot))).contains("belief", "counter");
    }

    @Test
    void holdersThatBelieveAtOnce_areFound() {
        assertThat(promises(of(hold(1, 0, 1, 5, DONE), hold(2, 0, 4, 9, new Work(Fence.ACCEPTED, 1, 2, true)))))
                .contains("belief");
    }

    /** The store granted it before it forgot, but the other holder was the first of the two to look. */
    @Test
    void forgottenHold_thatIsTheSecondToBelieve_isExcused() {
        Hold forgotten = hold(1, 0, 12, 15, DONE);
        Hold granted = hold(2, 6, 11, 20, DONE);
        History history = new History(List.of(granted, forgotten), List.of(), List.of(), List.of(), 0);
        assertThat(promises(evidence(history, fault(Fault.Damage.FORGETS, 3, 4))))
                .isEmpty();
        assertThat(promises(evidence(history, fault(Fault.Damage.NONE, 3, 4)))).contains("belief", "counter");
        Hold later = hold(1, 5, 12, 15, DONE);
        History after = new History(List.of(granted, later), List.of(), List.of(), List.of(), 0);
        assertThat(promises(evidence(after, fault(Fault.Damage.FORGETS, 3, 4)))).contains("belief", "counter");
    }

    @Test
    void holdThatIsOnlyAsked_isNoBelief() {
        Hold stopped = new Hold(
                1, 1, "x", 1, "TIMED", nanos(0), nanos(8), nanos(0), Hold.NEVER, nanos(9), End.LOST, Work.NONE);
        assertThat(promises(of(stopped, hold(2, 0, 6, 9, DONE)))).isEmpty();
    }

    @Test
    void tokens_thatDoNotGrow_areFound() {
        assertThat(promises(of(hold(2, 0, 1, 5, DONE), hold(1, 6, 7, 9, new Work(Fence.ACCEPTED, 1, 2, true)))))
                .contains("order");
    }

    @Test
    void token_thatIsGrantedTwice_isFound() {
        assertThat(promises(of(hold(1, 0, 1, 5, DONE), hold(1, 6, 7, 9, new Work(Fence.ACCEPTED, 1, 2, true)))))
                .contains("order");
    }

    @Test
    void lostUpdate_isFound() {
        assertThat(promises(of(hold(1, 0, 1, 5, DONE), hold(2, 0, 6, 9, DONE)))).containsExactly("counter");
    }

    @Test
    void updateOfADeadHolder_mayHaveHappenedUntilItsDeath() {
        Hold before = hold(1, 0, 1, 5, DONE);
        Hold surelyAfter = hold(4, 0, 60, 62, new Work(Fence.ACCEPTED, 7, 8, true));
        Hold next = hold(5, 0, 63, 64, new Work(Fence.ACCEPTED, 7, 8, true));
        assertThat(promises(of(before, dead(2, 2, 5, 6), surelyAfter))).isEmpty();
        assertThat(promises(of(before, dead(2, 2, 5, 6), surelyAfter, next)))
                .as("nothing else happened in between")
                .containsExactly("counter");
    }

    @Test
    void believerWhomTheRegisterRefuses_isFound() {
        assertThat(promises(of(hold(1, 0, 1, 5, new Work(Fence.REFUSED_WHILE_HELD, 0, 1, true)))))
                .containsExactly("fence");
        assertThat(promises(of(hold(1, 0, 1, 5, new Work(Fence.REFUSED, -1, -1, false)))))
                .isEmpty();
    }

    @Test
    void overlap_afterTheStoreForgot_isExcused_andOneBeforeIsNot() {
        Hold first = hold(1, 0, 1, 50, DONE);
        Hold second = hold(2, 20, 30, 60, new Work(Fence.ACCEPTED, 0, 1, true));
        History history = new History(List.of(first, second), List.of(), List.of(), List.of(), 0);
        assertThat(promises(evidence(history, fault(Fault.Damage.FORGETS, 10, 15))))
                .isEmpty();
        assertThat(promises(evidence(history, fault(Fault.Damage.FORGETS, 70, 75))))
                .contains("belief");
        assertThat(promises(evidence(history, fault(Fault.Damage.NONE, 10, 15))))
                .contains("belief");
    }

    @Test
    void overlap_isExcusedByTheDamage_andNotByItsPreparation() {
        Hold first = hold(1, 0, 1, 50, DONE);
        Hold second = hold(2, 20, 30, 60, new Work(Fence.ACCEPTED, 0, 1, true));
        History history = new History(List.of(first, second), List.of(), List.of(), List.of(), 0);
        Fault fault = new Damaging(Fault.Damage.ENDS_SESSIONS);
        assertThat(promises(evidence(history, new Happened(fault, "nowhere", 0, nanos(70), 1, nanos(40)))))
                .isEmpty();
        assertThat(promises(evidence(history, new Happened(fault, "nowhere", 0, nanos(70), 1, nanos(65)))))
                .contains("belief");
    }

    @Test
    void damage_excusesNoTokenThatFalls_andNoOtherPromise() {
        Happened fault = fault(Fault.Damage.FORGETS, 0, 10);
        History falling = new History(
                List.of(hold(2, 0, 1, 5, DONE), hold(1, 6, 7, 9, new Work(Fence.ACCEPTED, 1, 2, true))),
                List.of(new Loss(1, 2, nanos(4), "EXPIRED")),
                List.of(),
                List.of(),
                0);
        assertThat(promises(evidence(falling, fault))).containsExactlyInAnyOrder("order", "loss");
    }

    @Test
    void storeThatEndsLeasesEarly_excusesBelief_andNeitherOrderNorTheRest() {
        Happened early = fault(Fault.Damage.ENDS_LEASES, 10, 15);
        Hold first = hold(2, 0, 1, 50, new Work(Fence.REFUSED_WHILE_HELD, 0, 1, true));
        Hold second = hold(3, 20, 30, 60, DONE);
        History overlap = new History(List.of(first, second), List.of(), List.of(), List.of(), 0);
        assertThat(promises(evidence(overlap))).contains("belief", "counter", "fence", "order");
        assertThat(promises(evidence(overlap, early))).isEmpty();

        Hold older = hold(1, 20, 30, 60, new Work(Fence.ACCEPTED, 0, 1, true));
        History shrinking = new History(List.of(first, older), List.of(), List.of(), List.of(), 0);
        assertThat(promises(evidence(shrinking, early))).containsExactly("order");

        // The client that had it passes it on to a caller of its own, who asks after another client has got it.
        History passedOn = new History(
                List.of(
                        hold(256, 0, 1, 9, DONE),
                        hold(512, 5, 11, 20, new Work(Fence.ACCEPTED, 1, 2, true)),
                        hold(257, 12, 13, 14, new Work(Fence.REFUSED_WHILE_HELD, 1, 2, true))),
                List.of(),
                List.of(),
                List.of(),
                0);
        assertThat(promises(evidence(passedOn))).contains("order");
        assertThat(promises(evidence(passedOn, early))).isEmpty();

        Hold next = hold(512, 5, 11, 20, DONE);
        Work late = new Work(Fence.REFUSED_WHILE_HELD, 1, 2, true);
        assertThat(promises(evidence(history(next, hold(257, 12, 13, 14, late)), early)))
                .as("a request that failed had the hold first, and told nothing")
                .isEmpty();
        assertThat(promises(evidence(history(next, hold(256, 12, 13, 14, late)), early)))
                .as("the first request for the hold came after the newer grant")
                .containsExactly("order");
        History toldFalsely =
                new History(List.of(first), List.of(new Loss(1, 2, nanos(12), "EXPIRED")), List.of(), List.of(), 0);
        assertThat(promises(evidence(toldFalsely, early))).containsExactly("loss");
    }

    /** The store forgets, and the client that had the lock passes it on to callers who ask after that. */
    @Test
    void holdThatIsPassedOn_afterTheStoreHasForgottenIt_isExcused_forAsLongAsItWasHeld() {
        Happened flushed = fault(Fault.Damage.FORGETS, 10, 11);
        Hold first = hold(256, 0, 1, 12, DONE);
        Hold other = hold(512, 12, 13, 14, new Work(Fence.ACCEPTED, 1, 2, true));
        Hold passedOn = hold(258, 12, 15, 20, new Work(Fence.REFUSED_WHILE_HELD, 2, 2, false));
        assertThat(promises(evidence(history(first, other, passedOn), flushed))).doesNotContain("fence");
        assertThat(promises(evidence(history(first, other, passedOn)))).contains("fence");
        assertThat(promises(evidence(history(other, passedOn), flushed)))
                .as("the first caller told nothing")
                .doesNotContain("fence");
        Hold ofANewHold = hold(256, 12, 15, 20, new Work(Fence.REFUSED_WHILE_HELD, 2, 2, false));
        assertThat(promises(evidence(history(other, ofANewHold), flushed)))
                .as("was asked for when the store had forgotten")
                .contains("fence");
    }

    @Test
    void loss_thatIsToldTwice_orOfAHoldThatWasKept_isFound() {
        Hold kept = hold(1, 0, 1, 5, DONE);
        Hold lost = new Hold(
                1, 2, "x", 2, "TIMED", nanos(6), nanos(7), nanos(8), Hold.NEVER, nanos(9), End.LOST, Work.NONE);
        assertThat(promises(evidence(new History(
                        List.of(kept, lost), List.of(new Loss(1, 2, 9, "EXPIRED")), List.of(), List.of(), 0))))
                .isEmpty();
        assertThat(promises(evidence(new History(
                        List.of(kept, lost),
                        List.of(
                                new Loss(1, 1, 4, "EXPIRED"),
                                new Loss(1, 2, 9, "EXPIRED"),
                                new Loss(1, 2, 9, "EXPIRED"),
                                new Loss(1, 3, 9, "EXPIRED")),
                        List.of(),
                        List.of(),
                        0))))
                .containsExactly("loss", "loss", "loss");
    }

    @Test
    void callerThatNeverGetsThrough_isFound() {
        Duration second = Duration.ofSeconds(1);
        assertThat(promises(evidence(
                        new History(List.of(), List.of(), List.of(), List.of(new Final(1, 0, "x", second, true)), 0))))
                .isEmpty();
        assertThat(promises(evidence(new History(
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(
                                new Final(1, 0, "x", second, false),
                                new Final(1, 1, "x", second.multipliedBy(7), true)),
                        0))))
                .containsExactly("liveness", "liveness");
    }

    @Test
    void storeThatDoesNotRecover_isFound() {
        Hold late = hold(1, 0, 9_000, 9_001, DONE);
        History history = new History(List.of(late), List.of(), List.of(), List.of(), 0);
        assertThat(promises(evidence(history, fault(Fault.Damage.NONE, 10, 100))))
                .containsExactly("liveness");
        assertThat(promises(evidence(history, fault(Fault.Damage.NONE, 10, 4_000))))
                .isEmpty();
    }

    @Test
    void whatStaysInTheStore_andClientsThatDoNotFinish_areFound() {
        History nothing = new History(List.of(), List.of(), List.of(), List.of(), 0);
        assertThat(promises(new Evidence(
                        nothing, List.of(), Map.of(), Duration.ofSeconds(1), List.of("client 1"), List.of("x"))))
                .containsExactlyInAnyOrder("liveness", "residue");
    }

    @Test
    void exception_withoutAFault_orThatNobodyIsToldOf_isFound() {
        Trouble expected = unanswered(Duration.ofSeconds(2));
        Trouble other = new Trouble(1, nanos(10_000), Duration.ZERO, "x", "java.lang.IllegalStateException", "what?");
        History history = new History(List.of(), List.of(), List.of(expected, other), List.of(), 0);
        TroubleChecker checker = new TroubleChecker();
        assertThat(checker.check(evidence(history, fault(Fault.Damage.NONE, 7_000, 8_000))))
                .extracting(Finding::message)
                .containsExactly("client 1 got java.lang.IllegalStateException: what?");
        assertThat(checker.check(evidence(history, fault(Fault.Damage.NONE, 1_000, 2_000))))
                .hasSize(2);
    }

    /** A machine that is busy with other programs answers late, which is no fault of a lock. */
    @Test
    void exception_withoutAFault_toACallerWhoWaitedForAMoment_isNotFound() {
        History history = new History(
                List.of(),
                List.of(),
                List.of(unanswered(Duration.ofMillis(1_999)), unanswered(Duration.ofMillis(2_000))),
                List.of(),
                0);
        assertThat(new TroubleChecker().check(evidence(history))).hasSize(1);
    }

    @Test
    void exception_whileClientsHaveYetToFindOutOfAFault_isNotFound() {
        History history = new History(List.of(), List.of(), List.of(unanswered(Duration.ofSeconds(2))), List.of(), 0);
        Fault found = new Damaging(Fault.Damage.NONE);
        Fault toBeFoundOut = new Damaging(Fault.Damage.NONE, Duration.ofSeconds(5));
        TroubleChecker checker = new TroubleChecker();
        assertThat(checker.check(evidence(history, new Happened(found, "nowhere", 0, nanos(2_000), 1))))
                .hasSize(1);
        assertThat(checker.check(evidence(history, new Happened(toBeFoundOut, "nowhere", 0, nanos(2_000), 1))))
                .isEmpty();
    }

    private static Trouble unanswered(Duration waited) {
        return new Trouble(1, nanos(10_000), waited, "x", StoreException.class.getName(), "no answer");
    }
}
