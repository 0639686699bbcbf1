package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that wait for two replicas, to the byte: the server answers as the test says. */
@Timeout(60)
class PipelineConfirmationTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration MOST = Duration.ofSeconds(1);
    private static final String WAIT = "*3\r\n$4\r\nWAIT\r\n$1\r\n2\r\n$3\r\n880\r\n";

    private final PipelineFakeWire wire = PipelineFakeWire.silent();
    private final Pipeline pipeline = new Pipeline(
            wire,
            () -> {
                throw new StoreFailure(Effect.NONE, "nobody is there", null);
            },
            "the fake",
            "confirmation-test",
            2);

    @AfterEach
    void close() {
        pipeline.close();
    }

    private Work<Object> asking(Mode mode, String command, boolean writes, String alsoSent) throws Exception {
        return asking(mode, command, writes, LONG, alsoSent);
    }

    private Work<Object> asking(Mode mode, String command, boolean writes, Duration time, String alsoSent)
            throws Exception {
        byte[] bytes = command.getBytes(StandardCharsets.UTF_8);
        Request plain = (out, any, whole) -> out.raw(bytes);
        Deadline deadline = Deadline.in(time.toNanos());
        Request request = writes ? new Confirmed(plain, MOST.toNanos(), deadline) : plain;
        int before = wire.sent().length();
        Work<Object> work = mode.start(() -> pipeline.ask(request, deadline).answer());
        wire.awaitSent(before + alsoSent.length());
        assertThat(wire.sent().substring(before)).isEqualTo(alsoSent);
        return work;
    }

    private Work<Object> writing(String command) throws Exception {
        return asking(Mode.SYNC, command, true, command + WAIT);
    }

    private static StoreFailure failure(Work<?> work) {
        return catchThrowableOfType(StoreFailure.class, work::get);
    }

    private static void staysOpen(Work<?> work) throws Exception {
        Thread.sleep(50);
        assertThat(work.isDone()).isFalse();
    }

    @Test
    void answer_comesWhenReplicasHaveTheWrite() throws Exception {
        Work<Object> work = writing("a");
        wire.answer("+A\r\n");
        staysOpen(work);
        wire.answer(":2\r\n");
        assertThat(work.get()).isEqualTo("A");
    }

    @Test
    void tooFewReplicas_areAnUnknownOutcome() throws Exception {
        Work<Object> work = writing("a");
        wire.answer("+A\r\n:1\r\n");
        StoreFailure failure = failure(work);
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(failure).hasMessageContaining("1 of 2 replicas confirmed the write within 880 ms");
        Work<Object> next = writing("b");
        wire.answer("+B\r\n:3\r\n");
        assertThat(next.get()).isEqualTo("B");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
                "ERR WAIT cannot be used with replica instances."
            })
    void demotion_isAnUnknownOutcome_andEndsTheConnection(String error) throws Exception {
        Work<Object> work = writing("a");
        wire.answer("+A\r\n-" + error + "\r\n");
        assertThat(failure(work).effect()).isEqualTo(Effect.UNKNOWN);
        Clients.until("left", wire::isClosed);
    }

    @Test
    void errorOfTheCommand_isAnsweredAtOnce() throws Exception {
        Work<Object> work = writing("a");
        wire.answer("-NOSCRIPT no such script\r\n");
        assertThat(work.get()).isInstanceOf(RespError.class);
        wire.answer(":0\r\n");
        Work<Object> next = writing("b");
        wire.answer("+B\r\n:2\r\n");
        assertThat(next.get()).isEqualTo("B");
    }

    @Test
    void commandThatWritesNothing_hasNoWait() throws Exception {
        Work<Object> work = asking(Mode.SYNC, "a", false, "a");
        wire.answer("+A\r\n");
        assertThat(work.get()).isEqualTo("A");
    }

    @Test
    void commandsDuringAWait_areSentBehindIt_together() throws Exception {
        Work<Object> first = writing("a");
        wire.answer("+A\r\n");
        List<Work<Object>> later = new ArrayList<>();
        for (String command : List.of("b", "c")) {
            later.add(asking(Mode.SYNC, command, true, ""));
            Clients.until("queued", () -> later.get(later.size() - 1).isWaiting());
        }
        int before = wire.sent().length();
        wire.answer(":2\r\n");
        assertThat(first.get()).isEqualTo("A");
        wire.awaitSent(before + 2 + WAIT.length());
        assertThat(wire.sent().substring(before)).isEqualTo("bc" + WAIT);
        wire.answer("+B\r\n+C\r\n:2\r\n");
        assertThat(later.get(0).get()).isEqualTo("B");
        assertThat(later.get(1).get()).isEqualTo("C");
    }

    static Stream<Mode> kinds() {
        return Mode.available().filter(mode -> mode != Mode.ASYNC);
    }

    /** Another caller has to read the answer to the WAIT. */
    @ParameterizedTest
    @MethodSource("kinds")
    void leaderThatGivesUpDuringAWait_leavesAnotherToRead(Mode mode) throws Exception {
        Work<Object> reader = asking(Mode.SYNC, "r", false, "r");
        // Long enough for a busy machine to send its command, and shorter than the silence that ends a connection.
        Work<Object> leader = asking(Mode.SYNC, "a", true, Duration.ofSeconds(3), "");
        Clients.until("queued", leader::isWaiting);
        Work<Object> other = asking(mode, "b", true, "");
        Clients.until("queued", other::isWaiting);
        wire.answer("+R\r\n");
        assertThat(reader.get()).isEqualTo("R");
        wire.awaitSent(3 + WAIT.length());
        wire.answer("+A\r\n+B\r\n");
        assertThat(failure(leader).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(other.isDone()).isFalse();
        wire.answer(":2\r\n");
        assertThat(other.get()).isEqualTo("B");
    }

    @Test
    void brokenConnection_isAnUnknownOutcome_alsoForAnAnswerThatIsThere() throws Exception {
        Work<Object> work = writing("a");
        wire.answer("+A\r\n");
        staysOpen(work);
        wire.close();
        StoreFailure failure = failure(work);
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure).hasMessageContaining("the connection to the fake broke");
    }
}
