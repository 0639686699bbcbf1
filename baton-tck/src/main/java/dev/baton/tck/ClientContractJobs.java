package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.JobOptions.AfterDeath;
import dev.baton.JobOptions.CatchUp;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.Schedule;
import dev.baton.StoreException;
import dev.baton.internal.client.SystemClock;
import dev.baton.internal.engine.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs: once for each fire time, through deaths of runners, outages of the store and wrong clocks. */
public abstract class ClientContractJobs extends ClientContract {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** For subclasses. */
    protected ClientContractJobs() {}

    private boolean endsWithoutNotes() {
        if (fixture().capabilities().notes()) {
            return false;
        }
        Baton client = connect();
        assertThatThrownBy(() -> client.job("job"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no jobs");
        assertThatThrownBy(() -> client.election("election"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no elections");
        return true;
    }

    /** Whether the store has a clock by which fire times are due. */
    private boolean hasClock() {
        return fixture().capabilities().session() == null;
    }

    static Instant now() {
        return Instant.ofEpochMilli(SystemClock.INSTANCE.wallMillis());
    }

    /** As an action that works for long, and can be interrupted. */
    private static void awaitInterrupt() throws InterruptedException {
        assertThat(new CountDownLatch(1).await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Runs a job until its fire time is over, as another client may be running it. */
    static Job.Result settle(Job job, Instant fireTime, Job.Action action) throws InterruptedException {
        while (true) {
            Job.Result result = job.run(fireTime, action);
            if (result.outcome() != Job.Outcome.RUNNING_ELSEWHERE) {
                return result;
            }
            pause(Duration.ofMillis(1));
        }
    }

    @Test
    @DisplayName("P52: result_saysWhatHappened_andWho")
    void result_saysWhatHappened_andWho() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Events events = new Events();
        Job here = connect(options().listener(events).applicationName("here").build())
                .job("mail");
        Job there = connect(options().applicationName("there").build()).job("mail");
        assertThat(here.history()).isEmpty();
        Instant fireTime = now();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Work<Job.Result> running = Mode.SYNC.start(() -> here.run(fireTime, run -> {
            assertThat(run.fireTime()).isEqualTo(fireTime);
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.lease().isHeld()).isTrue();
            begun.countDown();
            assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
        }));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        Job.Result elsewhere = there.run(fireTime, run -> {
            throw new AssertionError("it runs elsewhere");
        });
        assertThat(elsewhere.outcome()).isEqualTo(Job.Outcome.RUNNING_ELSEWHERE);
        assertThat(elsewhere.by()).contains("here");
        assertThat(there.history()).singleElement().satisfies(run -> {
            assertThat(run.state()).isEqualTo(Job.State.RUNNING);
            assertThat(run.took()).isEmpty();
        });
        end.countDown();
        Job.Result ran = running.get();
        assertThat(ran.outcome()).isEqualTo(Job.Outcome.RAN);
        assertThat(ran.failure()).isEmpty();
        Job.Result again = settle(there, fireTime, run -> {
            throw new AssertionError("it has run");
        });
        assertThat(again.outcome()).isEqualTo(Job.Outcome.ALREADY_DONE);
        assertThat(again.by()).contains("here");
        assertThat(there.run(fireTime.minusSeconds(1), run -> {}).outcome()).isEqualTo(Job.Outcome.ALREADY_DONE);
        assertThat(there.history()).singleElement().satisfies(run -> {
            assertThat(run.fireTime()).isEqualTo(fireTime);
            assertThat(run.state()).isEqualTo(Job.State.SUCCEEDED);
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.by()).contains("here");
            assertThat(run.took()).isPresent();
        });
        until("the listener hears", () -> events.count(BatonEvent.Type.JOB_RAN) == 1);
    }

    @Test
    @DisplayName("P49: fireTimes_onFiveClientsWithWrongClocks_areRunOnceEach")
    void fireTimes_onFiveClientsWithWrongClocks_areRunOnceEach() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        int fireTimes = size(1_000, 200);
        List<Duration> clocks = List.of(
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ofSeconds(-30),
                Duration.ofHours(1),
                Duration.ofHours(-1));
        // Without a clock of the store, a client whose clock is an hour behind refuses a fire time that is due.
        Instant first = now().minusSeconds(hasClock() ? fireTimes : 7_200 + fireTimes);
        AtomicInteger[] successes = new AtomicInteger[fireTimes];
        List<Work<Integer>> nodes = new ArrayList<>();
        for (int i = 0; i < fireTimes; i++) {
            successes[i] = new AtomicInteger();
        }
        for (Duration ahead : clocks) {
            Job job = connect(lastingOptions().build(), new FaultyStore(), new WallClockAhead(ahead))
                    .job("once");
            nodes.add(Mode.SYNC.start(() -> {
                for (int i = 0; i < fireTimes; i++) {
                    int at = i;
                    Job.Result result = settle(job, first.plusSeconds(i), run -> successes[at].incrementAndGet());
                    assertThat(result.outcome()).isIn(Job.Outcome.RAN, Job.Outcome.ALREADY_DONE);
                }
                return 0;
            }));
        }
        for (Work<Integer> node : nodes) {
            // At night each of them asks a thousand times.
            node.get(Duration.ofMinutes(5));
        }
        int sum = 0;
        for (AtomicInteger each : successes) {
            assertThat(each.get()).isLessThanOrEqualTo(1);
            sum += each.get();
        }
        // A client that is behind finds a later fire time recorded: then an earlier one is over, run or not.
        assertThat(sum).isEqualTo(fireTimes);
    }

    /** A runner that is cut off from the store, as if it were dead: it believes that it runs, until its lease ends. */
    private Job.Result dieMidway(Baton dying, FaultyStore faults, JobOptions jobOptions, Instant fireTime, Job other)
            throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Work<Job.Result> dead =
                Mode.SYNC.start(() -> dying.job("mail", jobOptions).run(fireTime, run -> {
                    begun.countDown();
                    while (end.getCount() > 0) {
                        try {
                            end.await();
                        } catch (InterruptedException ofTheLoss) {
                            // A process that is stopped hears nothing.
                        }
                    }
                }));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        faults.script(FaultyStore.always(FaultyStore.Fault.DROP_REQUEST));
        assertThat(other.run(fireTime, run -> {}).outcome()).isEqualTo(Job.Outcome.RUNNING_ELSEWHERE);
        Job.Result next =
                settle(other, fireTime, run -> assertThat(run.attempt()).isEqualTo(2));
        faults.script(FaultyStore.HEALTHY);
        end.countDown();
        assertThat(dead.get().outcome()).isEqualTo(Job.Outcome.LOST);
        return next;
    }

    private FaultyStore mortal() {
        return new FaultyStore();
    }

    @Test
    @DisplayName("P54: runnerThatDies_isFollowedByAnother_whichIsToldItsAttempt")
    void runnerThatDies_isFollowedByAnother_whichIsToldItsAttempt() throws Exception {
        if (endsWithoutNotes() || !hasClock()) {
            // Where leases end with sessions, a client that is merely cut off here keeps its session.
            return;
        }
        FaultyStore faults = mortal();
        Baton dying = connect(options().applicationName("dead").build(), faults);
        Job other = connect(options().applicationName("alive").build()).job("mail");
        Job.Result next = dieMidway(dying, faults, JobOptions.defaults(), now(), other);
        assertThat(next.outcome()).isEqualTo(Job.Outcome.RAN);
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(other.history()).singleElement().satisfies(run -> {
            assertThat(run.state()).isEqualTo(Job.State.SUCCEEDED);
            assertThat(run.by()).contains("alive");
            assertThat(run.attempt()).isEqualTo(2);
        });
    }

    @Test
    @DisplayName("P54: runnerThatDies_isNotFollowed_ifThePolicyIsToAbandon_andTheOutcomeIsListed")
    void runnerThatDies_isNotFollowed_ifThePolicyIsToAbandon_andTheOutcomeIsListed() throws Exception {
        if (endsWithoutNotes() || !hasClock()) {
            return;
        }
        JobOptions abandon = JobOptions.defaults().withAfterDeath(AfterDeath.ABANDON);
        FaultyStore faults = mortal();
        Baton dying = connect(options().applicationName("dead").build(), faults);
        Job other = connect().job("mail", abandon);
        Instant fireTime = now();
        Job.Result next = dieMidway(dying, faults, abandon, fireTime, other);
        assertThat(next.outcome()).isEqualTo(Job.Outcome.ABANDONED);
        assertThat(next.by()).contains("dead");
        assertThat(other.run(fireTime, run -> {}).outcome()).isEqualTo(Job.Outcome.ALREADY_DONE);
        assertThat(other.history())
                .singleElement()
                .satisfies(run -> assertThat(run.state()).isEqualTo(Job.State.UNKNOWN));
    }

    @Test
    void runnerThatLosesItsLease_whileItLooksOrWritesThatItBegins_doesNotBegin() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Job job = connect(options().build(), faults).job("mail");
        Job other = connect().job("mail");
        faults.lateness(lasting());
        Instant fireTime = now();
        AtomicInteger actions = new AtomicInteger();
        // Of the calls about notes, the second looks under the lock at what has been run, and the third writes.
        for (int late = 1; late <= 2; late++) {
            long slow = faults.count(FaultyStore.Call.NOTE) + late;
            faults.script((call, number) -> switch (call) {
                case NOTE -> number == slow ? FaultyStore.Fault.LATE_REPLY : FaultyStore.Fault.NONE;
                case HEARTBEAT -> FaultyStore.Fault.DROP_REQUEST;
                default -> FaultyStore.Fault.NONE;
            });
            Job.Result result = job.run(fireTime, run -> actions.incrementAndGet());
            faults.script(FaultyStore.HEALTHY);
            assertThat(result.outcome()).isEqualTo(Job.Outcome.LOST);
            assertThat(result.failure()).containsInstanceOf(LeaseLostException.class);
            assertThat(actions).hasValue(0);
            assertThat(Thread.currentThread().isInterrupted())
                    .as("interrupted for the sake of an action that is over")
                    .isFalse();
        }
        Job.Result next = settle(other, fireTime, run -> actions.incrementAndGet());
        assertThat(next.outcome()).isEqualTo(Job.Outcome.RAN);
        assertThat(next.attempt()).as("after a beginning that was written").isEqualTo(2);
        assertThat(actions).hasValue(1);
    }

    @Test
    void runThatIsInterrupted_staysOpen_andAnotherClientGoesOn() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Job job = connect().job("mail");
        Instant fireTime = now();
        CountDownLatch begun = new CountDownLatch(1);
        Thread runner = Thread.currentThread();
        Work<Integer> interrupting = Mode.SYNC.start(() -> {
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            runner.interrupt();
            return 0;
        });
        assertThatThrownBy(() -> job.run(fireTime, run -> {
                    begun.countDown();
                    awaitInterrupt();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupting.get()).isZero();
        Job.Result next = connect().job("mail").run(fireTime, run -> {});
        assertThat(next.outcome()).isEqualTo(Job.Outcome.RAN);
        assertThat(next.attempt()).isEqualTo(2);
    }

    @Test
    @DisplayName("P56: exceptionOfAnAction_isItsOutcome_andTheScheduleGoesOn")
    void exceptionOfAnAction_isItsOutcome_andTheScheduleGoesOn() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Events events = new Events();
        Job job = connect(options().listener(events).build()).job("mail");
        IllegalStateException thrown = new IllegalStateException("no mail server");
        Instant fireTime = now();
        Job.Result failed = job.run(fireTime, run -> {
            throw thrown;
        });
        assertThat(failed.outcome()).isEqualTo(Job.Outcome.FAILED);
        assertThat(failed.failure()).containsSame(thrown);
        assertThat(job.run(fireTime, run -> {}).outcome()).isEqualTo(Job.Outcome.ALREADY_DONE);
        assertThat(job.history().get(0).state()).isEqualTo(Job.State.FAILED);
        until("the listener hears", () -> events.count(BatonEvent.Type.JOB_FAILED) == 1);
        AtomicInteger runs = new AtomicInteger();
        // A stall that is longer than a period would be a fire time that is missed.
        try (Job.Scheduled scheduled = job.schedule(Schedule.every(SECOND.multipliedBy(4)), run -> {
            if (runs.incrementAndGet() == 1) {
                throw thrown;
            }
        })) {
            until("it runs again", () -> runs.get() >= 2);
            assertThat(scheduled.missed()).isZero();
        }
        until("the listener hears", () -> events.count(BatonEvent.Type.JOB_FAILED) == 2);
    }

    @Test
    void scheduleOnManyClients_runsEachFireTimeOnce_andTheNextClientTakesOver() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Queue<Instant> runs = new ConcurrentLinkedQueue<>();
        List<Baton> clients = new ArrayList<>();
        List<Job.Scheduled> schedules = new ArrayList<>();
        for (Duration ahead : List.of(Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(-5))) {
            // Without a clock of the store, clients whose clocks differ run early or late, but once.
            Clock clock = hasClock() ? new WallClockAhead(ahead) : new WallClockAhead(Duration.ZERO);
            Baton client = connect(options().build(), new FaultyStore(), clock);
            clients.add(client);
            schedules.add(client.job("tick").schedule(Schedule.every(SECOND), run -> runs.add(run.fireTime())));
        }
        until("two fire times", () -> runs.size() >= 2);
        clients.get(0).close();
        clients.get(1).close();
        int before = runs.size();
        until("the last client goes on", () -> runs.size() >= before + 2);
        assertThat(List.copyOf(runs)).doesNotHaveDuplicates().isSorted();
        Job.Scheduled last = schedules.get(2);
        assertThat(last.nextFireTime()).isPresent();
        last.close();
        assertThat(last.nextFireTime()).isEmpty();
        int after = runs.size();
        throughout(Duration.ofMillis(1_500), "nothing runs", () -> runs.size() <= after + 1);
    }

    @Test
    void scheduleThatStops_letsItsRunEnd_andBeginsNoOther() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Job job = connectLasting().job("tick");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        try (Job.Scheduled scheduled = job.schedule(Schedule.every(SECOND), run -> {
            runs.incrementAndGet();
            begun.countDown();
            assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
        })) {
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> end = scheduled.stop();
            throughout(Duration.ofMillis(1_500), "the run goes on", () -> !end.isDone());
            mayEnd.countDown();
            end.get(20, TimeUnit.SECONDS);
            assertThat(runs).hasValue(1);
            assertThat(job.history().get(0).state()).isEqualTo(Job.State.SUCCEEDED);
            assertThat(scheduled.nextFireTime()).isEmpty();
        }
        Job.Scheduled idle = job.schedule(Schedule.every(Duration.ofDays(1)), run -> runs.incrementAndGet());
        idle.stop().get(20, TimeUnit.SECONDS);
        assertThat(runs).hasValue(1);
    }

    @Test
    @DisplayName("P55 P58: storeThatIsAwayOverTwoFireTimes_delaysTheJob_whichIsOverdueMeanwhile")
    void storeThatIsAwayOverTwoFireTimes_delaysTheJob_whichIsOverdueMeanwhile() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Events events = new Events();
        Baton client = connect(options().listener(events).build(), faults);
        Queue<Instant> runs = new ConcurrentLinkedQueue<>();
        try (Job.Scheduled scheduled =
                client.job("tick").schedule(Schedule.every(SECOND), run -> runs.add(run.fireTime()))) {
            until("it runs", () -> !runs.isEmpty());
            faults.script(FaultyStore.always(FaultyStore.Fault.REFUSE));
            int before = runs.size();
            until("it is overdue", () -> scheduled.overdue().compareTo(Duration.ofSeconds(2)) > 0);
            assertThat(runs.size()).isLessThanOrEqualTo(before + 1);
            faults.script(FaultyStore.HEALTHY);
            int atLast = runs.size();
            until("it runs again", () -> runs.size() >= atLast + 2);
            until("it is not overdue", () -> scheduled.overdue().isZero());
            assertThat(scheduled.missed()).isPositive();
            assertThat(runs).doesNotHaveDuplicates();
            until("the listener hears", () -> missedOf(events) == scheduled.missed());
        }
    }

    @Test
    @DisplayName("P55: schedule_whoseFireTimesAnotherRuns_isTold_andIsOverdueOnceNobodyRunsThem")
    void schedule_whoseFireTimesAnotherRuns_isTold_andIsOverdueOnceNobodyRunsThem() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        // Due at once, and then after a time that also a slow machine needs to see what became of it.
        Instant fireTime = now();
        Schedule schedule = after -> Optional.of(after.isBefore(fireTime) ? fireTime : after.plusSeconds(5));
        Job there = connect(options().applicationName("there").build()).job("told");
        FaultyStore faults = new FaultyStore();
        Job here = connect(options().build(), faults).job("told");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Work<Job.Result> running = Mode.SYNC.start(() -> there.run(fireTime, run -> {
            begun.countDown();
            assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
        }));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        try (Job.Scheduled scheduled = here.schedule(schedule, run -> {})) {
            until("it runs elsewhere", () -> lastOf(scheduled, Job.Outcome.RUNNING_ELSEWHERE));
            mayEnd.countDown();
            assertThat(running.get().outcome()).isEqualTo(Job.Outcome.RAN);
            until("it was done elsewhere", () -> lastOf(scheduled, Job.Outcome.ALREADY_DONE));
            assertThat(scheduled.lastResult()).hasValueSatisfying(result -> {
                assertThat(result.fireTime()).isEqualTo(fireTime);
                assertThat(result.by()).contains("there");
            });
            faults.script(FaultyStore.always(FaultyStore.Fault.REFUSE));
            until("it is overdue", () -> scheduled.overdue().compareTo(SECOND) > 0);
            faults.script(FaultyStore.HEALTHY);
        }
    }

    private static boolean lastOf(Job.Scheduled scheduled, Job.Outcome outcome) {
        return scheduled
                .lastResult()
                .filter(result -> result.outcome() == outcome)
                .isPresent();
    }

    /** Each detail begins with the number of fire times. */
    private static long missedOf(Events events) {
        return events.details(BatonEvent.Type.JOB_MISSED)
                .mapToLong(detail -> Long.parseLong(detail.substring(0, detail.indexOf(' '))))
                .sum();
    }

    /** Begins a schedule of which some fire times have passed, and returns those that it runs until it has caught up. */
    private List<Instant> caughtUp(CatchUp policy, Duration since, Duration period) throws InterruptedException {
        Baton client = connect();
        Job job = client.job("catch up " + policy, JobOptions.defaults().withCatchUp(policy));
        Schedule schedule = Schedule.every(period);
        Instant start = now();
        Instant last = schedule.next(start.minus(since)).orElseThrow();
        assertThat(job.run(last, run -> {}).outcome()).isEqualTo(Job.Outcome.RAN);
        Queue<Instant> runs = new ConcurrentLinkedQueue<>();
        try (Job.Scheduled scheduled = job.schedule(schedule, run -> runs.add(run.fireTime()))) {
            until(
                    "it has begun",
                    () -> scheduled.missed() > 0 || scheduled.lastResult().isPresent());
            until(
                    "it has caught up",
                    () -> scheduled
                            .nextFireTime()
                            .filter(next -> next.isAfter(start))
                            .isPresent());
            long passed = since.dividedBy(period) - 1;
            long run = runs.stream().filter(each -> !each.isAfter(start)).count();
            assertThat(scheduled.missed()).isBetween(passed - run - 1, passed - run + 1);
        }
        return runs.stream().filter(each -> !each.isAfter(start)).toList();
    }

    @Test
    @DisplayName("P57: fireTimesThatHavePassed_areRunAsThePolicySays")
    void fireTimesThatHavePassed_areRunAsThePolicySays() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Duration period = Duration.ofMinutes(20);
        Duration since = Duration.ofMinutes(90);
        assertThat(caughtUp(CatchUp.ONE, since, period)).hasSize(1);
        List<Instant> all = caughtUp(CatchUp.ALL, since, period);
        assertThat(all).hasSizeBetween(3, 5).isSorted().doesNotHaveDuplicates();
        List<Instant> none = caughtUp(CatchUp.NONE, since, period);
        // The very last one may be less than a minute late.
        assertThat(none).allMatch(each -> each.isAfter(now().minusSeconds(120)));
    }

    @Test
    void atLeast_keepsAFastJobFromOthers_andAtMostInterruptsASlowOne() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        // Longer than a stall of the machine: another one must ask before it is over.
        Duration kept = Duration.ofSeconds(5);
        Job fast = connectLasting().job("fast", JobOptions.defaults().withAtLeast(kept));
        Instant fireTime = now();
        long start = System.nanoTime();
        assertThat(fast.run(fireTime, run -> {}).outcome()).isEqualTo(Job.Outcome.RAN);
        Job other = connectLasting().job("fast");
        assertThat(other.run(fireTime.plusMillis(1), run -> {}).outcome()).isEqualTo(Job.Outcome.RUNNING_ELSEWHERE);
        assertThat(settle(other, fireTime.plusMillis(1), run -> {}).outcome()).isEqualTo(Job.Outcome.RAN);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(kept.minusMillis(100));
        Job slow = connectLasting().job("slow", JobOptions.defaults().withAtMost(Duration.ofSeconds(2)));
        Job.Result late = slow.run(fireTime, run -> awaitInterrupt());
        assertThat(late.outcome()).isEqualTo(Job.Outcome.FAILED);
        assertThat(late.failure())
                .hasValueSatisfying(why ->
                        assertThat(why).isInstanceOf(TimeoutException.class).hasMessageContaining("atMost"));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    @DisplayName("P51: timesThatCannotBe_areRefused_whenTheJobIsDefined")
    void timesThatCannotBe_areRefused_whenTheJobIsDefined() {
        if (endsWithoutNotes()) {
            return;
        }
        Baton client = connect();
        JobOptions day = JobOptions.defaults().withAtLeast(Duration.ofHours(23));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> day.withAtMost(Duration.ofMinutes(20)))
                .withMessageContaining("atLeast")
                .withMessageContaining("atMost");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.job("mail", day).schedule(Schedule.every(Duration.ofHours(1)), run -> {}))
                .withMessageContaining("atLeast")
                .withMessageContaining("PT1H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.job("mail").schedule(after -> Optional.empty(), run -> {}))
                .withMessageContaining("no fire time");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.job("mail").run(now().plus(Duration.ofDays(1)), run -> {}))
                .withMessageContaining("ahead");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.job("mail").run(now().plusNanos(1), run -> {}))
                .withMessageContaining("milliseconds");
        assertThatIllegalArgumentException().isThrownBy(() -> Schedule.every(Duration.ofMillis(10)));
        assertThatIllegalArgumentException().isThrownBy(() -> client.job(""));
    }

    @Test
    void noteOfAnotherProgram_isNotTakenForARecord() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton client = connect();
        try (Lease lease = client.lock("baton-job:mail").acquire()) {
            lease.writeNote(new byte[] {1, 2, 3});
        }
        assertThatThrownBy(() -> client.job("mail").run(now(), run -> {}))
                .hasMessageContaining("\"mail\"")
                .hasMessageContaining("forget");
        assertThat(client.admin().forget("baton-job:mail")).isTrue();
        assertThat(client.job("mail").run(now(), run -> {}).outcome()).isEqualTo(Job.Outcome.RAN);
    }

    @Test
    void storeThatIsAway_isAnException_andNothingBegins() {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().build(), faults);
        faults.script(FaultyStore.always(FaultyStore.Fault.REFUSE));
        assertThatThrownBy(() -> client.job("mail").run(now(), run -> {
                    throw new AssertionError("it must not begin");
                }))
                .isInstanceOf(StoreException.class);
    }
}
