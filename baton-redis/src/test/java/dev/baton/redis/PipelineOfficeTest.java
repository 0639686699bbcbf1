package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that lost its role, or this client's user, says so to each command on its connection, so the pipeline leaves it. */
@Timeout(60)
class PipelineOfficeTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final PipelineFakeWire first = PipelineFakeWire.silent();
    private final PipelineFakeWire second = PipelineFakeWire.silent();
    private final CountDownLatch connecting = new CountDownLatch(1);
    private final Pipeline pipeline = new Pipeline(first, this::connect, "the fake", "pipeline-test");

    private Wire connect() {
        connecting.countDown();
        return second;
    }

    @AfterEach
    void close() {
        pipeline.close();
    }

    private static Call.Encoder command(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return (out, any) -> out.raw(bytes);
    }

    private Work<Object> ask(String text) {
        return Mode.SYNC.start(
                () -> pipeline.ask(command(text), Deadline.in(LONG.toNanos())).answer());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "ERR Error running script (call to f_0): @user_script:7: -READONLY You can't write against a replica.",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "LOADING Redis is loading the dataset in memory",
                "NOREPLICAS Not enough good replicas to write.",
                "NOAUTH Authentication required.",
                "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"
            })
    void serverWithoutOffice_isLeft(String error) throws Exception {
        Work<Object> asked = ask("a");
        first.awaitSent(1);
        first.answer("-" + error + "\r\n");
        assertThat(asked.get()).isEqualTo(new RespError(error));
        StoreFailure meaning = ServerErrors.failure(error, "the fake", null);
        assertThat(meaning.effect()).isEqualTo(Effect.NONE);
        Work<Object> next = ask("b");
        second.awaitSent(1);
        assertThat(first.isClosed()).isTrue();
        second.answer("+B\r\n");
        assertThat(next.get()).isEqualTo("B");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOSCRIPT No matching script.", "WRONGTYPE a key", "OOM command not allowed"})
    void serverThatRefusesOneCommand_isKept(String error) throws Exception {
        Work<Object> asked = ask("a");
        first.awaitSent(1);
        first.answer("-" + error + "\r\n");
        assertThat(asked.get()).isEqualTo(new RespError(error));
        Work<Object> next = ask("b");
        first.awaitSent(2);
        first.answer("+B\r\n");
        assertThat(next.get()).isEqualTo("B");
    }

    /** Sent commands get their answers: otherwise their effect would be unknown, and they would be undone. */
    @Test
    void answersOnTheirWay_arriveBeforeTheServerIsLeft() throws Exception {
        Work<Object> leader = ask("a");
        first.awaitSent(1);
        Work<List<Call>> both = Mode.SYNC.start(
                () -> pipeline.askAll(List.of(command("b"), command("c")), Deadline.in(LONG.toNanos())));
        Clients.until("they wait", both::isWaiting);
        first.answer("+A\r\n");
        first.awaitSent(3);
        first.answer("-READONLY gone\r\n");
        assertThat(leader.get()).isEqualTo("A");
        // Until then a command may still be sent to the old server.
        first.awaitRead();
        Work<Object> late = ask("d");
        Clients.until("it waits", late::isWaiting);
        assertThat(first.isClosed()).isFalse();
        first.answer("+C\r\n");
        assertThat(both.get().get(0).answer()).isEqualTo(new RespError("READONLY gone"));
        assertThat(both.get().get(1).answer()).isEqualTo("C");
        second.awaitSent(1);
        second.answer("+D\r\n");
        assertThat(late.get()).isEqualTo("D");
        assertThat(first.sent()).isEqualTo("abc");
        assertThat(first.isClosed()).isTrue();
    }

    /** One of several commands that travelled as one gets the error inside their common answer. */
    @Test
    void errorInsideACommonAnswer_endsTheConnectionAsWell() throws Exception {
        JointCommand together = JointCommand.inBrackets();
        Work<Object> leader = ask("a");
        first.awaitSent(1);
        Work<List<Call>> both = Mode.SYNC.start(
                () -> pipeline.askAll(List.of(part(together, "b"), part(together, "c")), Deadline.in(LONG.toNanos())));
        Clients.until("they wait", both::isWaiting);
        first.answer("+A\r\n");
        first.awaitSent("a[bc]".length());
        first.answer("*2\r\n:1\r\n-READONLY gone\r\n");
        assertThat(leader.get()).isEqualTo("A");
        assertThat(both.get().get(0).answer()).isEqualTo(1L);
        assertThat(both.get().get(1).answer()).isEqualTo(new RespError("READONLY gone"));
        Work<Object> next = ask("d");
        second.awaitSent(1);
        second.answer("+D\r\n");
        assertThat(next.get()).isEqualTo("D");
    }

    /** A connection that has ended is noticed in the background, so that the next caller does not pay for it. */
    @Test
    void endedConnection_thatIsLookedAfter_failsNobody() throws Exception {
        first.close();
        pipeline.lookAfterTheConnection();
        assertThat(connecting.await(20, TimeUnit.SECONDS)).isTrue();
        Work<Object> next = ask("a");
        second.awaitSent(1);
        second.answer("+A\r\n");
        assertThat(next.get()).isEqualTo("A");
    }

    private static Call.Encoder part(JointCommand command, String text) {
        return command.part(out -> out.part(text.getBytes(StandardCharsets.UTF_8)));
    }
}
