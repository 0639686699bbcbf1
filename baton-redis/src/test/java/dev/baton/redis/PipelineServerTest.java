package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.redis.RespReader.RespError;
import dev.baton.servers.RedisServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Deadline;
import dev.baton.spi.Push;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreListener;
import dev.baton.spi.Timings;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.JedisClientConfig;

/** The pipeline with a real server, behind a bad network. */
@Timeout(120)
class PipelineServerTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final String THREAD = "pipeline-server-test";
    private static final Duration LONG = Duration.ofSeconds(20);

    /** For threads that have to wait for a processor, beside the measured stalls; far below the silence of 5 s. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final int HOPS = 3;

    /** Until a silent connection is given up; without that, callers would wait for their 20 s. */
    private static final Duration GIVEN_UP = Duration.ofSeconds(12);

    private static final StoreListener DEAF = new StoreListener() {
        @Override
        public void onPush(Push push) {
            // Nothing listens.
        }

        @Override
        public void onReconnect() {
            // Nothing listens.
        }
    };

    private final JvmHiccups hiccups = new JvmHiccups();
    private final RedisServer server = RedisServer.shared();
    private final AtomicInteger connects = new AtomicInteger();
    private TcpProxy proxy;
    private Dialer dialer;
    private Pipeline pipeline;

    @BeforeEach
    void open() throws Exception {
        open(server, server.uri());
    }

    private void open(RedisServer to, String uri) throws Exception {
        to.command("FLUSHALL");
        proxy = TcpProxy.to(to.host(), to.port());
        URI through = URI.create(uri.replace(Integer.toString(to.port()), Integer.toString(proxy.port())));
        StoreConfig config =
                new StoreConfig(through, "ns", "client", Timings.DEFAULTS, Duration.ofSeconds(2), List.of(), DEAF);
        RedisAddress address = RedisAddress.of(through);
        JedisClientConfig jedis = Settings.of(address, config);
        dialer = new Dialer(
                address.host(),
                jedis,
                Credentials.of(address, config),
                Encryption.of(address, config),
                "pipeline-test",
                Server::require);
        connects.set(0);
        pipeline = new Pipeline(connect(), this::connect, "the server", THREAD);
    }

    private Wire connect() throws StoreFailure {
        connects.incrementAndGet();
        return dialer.open().wire();
    }

    @AfterEach
    void stopMeasuring() {
        hiccups.close();
    }

    @AfterEach
    void close() throws Exception {
        proxy.forward();
        pipeline.close();
        proxy.close();
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(10));
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

    private static Call.Encoder command(String... words) {
        return (out, any) -> {
            out.command(words.length);
            for (String word : words) {
                out.bulk(word);
            }
        };
    }

    private Object ask(Duration time, String... words) throws StoreFailure {
        Object answer =
                pipeline.ask(command(words), Deadline.in(time.toNanos())).answer();
        return answer instanceof byte[] ? RespReader.text(answer) : answer;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(10));
        while (!condition.getAsBoolean() && deadline.leftNanos() > 0) {
            Thread.sleep(2);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** An unsent command makes the pipeline reconnect at once: the time in between may be too short to see. */
    private void awaitGivingUp() throws InterruptedException {
        await(() -> proxy.connections() == 0 || connects.get() > 1);
    }

    private static StoreFailure failure(Work<?> work) {
        return catchThrowableOfType(StoreFailure.class, work::get);
    }

    static Stream<Mode> kinds() {
        return Mode.available().filter(mode -> mode != Mode.ASYNC);
    }

    /** Each kind of thread, on a connection that counts as near, and on one that counts as far. */
    static Stream<Arguments> kindsAndPlaces() {
        return kinds().flatMap(mode -> Stream.of(Arguments.of(mode, false), Arguments.of(mode, true)));
    }

    /** Has the pipeline see that the server is far away: this lasts as long as the connection. */
    private void place(boolean far) throws StoreFailure {
        if (far) {
            proxy.delay(Duration.ofMillis(2));
            for (int i = 0; i < 10; i++) {
                assertThat(ask(LONG, "PING")).isEqualTo("PONG");
            }
            proxy.forward();
        } else {
            assertThat(ask(LONG, "PING")).isEqualTo("PONG");
        }
    }

    private long counter(String key) {
        Object value = server.command("GET", key);
        return value == null ? 0 : Long.parseLong((String) value);
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void errorAmongAnswers_shiftsNothing(Mode mode) throws Exception {
        server.command("SET", "text", "x");
        proxy.delay(Duration.ofMillis(20));
        List<Work<Object>> work = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            String number = Integer.toString(i);
            work.add(mode.start(() -> switch (Integer.parseInt(number) % 3) {
                case 0 -> ask(LONG, "ECHO", number);
                case 1 -> ask(LONG, "INCR", "text");
                default -> ask(LONG, "NONSENSE", number);
            }));
        }
        for (int i = 0; i < 90; i++) {
            Object answer = work.get(i).get();
            switch (i % 3) {
                case 0 -> assertThat(answer).isEqualTo(Integer.toString(i));
                case 1 -> assertThat(answer).isEqualTo(new RespError("ERR value is not an integer or out of range"));
                default ->
                    assertThat(((RespError) answer).message())
                            .contains("unknown command")
                            .contains("'" + i + "'");
            }
        }
        assertThat(connects).hasValue(1);
    }

    @Test
    void thousandsOfCommandsAtOnce_areAnsweredInTheirOrder() throws Exception {
        List<Call.Encoder> commands = IntStream.range(0, 20_000)
                .mapToObj(i -> command("ECHO", Integer.toString(i)))
                .toList();
        List<Call> calls = pipeline.askAll(commands, Deadline.in(LONG.toNanos()));
        for (int i = 0; i < calls.size(); i++) {
            assertThat(RespReader.text(calls.get(i).answer())).isEqualTo(Integer.toString(i));
        }
        assertThat(calls.get(0).runId()).isEqualTo(server.info("server").get("run_id"));
    }

    @Test
    void bigAnswersAndSmallOnes_comeByteForByte_throughANarrowNetwork() throws Exception {
        proxy.dribble(1);
        List<Work<Object>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String text = Integer.toString(i).repeat(5 + 20 * i);
            work.add(Mode.SYNC.start(() -> ask(LONG, "ECHO", text)));
        }
        for (int i = 0; i < 8; i++) {
            assertThat(work.get(i).get()).isEqualTo(Integer.toString(i).repeat(5 + 20 * i));
        }
        assertThat(connects).hasValue(1);
    }

    /** On a near server they would go out with the next answer, and in one piece. */
    @ParameterizedTest
    @MethodSource("kinds")
    void farServer_getsCommands_whileACallerWaitsForAnAnswer(Mode mode) throws Exception {
        place(true);
        proxy.holdReplies();
        Work<Object> leader = Mode.SYNC.start(() -> ask(LONG, "INCR", "first"));
        await(() -> counter("first") == 1);
        List<Work<Object>> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            others.add(mode.start(() -> ask(LONG, "INCR", "second")));
        }
        await(() -> counter("second") == 10);
        assertThat(leader.isDone()).isFalse();
        proxy.forward();
        assertThat(leader.get()).isEqualTo(1L);
        List<Object> answers = new ArrayList<>();
        for (Work<Object> other : others) {
            answers.add(other.get());
        }
        assertThat(answers)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 10).boxed().toList());
        assertThat(connects).hasValue(1);
    }

    // ---- interrupts ----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kindsAndPlaces")
    void interruptedCallers_keepTheConnection_andHarmNobody(Mode mode, boolean far) throws Exception {
        place(far);
        proxy.holdReplies();
        List<Work<String>> work = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String number = Integer.toString(i);
            work.add(mode.start(() -> ask(LONG, "ECHO", number) + " " + Thread.interrupted()));
        }
        Thread.sleep(200);
        for (int i = 0; i < 20; i += 2) {
            work.get(i).interrupt();
        }
        Thread.sleep(200);
        assertThat(work).noneMatch(Work::isDone);
        proxy.forward();
        for (int i = 0; i < 20; i++) {
            assertThat(work.get(i).get()).isEqualTo(i + " " + (i % 2 == 0));
        }
        assertThat(connects).hasValue(1);
        assertThat(proxy.connections()).isEqualTo(1);
    }

    // ---- a bad network -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kindsAndPlaces")
    void fullSendBuffer_blocksNobody(Mode mode, boolean far) throws Exception {
        place(far);
        proxy.blackHole();
        String big = "x".repeat(8_000);
        List<Work<Duration>> work = new ArrayList<>();
        AtomicInteger none = new AtomicInteger();
        AtomicInteger unknown = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            // All are over long before the connection counts as silent.
            Duration time = Duration.ofMillis(200 + 5L * i);
            work.add(mode.start(() -> {
                long start = System.nanoTime();
                StoreFailure late = catchThrowableOfType(StoreFailure.class, () -> ask(time, "APPEND", "big", big));
                (late.effect() == Effect.NONE ? none : unknown).incrementAndGet();
                return since(start).minus(time);
            }));
        }
        for (Work<Duration> each : work) {
            assertThat(each.get()).isBetween(Duration.ZERO, hiccups.fair(MARGIN, HOPS));
        }
        assertThat(none.get() + unknown.get()).isEqualTo(200);
        assertThat(unknown.get()).isLessThanOrEqualTo(Outbound.MOST_IN_FLIGHT / big.length() + 1);
        proxy.forward();
        assertThat(ask(LONG, "ECHO", "again")).isEqualTo("again");
        // Exactly those that may have been executed were: nothing was lost here, only late.
        assertThat(ask(LONG, "STRLEN", "big")).isEqualTo((long) unknown.get() * big.length());
        assertThat(connects).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("kindsAndPlaces")
    void cutConnection_isReplaced(Mode mode, boolean far) throws Exception {
        place(far);
        for (int i = 0; i < 5; i++) {
            proxy.holdReplies();
            Work<Object> sent = mode.start(() -> ask(LONG, "INCR", "n"));
            int executed = i + 1;
            await(() -> counter("n") == executed);
            proxy.cut();
            proxy.forward();
            StoreFailure failure = failure(sent);
            assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(failure).hasMessageContaining("the connection to the server broke");
            assertThat(mode.start(() -> ask(LONG, "GET", "n")).get()).isEqualTo(Integer.toString(executed));
        }
        assertThat(connects).hasValue(6);
        assertThat(proxy.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void halfOpenConnection_isGivenUp_andReplaced(Mode mode) throws Exception {
        proxy.blackHole();
        long start = System.nanoTime();
        List<Work<Object>> work = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            work.add(mode.start(() -> ask(LONG, "INCR", "n")));
        }
        StoreFailure late = catchThrowableOfType(
                StoreFailure.class,
                () -> mode.start(() -> ask(Duration.ofMillis(300), "INCR", "n")).get());
        assertThat(late).hasMessageContaining("in time");
        assertThat(since(start))
                .isBetween(
                        Duration.ofMillis(300),
                        hiccups.fair(Duration.ofMillis(300).plus(MARGIN), HOPS));
        awaitGivingUp();
        assertThat(since(start)).isBetween(Duration.ofMillis(4_900), GIVEN_UP);
        proxy.cut();
        proxy.forward();
        int answered = 0;
        for (Work<Object> each : work) {
            try {
                assertThat(each.get()).isInstanceOf(Long.class);
                answered++;
            } catch (StoreFailure failure) {
                // Either sent and not answered, or not sent and cut off during the reconnection.
                assertThat(failure)
                        .hasMessageContaining(failure.effect() == Effect.UNKNOWN ? "silent for 5 s" : "cannot connect");
            }
        }
        // The connection that was being opened was cut as well, and the next call may report that.
        StoreFailure cut = failure(mode.start(() -> ask(LONG, "PING")));
        if (cut != null) {
            assertThat(cut).hasMessageContaining("cannot connect");
        }
        assertThat(mode.start(() -> ask(LONG, "INCR", "n")).get()).isEqualTo(answered + 1L);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void pausedServer_costsCallersTheirTime_andNoMore(Mode mode) throws Exception {
        try (RedisServer own = RedisServer.start()) {
            close();
            open(own, own.uri());
            own.pause();
            List<Work<Duration>> work = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                Duration time = Duration.ofMillis(100 + 200L * i);
                work.add(mode.start(() -> {
                    long begin = System.nanoTime();
                    assertThatThrownBy(() -> ask(time, "INCR", "n")).hasMessageContaining("in time");
                    return since(begin).minus(time);
                }));
            }
            Work<Object> patient = mode.start(() -> ask(LONG, "INCR", "n"));
            for (Work<Duration> each : work) {
                assertThat(each.get()).isBetween(Duration.ZERO, hiccups.fair(MARGIN, HOPS));
            }
            awaitGivingUp();
            assertThat(since(start)).isBetween(Duration.ofMillis(4_900), GIVEN_UP);
            own.resume();
            try {
                patient.get();
            } catch (StoreFailure silent) {
                assertThat(silent).hasMessageContaining("silent for 5 s");
            }
            assertThat(mode.start(() -> ask(LONG, "ECHO", "again")).get()).isEqualTo("again");
        } finally {
            close();
            open();
        }
    }

    @Test
    void tlsConnection_loses_nothing_whenReadsEndInTheMiddleOfARecord() throws Exception {
        try (RedisServer secured = RedisServer.builder().tls().start()) {
            close();
            open(secured, secured.uri() + "?ca=" + secured.certificate());
            proxy.dribble(7);
            int late = 0;
            for (int i = 0; i < 60; i++) {
                String number = Integer.toString(i);
                try {
                    assertThat(ask(Duration.ofMillis(5 + i % 20), "ECHO", number))
                            .isEqualTo(number);
                } catch (StoreFailure tooLate) {
                    assertThat(tooLate).hasMessageContaining("in time");
                    late++;
                }
            }
            assertThat(late).isPositive();
            proxy.forward();
            assertThat(ask(LONG, "ECHO", "end")).isEqualTo("end");
            assertThat(connects).hasValue(1);
            proxy.holdReplies();
            Work<Object> waiting = Mode.SYNC.start(() -> ask(LONG, "ECHO", "never"));
            Thread.sleep(100);
            long start = System.nanoTime();
            pipeline.close();
            assertThat(failure(waiting)).isNotNull();
            assertThat(since(start)).isLessThan(hiccups.fair(MARGIN, HOPS));
        } finally {
            close();
            open();
        }
    }

    // ---- everything at once --------------------------------------------------------------------------------------

    /** The answers of many threads about one counter, and the values that they saw. */
    private static final class Tally {
        final AtomicLong answered = new AtomicLong();
        final AtomicLong unknown = new AtomicLong();
        final AtomicLong none = new AtomicLong();
        final AtomicLong echoes = new AtomicLong();
        final AtomicLong latest = new AtomicLong();

        void failed(StoreFailure failure) {
            (failure.effect() == Effect.NONE ? none : unknown).incrementAndGet();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void chaos_ofDeadlinesInterruptsAndCuts_isToldTruly(Mode mode) throws Exception {
        Duration time = Duration.ofSeconds(NIGHTLY ? 60 : 4);
        Tally tally = new Tally();
        AtomicBoolean over = new AtomicBoolean();
        SplittableRandom seeds = new SplittableRandom(1);
        List<Work<Void>> work = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            int number = i;
            // Some of them are virtual threads, if there are any.
            List<Mode> modes = i % 2 == 0 ? List.of(mode) : kinds().toList();
            SplittableRandom random = seeds.split();
            work.add(modes.get(i / 2 % modes.size()).start(() -> {
                for (int n = 0; !over.get(); n++) {
                    useIt(number + "-" + n, random, tally);
                }
                return null;
            }));
        }
        SplittableRandom random = seeds.split();
        Deadline end = Deadline.in(time.toNanos());
        while (end.leftNanos() > 0) {
            work.get(random.nextInt(work.size())).interrupt();
            switch (random.nextInt(60)) {
                case 0 -> proxy.cut();
                case 1 -> proxy.holdReplies();
                case 2 -> proxy.dribble(50);
                case 3 -> proxy.blackHole();
                default -> {}
            }
            Thread.sleep(random.nextInt(20));
            proxy.dribble(100_000);
            proxy.forward();
        }
        over.set(true);
        for (Work<Void> each : work) {
            each.get();
        }
        long executed = counter("n");
        System.out.println(mode + ": executed " + executed + ", answered " + tally.answered + ", unknown "
                + tally.unknown + ", never sent " + tally.none + ", echoes " + tally.echoes + ", latest "
                + tally.latest.get() / 1_000_000 + " ms, connections " + connects);
        assertThat(executed).isBetween(tally.answered.get(), tally.answered.get() + tally.unknown.get());
        assertThat(tally.answered.get()).isPositive();
        assertThat(tally.unknown.get()).isPositive();
        assertThat(tally.none.get()).isPositive();
        assertThat(Duration.ofNanos(tally.latest.get())).isLessThan(hiccups.fair(MARGIN, HOPS));
        assertThat(ask(LONG, "ECHO", "end")).isEqualTo("end");
    }

    private void useIt(String unique, SplittableRandom random, Tally tally) {
        boolean echo = random.nextBoolean();
        long nanos = (long) (Math.pow(random.nextDouble(), 4) * 100_000_000);
        Deadline deadline = Deadline.in(nanos);
        try {
            if (echo) {
                String text = unique + "x".repeat(random.nextInt(200));
                Object answer = pipeline.ask(command("ECHO", text), deadline).answer();
                assertThat(RespReader.text(answer)).isEqualTo(text);
                tally.echoes.incrementAndGet();
            } else {
                assertThat(pipeline.ask(command("INCR", "n"), deadline).answer())
                        .isInstanceOf(Long.class);
                tally.answered.incrementAndGet();
            }
        } catch (StoreFailure failure) {
            if (!echo) {
                tally.failed(failure);
            }
        }
        tally.latest.accumulateAndGet(-deadline.leftNanos(), Math::max);
    }
}
