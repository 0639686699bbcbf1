package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Election;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.JobOptions.AfterDeath;
import dev.baton.spi.Capabilities.Reach;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What jobs and elections promise when the process of a runner or a leader is killed, stopped or cut off, and when the
 * server ends its session: for every store that keeps notes and reaches beyond one JVM.
 */
public abstract class WorkCrashContract extends ProcessContract {
    /** A run takes so long that some moments of a death are within it, whatever else the process does at its start. */
    private static final Duration WORK = Duration.ofMillis(300);

    private static final int POINTS = NIGHTLY ? 50 : 4;
    /** Of each fate; {@code -Dbaton.leaders=N} makes it another number. */
    private static final int LEADERS = Integer.getInteger("baton.leaders", NIGHTLY ? 250 : 1);

    /** A fate of a process that leads or runs. */
    private enum Fate {
        KILLED,
        STOPPED,
        CUT_OFF,
        SESSION_ENDED
    }

    /** For subclasses. */
    protected WorkCrashContract() {}

    // ---- jobs ----------------------------------------------------------------------------------------------------

    private static void begin(ChildProcess runner, Instant fireTime, AfterDeath policy, Duration work) {
        runner.send("run mail " + fireTime.toEpochMilli() + " " + policy + " " + work.toMillis());
    }

    private Job job(AfterDeath policy) {
        return baton().job("mail", JobOptions.defaults().withAfterDeath(policy));
    }

    /** Returns how long a run takes in a new process that nothing befalls. */
    private Duration wholeRun(Instant fireTime, AfterDeath policy) throws Exception {
        try (ChildProcess runner = taker()) {
            long begun = System.nanoTime();
            begin(runner, fireTime, policy, WORK);
            assertThat(runner.expect("RESULT", PATIENCE)).isEqualTo("RAN");
            return since(begun);
        }
    }

    /** Kills runners at moments that are spread over the whole of a run, and one that certainly is in its action. */
    private void killRunners(AfterDeath policy) throws Exception {
        Instant first = ClientContractJobs.now().minusSeconds(3_600);
        Duration whole = wholeRun(first, policy);
        Map<Job.Outcome, Integer> seen = new EnumMap<>(Job.Outcome.class);
        int followed = 0;
        for (int point = 0; point <= POINTS; point++) {
            Instant fireTime = first.plusSeconds(point + 1);
            try (ChildProcess runner = taker()) {
                List<String> told = new ArrayList<>();
                if (point == POINTS) {
                    awaitNobody();
                    begin(runner, fireTime, policy, PATIENCE);
                    told.add("BEGUN " + runner.expect("BEGUN", PATIENCE));
                } else {
                    begin(runner, fireTime, policy, WORK);
                    ClientContract.pause(whole.multipliedBy(point).dividedBy(POINTS - 1));
                }
                runner.kill();
                List<Integer> attempts = new ArrayList<>();
                Job.Result next = ClientContractJobs.settle(job(policy), fireTime, run -> attempts.add(run.attempt()));
                told.addAll(runner.rest());
                judge(policy, told, next, attempts);
                expectRecorded(policy, fireTime, next.outcome());
                seen.merge(next.outcome(), 1, Integer::sum);
                followed += attempts.contains(2) ? 1 : 0;
            }
        }
        System.out.println("runners killed at " + (POINTS + 1) + " points of a run, " + policy + ": " + seen + ", "
                + followed + " of them by a second attempt");
        assertThat(followed + seen.getOrDefault(Job.Outcome.ABANDONED, 0))
                .as("runners that were killed within their actions: %s", seen)
                .isPositive();
    }

    /** Waits until no dead runner stands in the queue: it does so until its client is given up, if it was killed as it asked. */
    private void awaitNobody() {
        ClientContract.within(
                PATIENCE,
                "dead runners are gone",
                () -> baton().admin().list("", 1).isEmpty());
    }

    /** Compares the lines of a killed runner with the findings and deeds of the next one. */
    private static void judge(AfterDeath policy, List<String> told, Job.Result next, List<Integer> attempts) {
        boolean begun = told.contains("BEGUN 1");
        switch (next.outcome()) {
            case ALREADY_DONE -> {
                assertThat(told).as("a run that is recorded as done").contains("WORKED");
                assertThat(attempts).isEmpty();
            }
            case RAN -> {
                int attempt = policy == AfterDeath.ABANDON || (!begun && next.attempt() == 1) ? 1 : 2;
                assertThat(attempts).as("after %s", told).containsExactly(attempt);
                if (policy == AfterDeath.ABANDON) {
                    assertThat(told).as("an action that must not start twice").doesNotContain("BEGUN 1");
                }
            }
            case ABANDONED -> {
                assertThat(policy).isEqualTo(AfterDeath.ABANDON);
                assertThat(attempts).isEmpty();
            }
            default -> throw new AssertionError(next + " after " + told);
        }
    }

    private void expectRecorded(AfterDeath policy, Instant fireTime, Job.Outcome outcome) {
        Job.State state = outcome == Job.Outcome.ABANDONED ? Job.State.UNKNOWN : Job.State.SUCCEEDED;
        assertThat(job(policy).history())
                .filteredOn(run -> run.fireTime().equals(fireTime))
                .singleElement()
                .satisfies(run -> assertThat(run.state()).isEqualTo(state));
    }

    @Test
    @DisplayName("P54: a runner that is killed at any point of its run is followed by the next attempt")
    void runner_killedAtAnyPoint_isFollowedByTheNextAttempt() throws Exception {
        killRunners(AfterDeath.RERUN);
    }

    @Test
    @DisplayName("P54: with ABANDON, a runner that is killed at any point of its run is not followed")
    void runner_killedAtAnyPoint_isNotFollowed_ifThePolicyIsToAbandon() throws Exception {
        killRunners(AfterDeath.ABANDON);
    }

    /** A runner whose lease ends while it works: another one follows it, and its action is interrupted. */
    private void loseRunner(Fate fate) throws Exception {
        Instant fireTime = ClientContractJobs.now().minusSeconds(60);
        try (ChildProcess runner = start(fixture().uri(), lease())) {
            String client = runner.expect("READY", PATIENCE);
            begin(runner, fireTime, AfterDeath.RERUN, PATIENCE);
            runner.expect("BEGUN 1", PATIENCE);
            befall(fate, runner, client, null);
            Job.Result next = ClientContractJobs.settle(
                    job(AfterDeath.RERUN),
                    fireTime,
                    run -> assertThat(run.attempt()).isEqualTo(2));
            assertThat(next.outcome()).isEqualTo(Job.Outcome.RAN);
            Map<String, String> told = fate == Fate.STOPPED
                    ? wakeUp(runner, "DISTURBED", "RESULT")
                    : runner.expectEach(PATIENCE, "DISTURBED", "RESULT");
            assertThat(told).containsEntry("RESULT", "LOST");
            expectRecorded(AfterDeath.RERUN, fireTime, next.outcome());
            runner.kill();
            assertThat(runner.rest()).doesNotContain("WORKED");
        }
    }

    private void befall(Fate fate, ChildProcess process, String client, @Nullable Detour way) throws Exception {
        switch (fate) {
            case KILLED -> process.kill();
            case STOPPED -> pauseOutsideItsWrites(process);
            case SESSION_ENDED -> ((OrderedFixture) fixture()).endSession(client);
            case CUT_OFF -> Objects.requireNonNull(way).proxy().blackHole();
        }
    }

    /** Resumes a process, which must know at its first moment that it holds nothing any more; returns its other lines. */
    private Map<String, String> wakeUp(ChildProcess process, String... others) throws Exception {
        // It sees that it was stopped if that took longer than a lease.
        ClientContract.pause(lease());
        process.resume();
        String[] all = Stream.concat(Stream.of("WOKE"), Stream.of(others)).toArray(String[]::new);
        Map<String, String> told = process.expectEach(PATIENCE, all);
        assertThat(told).containsEntry("WOKE", "false");
        return told;
    }

    @Test
    @DisplayName("P54: a runner that is stopped is followed, and does not record its outcome when it wakes up")
    void runner_stopped_isFollowed_andRecordsNothingLater() throws Exception {
        loseRunner(Fate.STOPPED);
    }

    @Test
    @DisplayName("P54: a runner whose session is ended is interrupted, and followed")
    void runner_whoseSessionIsEnded_isInterrupted_andFollowed() throws Exception {
        if (fixture().capabilities().session() == null) {
            // Here a lease ends by its time alone: the other cases show that.
            return;
        }
        loseRunner(Fate.SESSION_ENDED);
    }

    // ---- elections -----------------------------------------------------------------------------------------------

    /** How long after the end of a leader with this lease time another one leads, at the latest. */
    private Duration threeLeases(Duration lease) {
        Duration session = fixture().capabilities().session();
        Duration longest = session == null || session.compareTo(lease) < 0 ? lease : session;
        return longest.multipliedBy(3).plusSeconds(2);
    }

    /**
     * The end is told a sixth of the lease before another may lead, and the leader's process must run in this time: if
     * it is cut off, its lease is so long that a stall of the machine is shorter. At night there are too many leaders.
     */
    private Duration leaseOf(Fate fate) {
        boolean toBeTold = fate == Fate.CUT_OFF && fixture().capabilities().session() == null;
        return toBeTold && !NIGHTLY ? lease().multipliedBy(15) : lease();
    }

    /** Ends leaders that lead in processes of their own, while this process is the next in line. */
    private void loseLeaders(Fate fate) throws Exception {
        AtomicInteger leading = new AtomicInteger();
        Duration worst = Duration.ZERO;
        for (int round = 0; round < LEADERS; round++) {
            Duration took = loseLeader(fate, leading);
            worst = took.compareTo(worst) > 0 ? took : worst;
        }
        System.out.println(LEADERS + " leaders " + fate + ": followed after " + worst.toMillis() + " ms at the latest");
    }

    private Duration loseLeader(Fate fate, AtomicInteger leading) throws Exception {
        try (@Nullable Detour way = fate == Fate.CUT_OFF ? Detour.to(fixture()) : null;
                ChildProcess leader = start(way == null ? fixture().uri() : way.uri(), leaseOf(fate))) {
            String client = leader.expect("READY", PATIENCE);
            leader.send("join shard");
            leader.expect("LEADS", PATIENCE);
            Standing next = new Standing(leading);
            Election election = baton().election("shard");
            Election.Candidacy candidacy = election.join(next);
            if (fixture().capabilities().queue()) {
                ClientContract.until("it waits", () -> election.candidates().size() == 1);
            }
            long befell = System.nanoTime();
            befall(fate, leader, client, way);
            Duration took =
                    ClientContract.within(inTime(threeLeases(leaseOf(fate))), "the next one leads", next::leads);
            expectNoLongerBelieved(fate, leader, next, befell);
            candidacy.close();
            ClientContract.until("its term has ended", () -> leading.get() == 0);
            return took;
        }
    }

    /**
     * The end of a term is told before the next one begins, or at the first moment of a process that was stopped. If a session
     * is ended by hand, the server cannot wait for its client, which hears of it with the next answer.
     */
    private void expectNoLongerBelieved(Fate fate, ChildProcess leader, Standing next, long befellNanos)
            throws Exception {
        switch (fate) {
            case KILLED -> {}
            case STOPPED -> assertThat(wakeUp(leader, "LED")).containsKey("LED");
            case CUT_OFF ->
                assertThat(ended(leader)).as("the end of the term before").isLessThan(next.startedNanos());
            case SESSION_ENDED -> {
                Duration session =
                        Objects.requireNonNull(fixture().capabilities().session());
                assertThat(Duration.ofNanos(ended(leader) - befellNanos))
                        .as("how long the leader believed without a session")
                        .isLessThan(inTime(session.multipliedBy(3).dividedBy(4)));
            }
        }
    }

    private static long ended(ChildProcess leader) throws InterruptedException {
        return Long.parseLong(leader.expect("LED", PATIENCE));
    }

    @Test
    @DisplayName("P59: a leader that is killed is followed within three leases")
    void leader_killed_isFollowedInTime() throws Exception {
        loseLeaders(Fate.KILLED);
    }

    @Test
    @DisplayName("P59: a leader that is stopped is followed, and knows of its end at its first moment")
    void leader_stopped_isFollowed_andWakesUpKnowing() throws Exception {
        loseLeaders(Fate.STOPPED);
    }

    @Test
    @DisplayName("P59: a leader that is cut off is told of its end before another leads")
    void leader_cutOff_ends_beforeAnotherLeads() throws Exception {
        if (fixture().capabilities().reach() != Reach.NETWORK) {
            // A store on this machine cannot be cut off.
            return;
        }
        loseLeaders(Fate.CUT_OFF);
    }

    @Test
    @DisplayName(
            "P59: a leader whose session is ended by hand is followed, and told within three quarters of the session")
    void leader_whoseSessionIsEndedByHand_isFollowed_andToldSoon() throws Exception {
        if (fixture().capabilities().session() == null) {
            return;
        }
        loseLeaders(Fate.SESSION_ENDED);
    }
}
