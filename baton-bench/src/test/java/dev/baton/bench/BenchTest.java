package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class BenchTest {
    private static final int ROUNDS = 3;
    private static final List<Row> SHORT =
            Rows.ALL.stream().filter(row -> !row.trial().isLong()).toList();

    private static final Setup SETUP = Setup.of("none", Object.class);

    private final List<String> progress = new ArrayList<>();
    private final Bench bench = bench(LocalTeam::open);

    private Bench bench(Team.Opener teams) {
        return bench(teams, Samples.quiet());
    }

    private Bench bench(Team.Opener teams, LoadWatch load) {
        return bench(teams, load, new Bench.Pace(Duration.ofMillis(20), Duration.ofMillis(30), ROUNDS));
    }

    private Bench bench(Team.Opener teams, LoadWatch load, Bench.Pace pace) {
        return bench(teams, load, pace, Remoteness.none(Map.of()));
    }

    private Bench bench(Team.Opener teams, LoadWatch load, Bench.Pace pace, Remoteness remote) {
        return new Bench(remote, home -> () -> Usage.UNKNOWN, teams, 2, pace, load, progress::add);
    }

    @Test
    void rows_withoutAServer_areMeasured() throws Exception {
        Results results = bench.run(SHORT);
        assertThat(results.areComplete()).as("%s", progress).isTrue();
        assertThat(results.rows())
                .as("the others need a peer on a server")
                .extracting(Row::id)
                .contains("f.java", "g.again", "g.held", "d.16x1.share")
                .doesNotContain("a.1", "f.rlock", "h.1.shedlock");
        assertThat(results.rows())
                .filteredOn(row -> row.metric() == Metric.RATE)
                .allSatisfy(row -> assertThat(results.estimate(row).value()).isPositive());
    }

    @Test
    void contestants_takeTurns_andEachRoundBeginsWithTheNext() throws Exception {
        bench.run(Rows.chosen(List.of("f.java")));
        assertThat(progress.subList(1, progress.size()))
                .extracting(line -> line.replaceAll("  (.*): .*", "$1"))
                .containsExactly(
                        "warm-up: Baton",
                        "warm-up: a fair ReentrantLock of Java",
                        "round 1/3: Baton",
                        "round 1/3: a fair ReentrantLock of Java",
                        "round 2/3: a fair ReentrantLock of Java",
                        "round 2/3: Baton",
                        "round 3/3: Baton",
                        "round 3/3: a fair ReentrantLock of Java");
    }

    @Test
    void warmUp_atADistance_beginsNearTheServers() throws Exception {
        try (Remoteness far = Remoteness.of(Map.of(), Duration.ofMillis(1))) {
            Bench.Pace pace = new Bench.Pace(Duration.ofMillis(20), Duration.ofMillis(30), 1);
            bench(LocalTeam::open, Samples.quiet(), pace, far).run(Rows.chosen(List.of("f.java")));
        }
        assertThat(progress)
                .extracting(line -> line.replaceAll("  (.*): Baton: .*", "$1"))
                .containsSubsequence("warm-up near", "warm-up", "round 1/1");
    }

    @Test
    void busyMachine_isWarnedOf_andEverythingIsMeasuredAllTheSame() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        LoadWatch load = new LoadWatch(
                () -> {
                    int read = reads.incrementAndGet();
                    return new CpuTimes(100 * read, 50 * read, 0);
                },
                progress::add);
        Results results = bench(LocalTeam::open, load).run(Rows.chosen(List.of("f.java")));
        assertThat(results.areComplete()).isTrue();
        assertThat(progress)
                .filteredOn(line -> line.startsWith("Warning: "))
                .singleElement()
                .asString()
                .contains("50" + Lines.GLUE + "% of the processors in warm-up of Baton");
        assertThat(load.seen().turns()).isEqualTo(2 * (1 + ROUNDS));
    }

    @Test
    void lockThatLetsTwoIn_isFound_andTheOthersAreMeasuredAllTheSame() throws Exception {
        Contestant open = new Contestant(
                "open door",
                "an open door",
                Home.JVM,
                any -> Mutex.client(name -> BenchTest::letEverybodyIn, () -> {}),
                SETUP);
        Target any = Target.atLeast(0);
        Row bad = Row.value("bad", Trial.oneLock(1, 4), Metric.RATE, open, any);
        Row good = Row.value("good", Trial.oneLock(1, 2), Metric.RATE, Contestants.JAVA_FAIR, any);
        Results results = bench.run(List.of(bad, good));
        assertThat(progress).anyMatch(line -> line.contains("not a lock"));
        assertThat(results.areComplete()).isFalse();
        assertThat(bad.target().judge(results.estimate(bad))).isEqualTo(Target.Verdict.UNKNOWN);
        assertThat(results.estimate(good).value()).isPositive();
    }

    /** Runs the section twice, so that the test does not depend on a race. */
    private static void letEverybodyIn(Runnable section) {
        section.run();
        section.run();
    }

    @Test
    void clientsInSeveralJvms_thatHaveNoCommonLock_areFound() throws Exception {
        // Each JVM has its own memory store, so that a lock in one JVM does not exclude another JVM.
        try (ChildJvms children = new ChildJvms()) {
            // Long enough that both JVMs run at the same time, also on a busy machine.
            Bench.Pace slow = new Bench.Pace(Duration.ofMillis(20), Duration.ofMillis(500), ROUNDS);
            Bench ofSeveral = bench(children, Samples.quiet(), slow);
            Results results = ofSeveral.run(Rows.chosen(List.of("q.1ms.share", "f.java")));
            assertThat(progress).anyMatch(line -> line.contains("held for 1 ms") && line.contains("not a lock"));
            assertThat(results.estimate(Rows.named("f.java")).value()).isPositive();
        }
    }

    @Test
    void backAndForth_letsTheOtherIn_alsoWhereTheLockWouldNot() throws Exception {
        Lock lock = new ReentrantLock();
        Contestant unfair = new Contestant(
                "java", "a lock of Java", Home.JVM, any -> Mutex.client(name -> Mutex.of(lock), () -> {}), SETUP);
        Trial trial = Trial.of("back and forth", "2 clients", 2, 1, 0, Section.BackAndForth::new);
        Results results = bench.run(List.of(Row.value("x", trial, Metric.HAND_OVER, unfair, Target.atLeast(0))));
        assertThat(results.trials().get(trial).get(unfair))
                .hasSize(ROUNDS)
                .extracting(Sample::operations)
                .allMatch(operations -> Math.abs(operations.get(0) - operations.get(1)) <= 1);
    }

    @Test
    void workerThatFails_endsTheTrial() throws Exception {
        Contestant broken = new Contestant(
                "broken", "a broken one", Home.JVM, any -> Mutex.client(name -> BenchTest::fail, () -> {}), SETUP);
        bench.run(List.of(Row.value("x", Trial.oneLock(2, 2), Metric.RATE, broken, Target.atLeast(0))));
        assertThat(progress).hasSize(2).last().asString().contains("no door");
    }

    private static void fail(Runnable section) {
        throw new IllegalStateException("no door");
    }

    @Test
    void row_isChosen_byTheFirstPartsOfItsName() {
        assertThat(Rows.chosen(List.of("d.16x1", "c")))
                .extracting(Row::id)
                .allMatch(id -> id.matches("d\\.16x1.*|c.*"));
        assertThat(Rows.chosen(List.of())).isEqualTo(Rows.ALL);
    }
}
