package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.internal.store.Pace;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands are texts such as "a1", for the name "a". Their answer is the text itself. */
@Timeout(60)
class CombinerTest {
    private static final long SECONDS = TimeUnit.SECONDS.toNanos(20);

    private final Semaphore sessions = new Semaphore(1, true);
    private final Queue<List<String>> executed = new ConcurrentLinkedQueue<>();
    private volatile Combiner<String, String> combiner = combiner(new Pace(2));
    private volatile CombinedStatement statement = (number, commands) -> commands;

    private Combiner<String, String> combiner(Pace pace) {
        return new Combiner<>(
                new Lending(), CombinerTest::isLocked, CombinerTest::busy, CombinerTest::name, this::all, pace);
    }

    /** A statement: returns the commands that have an effect. */
    private interface CombinedStatement {
        List<String> execute(int number, List<String> commands) throws SQLException, StoreFailure;
    }

    private static String name(String command) {
        return command.substring(0, 1);
    }

    private static boolean isLocked(StoreFailure failure) {
        return String.valueOf(failure.getMessage()).contains("locked");
    }

    private static StoreFailure busy(Effect effect) {
        return new StoreFailure(effect, Reason.UNREACHABLE, "others left no time", null);
    }

    private Map<String, String> all(Session session, List<String> commands) throws SQLException {
        Map<String, String> answers = new HashMap<>();
        execute(commands).forEach(command -> answers.put(command, command));
        return answers;
    }

    private String alone(String command) throws SQLException {
        return execute(List.of(command)).isEmpty() ? "nothing" : command;
    }

    private List<String> execute(List<String> commands) throws SQLException {
        executed.add(commands);
        try {
            return statement.execute(executed.size(), commands);
        } catch (StoreFailure failure) {
            throw new SQLException(failure);
        }
    }

    /** Lends sessions, and repeats a call that found the database busy. */
    private final class Lending implements RowLocks.Runner {
        @Override
        @SuppressWarnings("NullAway") // Nothing here looks at the session.
        public <T> T run(Deadline deadline, Session.Work<T> work) throws StoreFailure {
            enter(deadline);
            try {
                while (true) {
                    try {
                        return work.on(null);
                    } catch (SQLException said) {
                        if (!"busy".equals(said.getMessage())) {
                            throw said.getCause() instanceof StoreFailure failure
                                    ? failure
                                    : new StoreFailure(Effect.UNKNOWN, String.valueOf(said.getMessage()), said);
                        }
                    }
                }
            } finally {
                sessions.release();
            }
        }

        private void enter(Deadline deadline) throws StoreFailure {
            try {
                if (!sessions.tryAcquire(deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
                    throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, "no session in time", null);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private String run(String command) throws StoreFailure {
        return run(command, SECONDS);
    }

    private String run(String command, long nanos) throws StoreFailure {
        return combiner.run(command, Deadline.in(nanos), session -> alone(command), session -> "alone");
    }

    private Work<String> started(String command) throws Exception {
        return started(command, SECONDS);
    }

    private Work<String> started(String command, long nanos) throws Exception {
        CountDownLatch begins = new CountDownLatch(1);
        Work<String> work = Mode.SYNC.start(() -> {
            begins.countDown();
            return run(command, nanos);
        });
        begins.await();
        return work;
    }

    /** Starts commands while no session is free, and waits until all are queued. */
    private List<Work<String>> queued(String... commands) throws Exception {
        List<Work<String>> works = new ArrayList<>();
        for (String command : commands) {
            works.add(started(command));
        }
        awaitQueued(commands.length);
        return works;
    }

    private void awaitQueued(int commands) {
        Waiting.until(commands + " are queued", () -> combiner.waiting() == commands);
    }

    private static List<String> answers(List<Work<String>> works) throws Exception {
        List<String> answers = new ArrayList<>();
        for (Work<String> work : works) {
            answers.add(work.get());
        }
        return answers;
    }

    @Test
    void commandThatMeetsNoOther_goesAlone() throws Exception {
        assertThat(run("a1")).isEqualTo("a1");
        assertThat(run("b2")).isEqualTo("b2");
        assertThat(executed).containsExactly(List.of("a1"), List.of("b2"));
    }

    @Test
    void commandsThatMeet_goTogether() throws Exception {
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2", "c3");
        sessions.release();
        assertThat(answers(works)).containsExactly("a1", "b2", "c3");
        assertThat(executed).hasSize(1);
        assertThat(executed.element()).containsExactlyInAnyOrder("a1", "b2", "c3");
    }

    @Test
    void commands_onAServerThatIsFar_doNotWaitForEachOther() throws Exception {
        Pace pace = new Pace(2, TimeUnit.MINUTES.toNanos(1));
        for (int i = 0; i < 100; i++) {
            pace.took(TimeUnit.MILLISECONDS.toNanos(5), 1);
        }
        combiner = combiner(pace);
        CountDownLatch ends = new CountDownLatch(1);
        statement = (number, commands) -> {
            Waiting.await(ends);
            return commands;
        };
        sessions.release();
        Work<String> first = started("a1");
        Work<String> second = started("b2");
        Waiting.until("both are under way", () -> executed.size() == 2);
        ends.countDown();
        assertThat(answers(List.of(first, second))).containsExactly("a1", "b2");
    }

    @Test
    void commandWithoutEffect_isToGoOnAlone() throws Exception {
        statement = (number, commands) -> List.of("b2");
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2");
        sessions.release();
        assertThat(answers(works)).containsExactly("alone", "b2");
    }

    @Test
    void statement_hasEachNameOnce() throws Exception {
        sessions.acquire();
        List<Work<String>> works = queued("a1", "a2", "b3");
        sessions.release();
        assertThat(answers(works)).containsExactly("a1", "a2", "b3");
        assertThat(executed)
                .hasSize(2)
                .allSatisfy(commands ->
                        assertThat(commands.stream().map(CombinerTest::name)).doesNotHaveDuplicates());
    }

    @Test
    void statement_hasABound() throws Exception {
        sessions.acquire();
        String[] commands = IntStream.range(0, Combiner.MOST + 3)
                .mapToObj(i -> (char) ('a' + i) + "1")
                .toArray(String[]::new);
        List<Work<String>> works = queued(commands);
        sessions.release();
        assertThat(answers(works)).containsExactly(commands);
        assertThat(executed.element()).hasSize(Combiner.MOST);
    }

    @Test
    void lockedRowOfOne_leavesAllToGoOnAlone() throws Exception {
        statement = (number, commands) -> {
            throw new StoreFailure(Effect.NONE, "a row is locked", null);
        };
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2");
        sessions.release();
        assertThat(answers(works)).containsExactly("alone", "alone");
        assertThatThrownBy(() -> run("c3")).hasMessageContaining("locked");
    }

    @Test
    void failure_isToldToAll_withItsEffect() throws Exception {
        statement = (number, commands) -> {
            throw new StoreFailure(Effect.UNKNOWN, Reason.UNREACHABLE, "the connection broke", null);
        };
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2");
        sessions.release();
        for (Work<String> work : works) {
            assertThatThrownBy(work::get).isInstanceOfSatisfying(StoreFailure.class, failure -> {
                assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
                assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE);
                assertThat(failure).hasMessage("the connection broke");
            });
        }
        statement = (number, commands) -> commands;
        assertThat(run("c3")).isEqualTo("c3");
    }

    @Test
    void faultOfTheProgram_reachesItsThread_andIsUnknownToTheOthers() throws Exception {
        statement = (number, commands) -> {
            throw new IllegalStateException("a fault");
        };
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2");
        sessions.release();
        List<String> told = new ArrayList<>();
        for (Work<String> work : works) {
            try {
                work.get();
            } catch (Exception failure) {
                told.add(failure.toString());
            }
        }
        assertThat(told).hasSize(2).anySatisfy(text -> assertThat(text).contains("a fault"));
        assertThat(told).anySatisfy(text -> assertThat(text).contains("broken off"));
        statement = (number, commands) -> commands;
        assertThat(run("c3")).isEqualTo("c3");
    }

    @Test
    void busyDatabase_isAskedAgain_forTheSameCommands() throws Exception {
        statement = (number, commands) -> {
            if (number == 1) {
                throw new SQLException("busy");
            }
            return commands;
        };
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2");
        sessions.release();
        assertThat(answers(works)).containsExactly("a1", "b2");
        assertThat(executed).hasSize(2);
    }

    @Test
    void commandThatWaitsTooLong_hasNoEffect_andSomebodyElseGoesOn() throws Exception {
        sessions.acquire();
        assertThatThrownBy(() -> run("a1", TimeUnit.MILLISECONDS.toNanos(300)))
                .isInstanceOfSatisfying(
                        StoreFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
        List<Work<String>> works = queued("b2");
        assertThatThrownBy(() -> run("c3", TimeUnit.MILLISECONDS.toNanos(300)))
                .isInstanceOfSatisfying(
                        StoreFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
        sessions.release();
        assertThat(answers(works)).containsExactly("b2");
        assertThat(executed).containsExactly(List.of("b2"));
        assertThat(combiner.waiting()).isZero();
    }

    @Test
    void commandWhoseTimeIsOverWhileItIsExecuted_hasAnUnknownEffect() throws Exception {
        long nanos = TimeUnit.MILLISECONDS.toNanos(300);
        // On a busy machine the time may be over before the command is taken.
        while (!isTaken("b2", nanos)) {
            nanos *= 2;
            executed.clear();
        }
    }

    /** Returns whether a command was taken for a statement that outlives it. Only if it was, its effect is unknown. */
    private boolean isTaken(String command, long nanos) throws Exception {
        CountDownLatch ends = new CountDownLatch(1);
        statement = (number, commands) -> {
            Waiting.await(ends);
            return commands;
        };
        sessions.acquire();
        List<Work<String>> works = queued("a1");
        CountDownLatch over = new CountDownLatch(1);
        Work<String> late = Mode.SYNC.start(() -> {
            try {
                return run(command, nanos);
            } finally {
                over.countDown();
            }
        });
        Waiting.until("it is queued, or over", () -> combiner.waiting() == 2 || over.getCount() == 0);
        sessions.release();
        Waiting.until("a statement is executed", () -> !executed.isEmpty());
        boolean taken = executed.element().contains(command);
        assertThatThrownBy(late::get)
                .isInstanceOfSatisfying(
                        StoreFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(taken ? Effect.UNKNOWN : Effect.NONE));
        ends.countDown();
        assertThat(answers(works)).containsExactly("a1");
        return taken;
    }

    /** A statement has the time of its leader, and fails for all when that is over. */
    @Test
    void commandWithFarMoreTime_doesNotFailWithAStatementThatHasLittle() throws Exception {
        statement = (number, commands) -> {
            if (commands.contains("a1")) {
                throw new StoreFailure(Effect.UNKNOWN, Reason.UNREACHABLE, "its time was over", null);
            }
            return commands;
        };
        sessions.acquire();
        Work<String> hurried = started("a1", SECONDS / 4);
        awaitQueued(1);
        Work<String> patient = started("b2", SECONDS);
        awaitQueued(2);
        sessions.release();
        assertThatThrownBy(hurried::get).hasMessage("its time was over");
        assertThat(patient.get()).isEqualTo("b2");
        assertThat(combiner.waiting()).isZero();
    }

    @Test
    void commandWithLittleTime_goesAlone() throws Exception {
        sessions.acquire();
        List<Work<String>> works = queued("a1", "b2");
        Work<String> brief = started("c3", TimeUnit.MILLISECONDS.toNanos(200));
        assertThatThrownBy(brief::get).hasMessage("no session in time");
        sessions.release();
        assertThat(answers(works)).containsExactly("a1", "b2");
        assertThat(run("c3", TimeUnit.MILLISECONDS.toNanos(200))).isEqualTo("c3");
        assertThat(executed.element()).doesNotContain("c3");
    }

    @Test
    void statementThatIsStuck_delaysNoOther() throws Exception {
        sessions.release(3);
        CountDownLatch ends = new CountDownLatch(1);
        statement = (number, commands) -> {
            if (commands.contains("a1")) {
                Waiting.await(ends);
            }
            return commands;
        };
        Work<String> stuck = started("a1");
        Waiting.until("it is executed", () -> !executed.isEmpty());
        assertThat(run("b2")).isEqualTo("b2");
        assertThat(run("c3")).isEqualTo("c3");
        ends.countDown();
        assertThat(stuck.get()).isEqualTo("a1");
    }

    @Test
    void interruptedCaller_getsItsAnswer_andStaysInterrupted() throws Exception {
        sessions.acquire();
        List<Work<String>> works = queued("a1");
        AtomicInteger interrupted = new AtomicInteger();
        Thread caller = new Thread(() -> {
            try {
                assertThat(run("b2")).isEqualTo("b2");
                interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            } catch (StoreFailure failure) {
                throw new AssertionError(failure);
            }
        });
        caller.start();
        awaitQueued(2);
        caller.interrupt();
        sessions.release();
        caller.join(TimeUnit.NANOSECONDS.toMillis(SECONDS));
        assertThat(interrupted).hasValue(1);
        assertThat(answers(works)).containsExactly("a1");
    }

    /** A caller that is told that its command has an effect, or none, is told the truth; and no caller waits for ever. */
    @Test
    void manyCallers_areToldWhatBecameOfTheirCommands_onceEach() throws Exception {
        sessions.release(2);
        int threads = 12;
        int each = 2_000;
        Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
        statement = (number, commands) -> {
            SplittableRandom random = new SplittableRandom(number);
            int dice = random.nextInt(40);
            if (dice == 0) {
                throw new SQLException("busy");
            }
            if (dice == 1) {
                throw new StoreFailure(Effect.NONE, "a row is locked", null);
            }
            List<String> done =
                    commands.stream().filter(command -> random.nextInt(10) > 0).toList();
            done.forEach(command -> effects.computeIfAbsent(command, fresh -> new AtomicInteger())
                    .incrementAndGet());
            if (dice == 2) {
                throw new StoreFailure(Effect.UNKNOWN, "the connection broke", null);
            }
            return done;
        };
        List<Work<Integer>> works = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            char named = (char) ('a' + i % 5);
            String suffix = "-" + i + "-";
            works.add(Mode.SYNC.start(() -> {
                int done = 0;
                for (int j = 0; j < each; j++) {
                    done += isRight(named + suffix + j, effects) ? 1 : 0;
                }
                return done;
            }));
        }
        for (Work<Integer> work : works) {
            assertThat(work.get()).isEqualTo(each);
        }
        assertThat(effects.values()).allSatisfy(times -> assertThat(times.get()).isEqualTo(1));
        assertThat(executed).anySatisfy(commands -> assertThat(commands).hasSizeGreaterThan(1));
        assertThat(combiner.waiting()).isZero();
    }

    private boolean isRight(String command, Map<String, AtomicInteger> effects) {
        try {
            return run(command).equals(command) == effects.containsKey(command);
        } catch (StoreFailure failure) {
            return failure.effect() == Effect.UNKNOWN || !effects.containsKey(command);
        }
    }
}
