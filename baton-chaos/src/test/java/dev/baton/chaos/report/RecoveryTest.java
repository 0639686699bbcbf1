package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.chaos.history.Hold;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    private final Runs runs = new Runs();

    @Test
    void theNextGrantCountsFromTheEndOfTheFault() {
        runs.fault("wire-cut", 100, 200);
        runs.hold(90, 199, 201);
        runs.hold(150, 260, 270);
        runs.hold(150, 230, 240);
        assertThat(runs.recoveries())
                .singleElement()
                .extracting(Recovery::untilGrant)
                .isEqualTo(Optional.of(Duration.ofMillis(30)));
    }

    @Test
    void aRunThatEndsBeforeHasNoNextGrant() {
        runs.fault("wire-cut", 100, 200);
        runs.hold(90, 199, 201);
        assertThat(runs.recoveries().get(0).untilGrant()).isEmpty();
    }

    @Test
    void theLongestWaitOverlapsTheFault() {
        runs.fault("wire-cut", 100, 200);
        runs.hold(0, 99, 99); // over before
        runs.hold(201, 900, 901); // began after
        runs.hold(150, 400, 401); // the one
        runs.hold(120, 300, 301);
        assertThat(runs.recoveries().get(0).longestWait()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aWaitThatBeganBeforeTheFaultCounts() {
        runs.fault("wire-cut", 100, 200);
        runs.hold(10, 110, 111);
        assertThat(runs.recoveries().get(0).longestWait()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void lostHoldsOverlapTheFault() {
        runs.fault("wire-cut", 100, 200);
        runs.hold(1, "lock-0", 0, 1, 99, Hold.End.LOST);
        runs.hold(1, "lock-0", 0, 50, 150, Hold.End.LOST);
        runs.hold(1, "lock-0", 0, 150, 300, Hold.End.LOST);
        runs.hold(1, "lock-0", 0, 150, 300, Hold.End.RELEASED);
        runs.hold(1, "lock-0", 0, 150, 300, Hold.End.DIED);
        runs.hold(1, "lock-0", 0, 201, 300, Hold.End.LOST);
        assertThat(runs.recoveries().get(0).lost()).isEqualTo(2);
    }

    @Test
    void contendedHoldsCountForEachFaultThatTheyOverlap_withTheirWait() {
        runs.fault("wire-cut", 100, 200);
        runs.fault("client-kill", 400, 500);
        runs.hold(0, 1, 90);
        runs.hold(10, 91, 99); // over before both
        runs.hold(50, 210, 220); // waited through the first
        runs.hold(190, 220.5, 220.6); // waited through its end
        runs.hold(205, 221, 450); // held into the second
        runs.hold(600, 600, 601);
        runs.hold(150, 602, 603); // waited through both
        runs.hold(120, 130, 140); // the lock was free
        runs.hold(4, "lock-1", 150, 160, 170, Hold.End.RELEASED); // another lock
        assertThat(runs.recoveries()).extracting(Recovery::contended).containsExactly(3L, 2L);
    }

    @Test
    void faultsAreInTheOrderOfTheirBeginnings() {
        runs.fault("wire-cut", 300, 400);
        runs.fault("client-kill", 100, 500);
        assertThat(runs.recoveries())
                .extracting(each -> each.fault().fault().id())
                .containsExactly("client-kill", "wire-cut");
    }

    @Test
    void figuresOfAFaultAreMedianAndWorst() {
        runs.fault("wire-cut", 0, 100);
        runs.fault("wire-cut", 200, 300);
        runs.fault("wire-cut", 400, 500);
        runs.fault("wire-cut", 600, 700);
        runs.hold(100, 190, 191);
        runs.hold(300, 310, 311);
        runs.hold(500, 520, 521);
        assertThat(Recoveries.byFault(runs.recoveries()))
                .containsExactly(new Recoveries(
                        "wire-cut",
                        4,
                        1,
                        Optional.of(Duration.ofMillis(20)),
                        Optional.of(Duration.ofMillis(90)),
                        Duration.ofMillis(90),
                        0,
                        0));
    }

    @Test
    void faultsOfEachNameHaveFiguresOfTheirOwn() {
        runs.fault("wire-cut", 0, 100);
        runs.fault("client-kill", 200, 300);
        runs.hold(90, 105, 106);
        assertThat(Recoveries.byFault(runs.recoveries()))
                .extracting(Recoveries::fault, Recoveries::worst)
                .containsExactly(
                        tuple("wire-cut", Optional.of(Duration.ofMillis(5))), tuple("client-kill", Optional.empty()));
    }
}
