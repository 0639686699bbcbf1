package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static final Load QUIET = new Load(0, 0.03, 0, 54);
    private static final Trial TRIAL = Trial.oneLock(4, 1);

    private final Map<Contestant, List<Sample>> samples = new LinkedHashMap<>();

    private void add(Contestant contestant, Integer... rates) {
        samples.put(contestant, List.of(rates).stream().map(Samples::ofRate).toList());
    }

    private List<String> sentences(Load load, int rounds, Contestant... peers) {
        List<Row> rows = List.of(peers).stream()
                .map(peer -> Row.beside(peer.name(), TRIAL, Metric.RATE, Contestants.BATON, peer))
                .toList();
        return new Summary(new Results(rows, Map.of(TRIAL, samples)), Samples.conditions(load, rounds))
                .sentences().stream().map(Lines::plain).toList();
    }

    @Test
    void threeSentences_sayWhereBatonWins_whereItDoesNot_andHowSureThatIs() {
        add(Contestants.BATON, 100, 100, 100);
        add(Contestants.RLOCK, 50, 50, 50);
        add(Contestants.BARE_PAIR, 200, 200, 200);
        add(Contestants.JAVA_FAIR, 99, 100, 101);
        assertThat(sentences(QUIET, 3, Contestants.RLOCK, Contestants.BARE_PAIR, Contestants.JAVA_FAIR))
                .containsExactly(
                        "Baton did better than Redisson RLock in 1 of 1 comparisons (at least 2.00 times as good).",
                        "It did worse than bare SET and DEL by Baton's connection in 1 of 1 comparisons (at worst"
                                + " 0.500 times as good), and was too close to call with a fair ReentrantLock of Java in 1 of 1 comparisons.",
                        "This rests on 3 rounds of 3 s: in nine runs of ten each true figure is in its"
                                + " interval, the widest of which reaches a factor of 1.02 either way, and other"
                                + " programs took at most 3 % of the processors, which is quiet.");
    }

    @Test
    void metricOfWhichLessIsBetter_isTurnedRound_andTheWorseEndIsQuoted() {
        add(Contestants.BATON, 100, 100);
        add(Contestants.RLOCK, 50, 50);
        Row cpu = Row.beside("c", TRIAL, Metric.CPU, Contestants.BATON, Contestants.RLOCK);
        assertThat(new Summary(new Results(List.of(cpu), Map.of(TRIAL, samples)), Samples.conditions(QUIET, 2))
                        .sentences()
                        .get(0))
                .isEqualTo("Baton did better than Redisson RLock " + Lines.glue("in 1 of 1") + " comparisons "
                        + "(at least 2.00" + Lines.GLUE + "times as good).");
    }

    @Test
    void rangeOfWins_isQuotedByTheWorseEnds() {
        add(Contestants.BATON, 200, 300);
        add(Contestants.RLOCK, 10, 10);
        double low =
                Estimate.ofRatios(List.of(200.0, 300.0), List.of(10.0, 10.0)).low();
        assertThat(sentences(QUIET, 2, Contestants.RLOCK).get(0))
                .contains("(at least " + Lines.plain(Figures.shortly(low)) + " times as good)");
    }

    @Test
    void withoutAnyLoss_orWithout_aWin_thatIsSaid() {
        add(Contestants.BATON, 100, 100);
        add(Contestants.RLOCK, 50, 50);
        assertThat(sentences(QUIET, 2, Contestants.RLOCK).get(1))
                .isEqualTo("It did worse than none of them, and no comparison was too close to call.");
        add(Contestants.RLOCK, 400, 400);
        assertThat(sentences(QUIET, 2, Contestants.RLOCK).get(0)).isEqualTo("Baton did better than none of its peers.");
    }

    @Test
    void busyMachine_oneRound_andARowThatFailed_makeItLessSure() {
        add(Contestants.BATON, 100);
        add(Contestants.RLOCK, 50);
        assertThat(sentences(new Load(0.2, 0.34, 7, 54), 1, Contestants.RLOCK, Contestants.RFAIRLOCK))
                .containsExactly(
                        "How Baton compares with Redisson RLock and Redisson RFairLock cannot be told from this run.",
                        "So nothing is said about where it does worse.",
                        "This rests on 1 round of 3 s: which gives no interval, so that nothing of this is"
                                + " sure, 1 of 2 rows could not be measured, and other programs took at most 34 % of"
                                + " the processors (7 of 54 turns were disturbed), so measure again on a quiet machine"
                                + " before you quote this.");
    }

    @Test
    void unknownLoad_isSaid() {
        add(Contestants.BATON, 100, 100);
        add(Contestants.RLOCK, 50, 50);
        assertThat(sentences(new Load(Double.NaN, Double.NaN, 0, 9), 2, Contestants.RLOCK)
                        .get(2))
                .contains("what other programs did on this machine is not known");
    }
}
