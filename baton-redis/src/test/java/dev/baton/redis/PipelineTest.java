package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of a pipeline's callers, to the byte: the server answers as the test says. */
@Timeout(60)
class PipelineTest {
    private static final String THREAD = "pipeline-test";
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Long enough for a busy machine to send a command, and shorter than the silence that ends a connection. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** For threads that have to wait for a processor, beside the measured stalls; far below that silence. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final int HOPS = 3;

    private final JvmHiccups hiccups = new JvmHiccups();
    private final JointCommand brackets = JointCommand.inBrackets();
    private final Queue<PipelineFakeWire> next = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connects = new AtomicInteger();
    private PipelineFakeWire wire = PipelineFakeWire.silent();
    private Pipeline pipeline = pipeline();

    private Pipeline pipeline() {
        return new Pipeline(wire, this::connect, "the fake", THREAD);
    }

    private Wire connect() throws StoreFailure {
        connects.incrementAndGet();
        PipelineFakeWire fresh = next.poll();
        if (fresh == null) {
            throw new StoreFailure(Effect.NONE, "nobody is there", null);
        }
        return fresh;
    }

    private void restart(PipelineFakeWire other) {
        pipeline.close();
        wire = other;
        pipeline = pipeline();
    }

    @AfterEach
    void close() throws Exception {
        hiccups.close();
        pipeline.close();
        assertThat(wire.wasShared()).isFalse();
        awaitNoPump();
    }

    private static void awaitNoPump() throws InterruptedException {
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
        while (threads() > 0 && deadline.leftNanos() > 0) {
            Thread.sleep(5);
        }
        assertThat(threads()).as("threads of pumps").isZero();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD))
                .count();
    }

    private static Call.Encoder command(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return (out, any) -> out.raw(bytes);
    }

    private Object ask(String command, Duration time) throws StoreFailure {
        return pipeline.ask(command(command), Deadline.in(time.toNanos())).answer();
    }

    /** Sends a command on another thread, and waits until the server has it, after everything that it got before. */
    private Work<Object> asking(Mode mode, String command, Duration time) throws Exception {
        int before = wire.sent().length();
        Work<Object> work = mode.start(() -> ask(command, time));
        wire.awaitSent(before + command.length());
        return work;
    }

    private Work<Object> asking(String command) throws Exception {
        return asking(Mode.SYNC, command, LONG);
    }

    /** Waits until callers stand in the queue, behind a leader that still waits for its answer. */
    private static void awaitQueued(List<? extends Work<?>> callers) throws Exception {
        Clients.until("all wait", () -> callers.stream().allMatch(Work::isWaiting));
    }

    private static StoreFailure failure(Work<?> work) {
        return catchThrowableOfType(StoreFailure.class, work::get);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    static Stream<Mode> kinds() {
        return Mode.available().filter(mode -> mode != Mode.ASYNC);
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void answer_belongsToItsCaller(Mode mode) throws Exception {
        Work<Object> work = asking(mode, "a", LONG);
        wire.answer("+A\r\n");
        assertThat(work.get()).isEqualTo("A");
        assertThat(wire.sent()).isEqualTo("a");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void errorBetweenAnswers_isAnAnswer(Mode mode) throws Exception {
        restart(PipelineFakeWire.echo());
        List<Work<Object>> work = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String command = i % 3 == 0 ? "-ERR " + i + "\r\n" : ":" + i + "\r\n";
            work.add(mode.start(() -> ask(command, LONG)));
        }
        for (int i = 0; i < 60; i++) {
            assertThat(work.get(i).get()).isEqualTo(i % 3 == 0 ? new RespError("ERR " + i) : (Object) (long) i);
        }
    }

    @Test
    void loneThread_needsNoOther() throws Exception {
        restart(PipelineFakeWire.echo());
        for (int i = 0; i < 100; i++) {
            assertThat(ask(":" + i + "\r\n", LONG)).isEqualTo((long) i);
        }
        assertThat(threads()).isZero();
        assertThat(wire.sends()).isEqualTo(100);
    }

    /** Creates a part that travels with others in brackets; without a text it cannot be encoded. */
    private Call.Encoder part(String text) {
        return brackets.part(out -> {
            if (text.isEmpty()) {
                throw new IllegalStateException("a defect");
            }
            out.part(text.getBytes(StandardCharsets.UTF_8));
        });
    }

    /** Sends the commands behind a leader that waits for its answer, so that all are queued when the answer arrives. */
    private List<Call> askTogether(String sent, String answers, Call.Encoder... commands) throws Exception {
        Work<Object> leader = asking("a");
        Work<List<Call>> all = Mode.SYNC.start(() -> pipeline.askAll(List.of(commands), Deadline.in(LONG.toNanos())));
        awaitQueued(List.of(all));
        wire.answer("+A\r\n");
        wire.awaitSent(1 + sent.length());
        assertThat(wire.sent()).isEqualTo("a" + sent);
        wire.answer(answers);
        assertThat(leader.get()).isEqualTo("A");
        return all.get();
    }

    private static List<Object> answers(List<Call> calls) throws StoreFailure {
        List<Object> answers = new ArrayList<>();
        for (Call call : calls) {
            answers.add(call.answer());
        }
        return answers;
    }

    @Test
    void partsOfOneCommand_getEachItsOwnAnswer() throws Exception {
        List<Call> calls = askTogether(
                "[bcd][e]f[g]",
                "*3\r\n:1\r\n-ERR two\r\n*1\r\n:3\r\n:4\r\n:5\r\n:6\r\n",
                part("b"),
                part("c"),
                part("d"),
                part("e"),
                command("f"),
                part("g"));
        assertThat(answers(calls)).containsExactly(1L, new RespError("ERR two"), List.of(3L), 4L, 5L, 6L);
    }

    @Test
    void errorOfOneCommand_meetsAllItsParts() throws Exception {
        List<Call> calls = askTogether("[bc]d", "-ERR both\r\n:1\r\n", part("b"), part("c"), command("d"));
        assertThat(answers(calls)).containsExactly(new RespError("ERR both"), new RespError("ERR both"), 1L);
    }

    @Test
    void partThatCannotBeWritten_failsAlone() throws Exception {
        List<Call> calls = askTogether("[bc]", "*2\r\n:1\r\n:2\r\n", part("b"), part(""), part("c"));
        assertThat(calls.get(0).answer()).isEqualTo(1L);
        assertThat(catchThrowableOfType(StoreFailure.class, calls.get(1)::answer)
                        .effect())
                .isEqualTo(Effect.NONE);
        assertThat(calls.get(2).answer()).isEqualTo(2L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*1\r\n:1\r\n", "*3\r\n:1\r\n:2\r\n:3\r\n", ":1\r\n"})
    void answerToFewerOrMoreThanWereAsked_breaksTheConnection(String answer) throws Exception {
        List<Call> calls = askTogether("[bc]", answer, part("b"), part("c"));
        for (Call call : calls) {
            assertThat(catchThrowableOfType(StoreFailure.class, call::answer).effect())
                    .isEqualTo(Effect.UNKNOWN);
        }
        assertThat(wire.isClosed()).isTrue();
    }

    @Test
    void whatIsQueued_goesOutInOnePiece() throws Exception {
        Work<Object> leader = asking("a");
        List<Work<Object>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(Mode.SYNC.start(() -> ask("b", LONG)));
        }
        awaitQueued(others);
        assertThat(wire.sent()).isEqualTo("a");
        wire.answer("+A\r\n");
        wire.awaitSent(21);
        assertThat(wire.sends()).isEqualTo(2);
        wire.answer("+B\r\n".repeat(20));
        assertThat(leader.get()).isEqualTo("A");
        for (Work<Object> other : others) {
            assertThat(other.get()).isEqualTo("B");
        }
    }

    @Test
    void thousandsOfCommands_areAnsweredInTheirOrder() throws Exception {
        restart(PipelineFakeWire.echo());
        List<Call.Encoder> commands = IntStream.range(0, 20_000)
                .mapToObj(i -> command(":" + i + "\r\n"))
                .toList();
        List<Call> calls = pipeline.askAll(commands, Deadline.in(LONG.toNanos()));
        assertThat(calls).hasSize(20_000);
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i).answer()).isEqualTo((long) i);
            assertThat(calls.get(i).runId()).isEqualTo("fake");
        }
        assertThat(wire.sends()).isLessThan(1_000);
        assertThat(pipeline.askAll(List.of(), Deadline.in(0))).isEmpty();
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void lateAnswer_isDropped_andNothingShifts(Mode mode) throws Exception {
        Work<Object> leader = asking(mode, "a", SHORT);
        List<Work<Object>> others = new ArrayList<>();
        for (Mode other : kinds().toList()) {
            others.add(other.start(() -> ask("b", LONG)));
        }
        StoreFailure late = failure(leader);
        assertThat(late).hasMessage("no answer from the fake in time");
        assertThat(late.effect()).isEqualTo(Effect.UNKNOWN);
        wire.answer("+A\r\n");
        wire.awaitSent(1 + others.size());
        wire.answer("+B\r\n".repeat(others.size()));
        for (Work<Object> other : others) {
            assertThat(other.get()).isEqualTo("B");
        }
        Work<Object> later = asking("c");
        wire.answer("+C\r\n");
        assertThat(later.get()).isEqualTo("C");
    }

    @Test
    void answerThatWasHalfRead_whenTheLeaderLeft_isReadOn() throws Exception {
        Work<Object> leader = asking(Mode.SYNC, "a", SHORT);
        wire.answer("$10\r\n01234");
        assertThat(failure(leader).effect()).isEqualTo(Effect.UNKNOWN);
        Work<Object> other = asking("b");
        wire.answer("56789\r");
        Thread.sleep(20);
        wire.answer("\n+B\r\n");
        assertThat(other.get()).isEqualTo("B");
    }

    /** A caller that comes after a pause finds an answer that is older than the patience with a server. */
    @Test
    void lateAnswer_thatNobodyReadForLong_isNoSilence() throws Exception {
        assertThat(failure(asking(Mode.SYNC, "a", SHORT))).isNotNull();
        wire.answer("+A\r\n");
        Thread.sleep(TimeUnit.NANOSECONDS.toMillis(Pipeline.SILENCE_NANOS) + 200);
        Work<Object> later = asking("b");
        wire.answer("+B\r\n");
        assertThat(later.get()).isEqualTo("B");
        assertThat(connects).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void silentServer_isGivenUp_andTheNextConnectionUsed(Mode mode) throws Exception {
        PipelineFakeWire other = PipelineFakeWire.echo();
        next.add(other);
        long start = System.nanoTime();
        Work<Object> first = asking(mode, "a", LONG);
        StoreFailure silent = failure(first);
        assertThat(silent).hasMessageContaining("silent for 5 s").hasMessageContaining("the fake");
        assertThat(silent.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(since(start))
                .isBetween(
                        Duration.ofMillis(4_990),
                        hiccups.fair(Duration.ofSeconds(5).plus(MARGIN), HOPS));
        assertThat(wire.isClosed()).isTrue();
        assertThat(mode.start(() -> ask(":1\r\n", LONG)).get()).isEqualTo(1L);
        assertThat(other.sent()).as("nothing is sent twice").isEqualTo(":1\r\n");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyCaller_returnsAtItsOwnTime(Mode mode) throws Exception {
        List<Work<Duration>> work = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            Duration time = Duration.ofMillis(i * 20L);
            work.add(mode.start(() -> {
                long start = System.nanoTime();
                assertThatThrownBy(() -> ask("a", time)).hasMessageContaining("in time");
                return since(start).minus(time);
            }));
        }
        for (Work<Duration> each : work) {
            assertThat(each.get()).isBetween(Duration.ZERO, hiccups.fair(MARGIN, HOPS));
        }
    }

    @Test
    void noTimeAtAll_isNeverSent() {
        StoreFailure late = catchThrowableOfType(StoreFailure.class, () -> ask("a", Duration.ZERO));
        assertThat(late.effect()).isEqualTo(Effect.NONE);
        assertThat(wire.sent()).isEmpty();
    }

    @Test
    void manyCommandsWhoseTimeIsOver_areNotSentAnyMore() throws Exception {
        List<Call.Encoder> commands = IntStream.range(0, 1_000)
                .mapToObj(i -> command("x".repeat(1_000)))
                .toList();
        assertThatThrownBy(() -> pipeline.askAll(commands, Deadline.in(SHORT.toNanos())))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("in time");
        int sent = wire.sent().length();
        assertThat(sent).isBetween(Outbound.MOST_IN_FLIGHT, Outbound.MOST_IN_FLIGHT + 1_000);
        wire.answer("+X\r\n".repeat(sent / 1_000));
        Work<Object> later = asking("b");
        wire.answer("+B\r\n");
        assertThat(later.get()).isEqualTo("B");
        assertThat(wire.sent()).hasSize(sent + 1);
    }

    // ---- what is in flight ---------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void serverThatAnswersNothing_getsNoMoreThanTheBound(Mode mode) throws Exception {
        int size = 3_000;
        int callers = 60;
        Work<Object> leader = asking(mode, "a", LONG);
        List<Work<Effect>> work = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            work.add(mode.start(() -> {
                Throwable failure = catchThrowable(() -> ask("x".repeat(size), SHORT.multipliedBy(2)));
                return ((StoreFailure) failure).effect();
            }));
        }
        awaitQueued(work);
        wire.answer("+A\r\n");
        assertThat(leader.get()).isEqualTo("A");
        List<Effect> effects = new ArrayList<>();
        for (Work<Effect> each : work) {
            effects.add(each.get());
        }
        int bytes = wire.sent().length() - 1;
        int sent = bytes / size;
        assertThat(bytes).isBetween(Outbound.MOST_IN_FLIGHT, Outbound.MOST_IN_FLIGHT + size);
        assertThat(effects.stream().filter(effect -> effect == Effect.UNKNOWN)).hasSize(sent);
        assertThat(effects.stream().filter(effect -> effect == Effect.NONE)).hasSize(callers - sent);
        // An unsent command is not sent later either, and its room is free again.
        wire.answer("+X\r\n".repeat(sent));
        Work<Object> later = asking("b");
        wire.answer("+B\r\n");
        assertThat(later.get()).isEqualTo("B");
        assertThat(wire.sent()).hasSize(1 + bytes + 1);
    }

    @Test
    void oneCommandAboveTheBound_isSentAlone() throws Exception {
        String huge = "x".repeat(3 * Outbound.MOST_IN_FLIGHT);
        Work<Object> first = asking(huge);
        Work<Object> second = Mode.SYNC.start(() -> ask("b", LONG));
        awaitQueued(List.of(second));
        assertThat(wire.sent()).hasSize(huge.length());
        wire.answer("+A\r\n");
        assertThat(first.get()).isEqualTo("A");
        wire.awaitSent(huge.length() + 1);
        wire.answer("+B\r\n");
        assertThat(second.get()).isEqualTo("B");
    }

    // ---- commands that cannot be written -------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void commandThatCannotBeWritten_harmsNobodyElse(Mode mode) throws Exception {
        Work<Object> leader = asking("a");
        Work<Object> before = mode.start(() -> ask("b", LONG));
        awaitQueued(List.of(before));
        Work<Object> defect = mode.start(() -> pipeline.ask(
                        (out, any) -> {
                            out.raw(new byte[] {'x', 'x'});
                            throw new IllegalArgumentException("cannot");
                        },
                        Deadline.in(LONG.toNanos()))
                .answer());
        awaitQueued(List.of(defect));
        Work<Object> after = mode.start(() -> ask("b", LONG));
        awaitQueued(List.of(after));
        wire.answer("+A\r\n");
        StoreFailure failure = failure(defect);
        assertThat(failure.effect()).isEqualTo(Effect.NONE);
        assertThat(failure).hasMessageContaining("cannot");
        wire.awaitSent(3);
        wire.answer("+B\r\n+B\r\n");
        assertThat(leader.get()).isEqualTo("A");
        assertThat(before.get()).isEqualTo("B");
        assertThat(after.get()).isEqualTo("B");
        assertThat(wire.sent()).isEqualTo("abb");
    }

    /** As after a stack overflow or with a full heap: the commands before it were not sent, and get no answers. */
    @ParameterizedTest
    @MethodSource("kinds")
    void errorWhileWriting_shiftsNoAnswer(Mode mode) throws Exception {
        PipelineFakeWire other = PipelineFakeWire.echo();
        next.add(other);
        Work<Object> leader = asking("a");
        List<Work<Object>> victims = new ArrayList<>();
        victims.add(mode.start(() -> ask(":1\r\n", LONG)));
        awaitQueued(victims);
        Work<Object> defect = mode.start(() -> pipeline.ask(
                        (out, any) -> {
                            throw new StackOverflowError("deep");
                        },
                        Deadline.in(Duration.ofSeconds(3).toNanos()))
                .answer());
        awaitQueued(List.of(defect));
        victims.add(mode.start(() -> ask(":2\r\n", LONG)));
        awaitQueued(victims);
        wire.answer("+A\r\n");
        assertThat(leader.get()).isEqualTo("A");
        assertThat(catchThrowable(defect::get)).isNotNull();
        for (int i = 0; i < victims.size(); i++) {
            Work<Object> victim = victims.get(i);
            Throwable failure = catchThrowable(victim::get);
            if (failure == null) {
                assertThat(victim.get()).isEqualTo(i + 1L);
            }
        }
        assertThat(mode.start(() -> ask(":7\r\n", LONG)).get()).isEqualTo(7L);
        assertThat(wire.sent()).isEqualTo("a");
    }

    // ---- connections ---------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void brokenConnection_isReplaced_andWhatWasNotSentGoesThere(Mode mode) throws Exception {
        next.add(PipelineFakeWire.echo());
        Work<Object> sent = asking(mode, "a", LONG);
        Work<Object> queued = mode.start(() -> ask(":2\r\n", LONG));
        awaitQueued(List.of(queued));
        wire.close();
        StoreFailure failure = failure(sent);
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure).hasMessage("the connection to the fake broke: the fake server is gone");
        assertThat(queued.get()).isEqualTo(2L);
        assertThat(connects).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noConnection_isToldToAllWhoWait_andNotTriedForNobody(Mode mode) throws Exception {
        wire.close();
        assertThat(failure(mode.start(() -> ask("a", LONG))).effect()).isEqualTo(Effect.UNKNOWN);
        List<Work<Object>> work = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            work.add(mode.start(() -> ask("b", LONG)));
        }
        for (Work<Object> each : work) {
            StoreFailure failure = failure(each);
            assertThat(failure).hasMessage("nobody is there");
            assertThat(failure.effect()).isEqualTo(Effect.NONE);
        }
        int tries = connects.get();
        assertThat(tries).isBetween(1, 20);
        Thread.sleep(100);
        assertThat(connects).hasValue(tries);
    }

    @Test
    void answerThatNobodyAskedFor_endsTheConnection() throws Exception {
        next.add(PipelineFakeWire.echo());
        Work<Object> first = asking("a");
        wire.answer("+A\r\n+Z\r\n");
        assertThat(first.get()).isEqualTo("A");
        assertThat(ask(":1\r\n", LONG)).isEqualTo(1L);
        assertThat(wire.isClosed()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void garbage_endsTheConnection(Mode mode) throws Exception {
        next.add(PipelineFakeWire.echo());
        Work<Object> first = asking(mode, "a", LONG);
        wire.answer("HTTP/1.1 400 Bad Request\r\n");
        StoreFailure failure = failure(first);
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure).hasMessageContaining("the port of another service");
        assertThat(mode.start(() -> ask(":1\r\n", LONG)).get()).isEqualTo(1L);
    }

    @Test
    void defectOfTheConnector_isToldToCallers() throws Exception {
        pipeline.close();
        Pipeline other = new Pipeline(
                wire,
                () -> {
                    throw new IllegalStateException("a defect");
                },
                "the fake",
                THREAD);
        wire.close();
        assertThatThrownBy(
                () -> other.ask(command("a"), Deadline.in(LONG.toNanos())).answer());
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() ->
                            other.ask(command("a"), Deadline.in(LONG.toNanos())).answer())
                    .isInstanceOf(StoreFailure.class)
                    .hasMessage("a defect");
        }
        other.close();
    }

    // ---- interrupts ----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void interrupt_isKept_andEndsNothing(Mode mode) throws Exception {
        List<Work<Object>> work = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            work.add(mode.start(() -> {
                Object answer = ask("a", LONG);
                return answer + " " + Thread.interrupted();
            }));
        }
        wire.awaitSent(1);
        awaitQueued(work);
        work.get(0).interrupt();
        work.get(3).interrupt();
        Thread.sleep(50);
        assertThat(work).noneMatch(Work::isDone);
        for (int i = 0; i < 6; i++) {
            wire.awaitSent(i + 1);
            wire.answer("+A\r\n");
        }
        for (int i = 0; i < 6; i++) {
            assertThat(work.get(i).get()).isEqualTo("A " + (i == 0 || i == 3));
        }
        assertThat(wire.isClosed()).isFalse();
    }

    @Test
    void interruptedThread_mayAsk() throws Exception {
        restart(PipelineFakeWire.echo());
        Thread.currentThread().interrupt();
        assertThat(ask(":1\r\n", LONG)).isEqualTo(1L);
        assertThat(Thread.interrupted()).isTrue();
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void close_failsEverybodyAtOnce(Mode mode) throws Exception {
        Work<Object> leader = asking(mode, "a", LONG);
        List<Work<Object>> queued = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            queued.add(mode.start(() -> ask("b", LONG)));
        }
        awaitQueued(queued);
        long start = System.nanoTime();
        pipeline.close();
        assertThat(failure(leader).effect()).isEqualTo(Effect.UNKNOWN);
        for (Work<Object> each : queued) {
            StoreFailure failure = failure(each);
            assertThat(failure).hasMessage("the client is closed");
            assertThat(failure.effect()).isEqualTo(Effect.NONE);
        }
        assertThat(since(start)).isLessThan(hiccups.fair(MARGIN, HOPS));
        assertThat(wire.sent()).isEqualTo("a");
        awaitNoPump();
    }

    /** Closes the pipeline while answers arrive: a thread reads, or has just stopped. */
    @ParameterizedTest
    @MethodSource("kinds")
    void close_amongAnswers_leavesNobodyWaiting(Mode mode) throws Exception {
        for (int round = 0; round < 200; round++) {
            restart(PipelineFakeWire.echo());
            Pipeline closing = pipeline;
            List<Work<Object>> work = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String command = ":" + i + "\r\n";
                work.add(mode.start(() -> {
                    while (true) {
                        closing.ask(command(command), Deadline.in(LONG.toNanos()))
                                .answer();
                    }
                }));
            }
            Thread.sleep(round % 4);
            long start = System.nanoTime();
            closing.close();
            for (Work<Object> each : work) {
                assertThat(failure(each)).isNotNull();
            }
            assertThat(since(start)).isLessThan(hiccups.fair(MARGIN, HOPS));
        }
    }

    @Test
    void afterTheEnd_nothingIsSent() {
        pipeline.close();
        pipeline.close();
        StoreFailure failure = catchThrowableOfType(StoreFailure.class, () -> ask("a", LONG));
        assertThat(failure).hasMessage("the client is closed");
        assertThat(failure.effect()).isEqualTo(Effect.NONE);
        assertThat(wire.sent()).isEmpty();
        assertThat(connects).hasValue(0);
    }

    @Test
    void close_whileTheConnectionIsMade_closesIt() throws Exception {
        pipeline.close();
        PipelineFakeWire late = PipelineFakeWire.echo();
        Semaphore connecting = new Semaphore(0);
        Semaphore go = new Semaphore(0);
        Pipeline other = new Pipeline(
                wire,
                () -> {
                    connecting.release();
                    go.acquireUninterruptibly();
                    return late;
                },
                "the fake",
                THREAD);
        wire.close();
        assertThatThrownBy(
                () -> other.ask(command("a"), Deadline.in(LONG.toNanos())).answer());
        Work<Object> work = Mode.SYNC.start(
                () -> other.ask(command("b"), Deadline.in(LONG.toNanos())).answer());
        connecting.acquire();
        other.close();
        assertThat(failure(work).effect()).isEqualTo(Effect.NONE);
        go.release();
        awaitNoPump();
        assertThat(late.isClosed()).isTrue();
        assertThat(late.sent()).isEmpty();
    }
}
