package dev.baton.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.History;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Noted;
import dev.baton.chaos.history.Noted.Read;
import dev.baton.chaos.history.Noted.Write;
import dev.baton.chaos.history.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checkers of what holders leave behind find what they are for, and nothing else. */
class LeftBehindCheckersTest {
    private static final String NOTE = "note-0";
    private static final String RERUN = "job-0";
    private static final String ABANDON = "job-1";

    private final List<Hold> holds = new ArrayList<>();
    private final List<Noted> notes = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();

    /** A hold from ten times its token for five. */
    private void hold(String name, long token, Hold.End end) {
        long asked = token * 10;
        holds.add(new Hold(
                1, token, name, token, "TIMED", asked, asked, asked + 5, asked + 5, asked + 5, end, Hold.Work.NONE));
    }

    private void noted(long token, Read read, Write write) {
        hold(NOTE, token, Hold.End.RELEASED);
        notes.add(new Noted(1, token, read, write));
    }

    private static Read read(long token) {
        return new Read(true, Long.toString(token));
    }

    private static final Read NOTHING = new Read(true, "");

    private void run(String job, long fireTime, int attempt, long began, long recorded) {
        boolean ended = recorded != Hold.NEVER;
        runs.add(
                new Run(1, job, fireTime, attempt, Run.NONE, began, true, ended ? recorded - 1 : Hold.NEVER, recorded));
    }

    /** A run whose runner was stopped before it began, and does not hold any more when it goes on. */
    private void runLate(String job, long fireTime, int attempt, long began, long recorded) {
        runs.add(new Run(1, job, fireTime, attempt, Run.NONE, began, false, began + 1, recorded));
    }

    /** A run whose runner finds a success in the record, and that does not come to its end. */
    private void runAfter(long lastSuccess, long fireTime, long began) {
        runs.add(new Run(1, RERUN, fireTime, 1, lastSuccess, began, true, Hold.NEVER, Hold.NEVER));
    }

    private List<Finding> found(Happened... faults) {
        // In any order.
        Collections.shuffle(holds);
        Collections.shuffle(notes);
        Collections.shuffle(runs);
        History history = new History(holds, List.of(), List.of(), List.of(), 0, List.of(), notes, runs);
        Evidence evidence =
                new Evidence(history, List.of(faults), Map.of(), Duration.ofSeconds(1), List.of(), List.of());
        return Checkers.run(List.of(new NoteChecker(), new RunChecker()), evidence);
    }

    private List<String> messages(Happened... faults) {
        return found(faults).stream()
                .filter(finding -> !finding.excused())
                .map(Finding::message)
                .toList();
    }

    @Test
    void eachHolderReadsTheLastNote_isFine() {
        noted(1, NOTHING, Write.WRITTEN);
        noted(2, read(1), Write.WRITTEN);
        noted(3, read(2), Write.NONE);
        noted(4, read(2), Write.WRITTEN);
        noted(5, Read.UNKNOWN, Write.WRITTEN);
        noted(6, read(5), Write.WRITTEN);
        assertThat(messages()).isEmpty();
    }

    @Test
    void confirmedNote_thatTheNextDoesNotFind_isLost() {
        noted(1, NOTHING, Write.WRITTEN);
        noted(2, NOTHING, Write.NONE);
        assertThat(messages())
                .singleElement()
                .asString()
                .contains("hold 2", "read no note", "it should be the note of token 1");
    }

    @Test
    void noteOfUnknownFate_mayBeThereOrNot_untilItIsRead() {
        noted(1, NOTHING, Write.WRITTEN);
        noted(2, read(1), Write.UNSURE);
        noted(3, read(2), Write.UNSURE);
        noted(4, read(2), Write.NONE);
        assertThat(messages()).isEmpty();
        noted(5, read(3), Write.NONE);
        assertThat(messages()).singleElement().asString().contains("hold 5", "read the note of token 3");
    }

    @Test
    void noteOfTheDead_isOfUnknownFate() {
        noted(1, NOTHING, Write.WRITTEN);
        hold(NOTE, 2, Hold.End.DIED);
        noted(3, read(2), Write.NONE);
        assertThat(messages()).isEmpty();
    }

    @Test
    void nothingIsKnownBeforeTheFirstAnswer() {
        noted(1, Read.UNKNOWN, Write.UNSURE);
        noted(2, read(7), Write.NONE);
        assertThat(messages()).isEmpty();
    }

    @Test
    void otherNames_haveNoNotes() {
        hold("lock-0", 1, Hold.End.RELEASED);
        notes.add(new Noted(1, 1, NOTHING, Write.WRITTEN));
        hold("lock-0", 2, Hold.End.RELEASED);
        notes.add(new Noted(1, 2, NOTHING, Write.WRITTEN));
        assertThat(messages()).isEmpty();
    }

    @Test
    void eachFireTimeRunsOnce_orAgainWithAGreaterNumber_isFine() {
        run(RERUN, 100, 1, 10, 20);
        run(RERUN, 120, 1, 30, Hold.NEVER);
        run(RERUN, 120, 2, 40, 50);
        run(RERUN, 140, 1, 60, Hold.NEVER);
        run(RERUN, 160, 1, 70, 80);
        run(ABANDON, 100, 1, 15, Hold.NEVER);
        run(ABANDON, 120, 1, 35, 45);
        assertThat(messages()).isEmpty();
    }

    @Test
    void twoSuccesses_areFound() {
        run(RERUN, 100, 1, 10, 20);
        run(RERUN, 100, 2, 15, 30);
        assertThat(messages()).singleElement().asString().contains("was recorded, and so was");
    }

    @Test
    void attemptWithTheSameNumber_isFound() {
        run(RERUN, 100, 1, 10, Hold.NEVER);
        run(RERUN, 100, 1, 15, 30);
        assertThat(messages()).singleElement().asString().contains("has the number of");
    }

    @Test
    void attemptWithASmallerNumber_isFound() {
        run(RERUN, 100, 2, 10, Hold.NEVER);
        run(RERUN, 100, 1, 15, 30);
        assertThat(messages()).singleElement().asString().contains("no greater number");
    }

    @Test
    void secondAttemptOfAnAbandonedRun_isFound() {
        run(ABANDON, 100, 1, 10, Hold.NEVER);
        run(ABANDON, 100, 2, 15, 30);
        assertThat(messages()).singleElement().asString().contains("although a run is abandoned");
    }

    @Test
    void fireTimeThatIsOver_isFound() {
        run(RERUN, 120, 1, 10, 20);
        run(RERUN, 140, 1, 12, Hold.NEVER);
        run(RERUN, 100, 1, 30, Hold.NEVER);
        assertThat(messages()).singleElement().asString().contains("attempt 1 of client 1 for 100", "was over after");
    }

    @Test
    void runnerThatWasStoppedBeforeItBegan_mayBeginAfterOthers() {
        run(RERUN, 140, 1, 10, 20);
        runLate(RERUN, 100, 1, 30, Hold.NEVER);
        run(RERUN, 160, 2, 40, Hold.NEVER);
        runLate(RERUN, 160, 1, 50, Hold.NEVER);
        run(RERUN, 160, 3, 60, Hold.NEVER);
        assertThat(messages()).isEmpty();
    }

    @Test
    void runnerThatWasStoppedBeforeItBegan_hasItsNumberForItself() {
        run(RERUN, 100, 1, 10, Hold.NEVER);
        run(RERUN, 100, 2, 20, Hold.NEVER);
        runLate(RERUN, 100, 1, 30, Hold.NEVER);
        assertThat(messages()).singleElement().asString().contains("has the number of");
    }

    @Test
    void runnerThatWasStoppedBeforeItBegan_recordsNoSecondSuccess() {
        run(RERUN, 100, 2, 10, 20);
        runLate(RERUN, 100, 1, 30, 40);
        assertThat(messages()).singleElement().asString().contains("was recorded, and so was");
    }

    @Test
    void runnerThatWasStoppedBeforeItBegan_doesNotBeginAnAbandonedRunAgain() {
        run(ABANDON, 100, 1, 10, Hold.NEVER);
        runLate(ABANDON, 100, 2, 15, Hold.NEVER);
        assertThat(messages()).singleElement().asString().contains("although a run is abandoned");
    }

    @Test
    void successInTheRecord_ofARunThatCameToItsEnd_isFine() {
        runs.add(new Run(1, RERUN, 100, 1, Run.NONE, 10, true, 20, Hold.NEVER));
        runAfter(100, 120, 30);
        runAfter(100, 140, 40);
        assertThat(messages()).isEmpty();
    }

    @Test
    void successInTheRecord_ofASecondAttempt_isFine() {
        run(RERUN, 100, 1, 10, Hold.NEVER);
        run(RERUN, 100, 2, 15, 20);
        runAfter(100, 120, 30);
        assertThat(messages()).isEmpty();
    }

    @Test
    void successInTheRecord_ofARunThatNeverCameToItsEnd_isFound() {
        run(RERUN, 100, 1, 10, Hold.NEVER);
        runAfter(100, 120, 30);
        assertThat(messages())
                .containsExactly("attempt 1 of client 1 for 120 found 100 recorded as a success, but no run for it had"
                        + " come to its end");
    }

    @Test
    void successInTheRecord_ofARunThatStillWorked_isFound() {
        runs.add(new Run(1, RERUN, 100, 1, Run.NONE, 10, true, 35, 36));
        runAfter(100, 120, 30);
        assertThat(messages()).singleElement().asString().contains("found 100 recorded as a success");
    }

    @Test
    void successInTheRecord_ofARunThatNeverBegan_isFound_ifItIsNotOfAnEarlierHistory() {
        run(RERUN, 100, 1, 10, 20);
        runAfter(120, 140, 30);
        assertThat(messages()).singleElement().asString().contains("for 140 found 120");
        runs.clear();
        runAfter(80, 100, 10);
        runAfter(80, 120, 20);
        assertThat(messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Fault.Damage.class)
    void storeThatForgets_excusesBoth_andOnlyInBetween(Fault.Damage damage) {
        noted(1, NOTHING, Write.WRITTEN);
        noted(2, NOTHING, Write.NONE);
        run(RERUN, 100, 1, 10, 20);
        run(RERUN, 100, 1, 30, Hold.NEVER);
        boolean none = damage == Fault.Damage.NONE;
        assertThat(messages(Damaging.between(damage, 12, 14))).hasSize(none ? 3 : 0);
        assertThat(messages(Damaging.between(damage, 50, 60))).hasSize(3);
    }
}
