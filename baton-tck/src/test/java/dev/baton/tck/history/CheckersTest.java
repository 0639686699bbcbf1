package dev.baton.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares the checkers with independent searches on small histories, and with cases written by hand. */
class CheckersTest {
    private static final int HISTORIES = Boolean.getBoolean("baton.nightly") ? 10_000_000 : 300_000;

    private static HoldRecord hold(long token, long asked, long got, long letGo, long gone) {
        return new HoldRecord("holder", token, asked, got, letGo, gone);
    }

    @Test
    void fencedMutex_oneAfterTheOther_isFine() {
        assertThat(FencedMutexChecker.check(List.of(hold(1, 0, 1, 2, 3), hold(2, 0, 3, 4, 5))))
                .isEmpty();
    }

    @Test
    void fencedMutex_beliefsTouchAtOneMoment_isFine() {
        assertThat(FencedMutexChecker.check(List.of(hold(1, 0, 0, 5, 9), hold(2, 0, 5, 6, 7))))
                .isEmpty();
    }

    @Test
    void fencedMutex_overlap_isFound() {
        assertThat(FencedMutexChecker.check(List.of(hold(1, 0, 1, 6, 7), hold(2, 0, 5, 8, 9))))
                .hasSize(1);
    }

    @Test
    void fencedMutex_laterHoldWithSmallerToken_isFound() {
        assertThat(FencedMutexChecker.check(List.of(hold(2, 0, 1, 2, 3), hold(1, 4, 5, 6, 7))))
                .hasSize(1);
    }

    @Test
    void fencedMutex_sameToken_isFound() {
        assertThat(FencedMutexChecker.check(List.of(hold(1, 0, 1, 2, 3), hold(1, 4, 5, 6, 7))))
                .hasSize(1);
    }

    @Test
    void fencedMutex_holderThatNeverLetGo_isFine() {
        assertThat(FencedMutexChecker.check(List.of(hold(1, 0, 1, 1, HoldRecord.NEVER), hold(2, 4, 5, 6, 7))))
                .isEmpty();
    }

    @Test
    void fencedMutex_randomHistories_agreesWithASearch() {
        SplittableRandom random = new SplittableRandom(42);
        int good = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<HoldRecord> history = randomHistory(random);
            boolean expected = new Search(history).isPossible();
            good += expected ? 1 : 0;
            assertThat(FencedMutexChecker.check(history).isEmpty())
                    .as("history %d: %s", i, history)
                    .isEqualTo(expected);
        }
        assertThat(good).as("both kinds occur").isBetween(HISTORIES / 50, HISTORIES * 49 / 50);
    }

    @Test
    void belief_randomHistories_agreesWithAllPairs() {
        SplittableRandom random = new SplittableRandom(43);
        int good = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<HoldRecord> history = randomHistory(random);
            boolean expected = noPairOverlaps(history);
            good += expected ? 1 : 0;
            assertThat(BeliefChecker.check(history).isEmpty())
                    .as("history %d: %s", i, history)
                    .isEqualTo(expected);
        }
        assertThat(good).as("both kinds occur").isBetween(HISTORIES / 50, HISTORIES * 49 / 50);
    }

    @Test
    void belief_randomHistoriesOfPermits_agreesWithTheSumAtEachGrant() {
        SplittableRandom random = new SplittableRandom(44);
        int good = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<HoldRecord> history = randomHistory(random).stream()
                    .map(hold -> with(hold, Portion.permits(1 + random.nextInt(3), 4)))
                    .toList();
            boolean expected = history.stream().allMatch(hold -> weightBeside(hold, history) <= 4);
            good += expected ? 1 : 0;
            assertThat(BeliefChecker.check(history).isEmpty())
                    .as("history %d: %s", i, history)
                    .isEqualTo(expected);
        }
        assertThat(good).as("both kinds occur").isBetween(HISTORIES / 50, HISTORIES * 49 / 50);
    }

    /** What a hold has, and those that already believe when it begins. */
    private static int weightBeside(HoldRecord hold, List<HoldRecord> history) {
        return history.stream()
                .filter(other -> other == hold
                        || (other.gotNanos() <= hold.gotNanos()
                                && hold.gotNanos() < other.letGoNanos()
                                && other.gotNanos() < hold.letGoNanos()))
                .mapToInt(other -> other.portion().weight())
                .sum();
    }

    private static HoldRecord with(HoldRecord hold, Portion portion) {
        return new HoldRecord(
                hold.holder(),
                hold.token(),
                hold.askedNanos(),
                hold.gotNanos(),
                hold.letGoNanos(),
                hold.goneNanos(),
                portion);
    }

    @Test
    void readersWithOneToken_mayOverlap_andNoWriterBetweenThem() {
        HoldRecord first = with(hold(2, 0, 1, 5, 5), Portion.reader());
        HoldRecord second = with(hold(2, 0, 3, 9, 9), Portion.reader());
        assertThat(FencedMutexChecker.check(List.of(first, second))).isEmpty();
        assertThat(FencedMutexChecker.check(List.of(first, second, with(hold(3, 0, 6, 7, 8), Portion.writer(false)))))
                .hasSize(1)
                .allMatch(found -> found.contains("was held before the end of"));
        assertThat(FencedMutexChecker.check(List.of(first, with(hold(3, 0, 3, 9, 9), Portion.reader()))))
                .as("readers that hold together, with two tokens")
                .hasSize(1);
    }

    @Test
    void writerThatBecomesAReader_keepsItsToken_andTheReadersBesideIt_haveANewerOneOfTheStoreToken() {
        HoldRecord writer = with(hold(513, 0, 1, 5, 5), Portion.writer(true));
        HoldRecord former = with(hold(513, 0, 5, 20, 20), Portion.formerWriter());
        HoldRecord beside = with(hold(767, 0, 6, 9, 9), Portion.reader());
        assertThat(FencedMutexChecker.check(List.of(writer, former, beside))).isEmpty();
        assertThat(FencedMutexChecker.check(List.of(writer, with(hold(513, 0, 6, 9, 9), Portion.reader()))))
                .hasSize(1)
                .allMatch(found -> found.contains("has the token of"));
        assertThat(FencedMutexChecker.check(List.of(with(former, Portion.writer(false)), beside)))
                .as("a reader beside a writer that stays one")
                .hasSize(1);
        assertThat(FencedMutexChecker.check(List.of(former, with(hold(768, 0, 6, 9, 9), Portion.reader()))))
                .as("a reader beside it, with a token of another phase")
                .hasSize(1);
        assertThat(FencedMutexChecker.check(List.of(
                        with(hold(512, 0, 1, 2, 2), Portion.writer(false)), former, with(beside, Portion.reader()))))
                .isEmpty();
    }

    @Test
    void permits_needTokensOfTheirOwn_inAnyOrder() {
        HoldRecord one = with(hold(2, 0, 1, 5, 5), Portion.permits(1, 2));
        assertThat(FencedMutexChecker.check(List.of(one, with(hold(1, 0, 6, 9, 9), Portion.permits(1, 2)))))
                .isEmpty();
        assertThat(FencedMutexChecker.check(List.of(one, with(hold(2, 0, 3, 9, 9), Portion.permits(1, 2)))))
                .hasSize(1);
    }

    private static List<HoldRecord> randomHistory(SplittableRandom random) {
        int holds = 1 + random.nextInt(4);
        int range = 2 + random.nextInt(12);
        List<HoldRecord> history = new ArrayList<>();
        for (int i = 0; i < holds; i++) {
            long[] times = random.longs(4, 0, range).sorted().toArray();
            long gone = random.nextInt(5) == 0 ? HoldRecord.NEVER : times[3];
            history.add(hold(1 + random.nextInt(holds + 1), times[0], times[1], times[2], gone));
        }
        return history;
    }

    private static boolean noPairOverlaps(List<HoldRecord> history) {
        for (HoldRecord a : history) {
            for (HoldRecord b : history) {
                // A belief without length lies inside another belief only if that one lasts before and after it, or
                // begins with it.
                if (a != b && a.gotNanos() < b.letGoNanos() && b.gotNanos() < a.letGoNanos()) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Searches for an order of grants and ends, one event after the other. An event may come next if no other event had
     * to end before it began. A grant needs a free mutex and a greater token; an end needs its own grant.
     */
    private static final class Search {
        private final List<HoldRecord> history;
        private final boolean[] granted;
        private final boolean[] ended;

        Search(List<HoldRecord> history) {
            this.history = history;
            this.granted = new boolean[history.size()];
            this.ended = new boolean[history.size()];
        }

        boolean isPossible() {
            return go(-1, 0);
        }

        private boolean go(int holder, long lastToken) {
            boolean done = true;
            for (int i = 0; i < history.size(); i++) {
                done &= granted[i];
                HoldRecord hold = history.get(i);
                if (!granted[i] && holder < 0 && hold.token() > lastToken && mayComeNext(hold.askedNanos())) {
                    granted[i] = true;
                    boolean found = go(i, hold.token());
                    granted[i] = false;
                    if (found) {
                        return true;
                    }
                }
                if (holder == i && mayComeNext(hold.letGoNanos())) {
                    ended[i] = true;
                    boolean found = go(-1, lastToken);
                    ended[i] = false;
                    if (found) {
                        return true;
                    }
                }
            }
            return done;
        }

        /** Returns whether no future event had to end before this one begins. */
        private boolean mayComeNext(long beginNanos) {
            for (int i = 0; i < history.size(); i++) {
                HoldRecord other = history.get(i);
                if (!granted[i] && other.gotNanos() < beginNanos) {
                    return false;
                }
                if (granted[i] && !ended[i] && other.goneNanos() < beginNanos) {
                    return false;
                }
            }
            return true;
        }
    }
}
