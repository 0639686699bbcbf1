package dev.baton.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.MemcachedServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Acquire;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that have one connection together: what one of them does, or suffers, must not reach the others. */
@Timeout(120)
class SharedConnectionTest {
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int CALLS = 8;
    private static final long LONG = TimeUnit.SECONDS.toNanos(10);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(300);

    /** Longer than any pause of a busy machine: these servers answer when the test wants, and are not dead. */
    private static final long SILENCE = TimeUnit.MINUTES.toNanos(10);

    private final MemcachedServer server = MemcachedServer.shared();
    private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void empty() {
        server.command("flush_all");
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        proxy.close();
    }

    /** Returns a client that has its one connection, and knows that the server is far. */
    private TestClient connected() throws StoreFailure {
        proxy.delay(Duration.ofMillis(1));
        TestClient client = new TestClient("memcached://" + proxy.host() + ":" + proxy.port() + "/?connections=1");
        for (int i = 0; i < 10; i++) {
            client.release(client.hold("connected", LEASE));
        }
        client.hold("connected", LEASE);
        proxy.forward();
        return client;
    }

    private Future<Acquire.Reply> asks(TestClient client, String name, Duration limit) {
        return threads.submit(() -> client.store().acquire(client.asking(name, LEASE), limit.toNanos()));
    }

    /** Waits until the server has the item of a name. */
    private void awaitItem(String name) throws InterruptedException {
        while (server.command("get ns:" + name).size() < 2) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void calls_areSent_whileOthersWaitForTheirAnswers() throws Exception {
        try (TestClient client = connected()) {
            proxy.holdReplies();
            List<Future<Acquire.Reply>> asked = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                asked.add(asks(client, "lock-" + i, TestClient.LIMIT));
            }
            for (int i = 0; i < CALLS; i++) {
                awaitItem("lock-" + i);
            }
            assertThat(asked).noneMatch(Future::isDone);
            proxy.forward();
            for (Future<Acquire.Reply> each : asked) {
                assertThat(each.get()).isInstanceOf(Acquire.Granted.class);
            }
            assertThat(proxy.connections()).isEqualTo(1);
        }
    }

    private static void assertTimeOver(Future<Acquire.Reply> asked) {
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS))
                .cause()
                .asInstanceOf(InstanceOfAssertFactories.type(StoreFailure.class))
                .returns(StoreFailure.Effect.UNKNOWN, StoreFailure::effect)
                .returns(StoreFailure.Reason.UNREACHABLE, StoreFailure::reason);
    }

    /** Such a connection may be dead without anybody's knowledge: who comes next needs another one. */
    @Test
    void connection_thatIsSilentForASecond_isGivenUp_alsoByThoseWithMoreTime() throws Exception {
        try (TestClient client = connected()) {
            assertThat(proxy.silenceOldest()).isTrue();
            Future<Acquire.Reply> patient = asks(client, "patient", Duration.ofMinutes(1));
            Future<Acquire.Reply> impatient = asks(client, "impatient", Duration.ofMillis(1_500));
            assertTimeOver(impatient);
            assertTimeOver(patient);
            assertThat(client.tryAcquire("next", LEASE)).isInstanceOf(Acquire.Granted.class);
        }
    }

    /** Calls with half a second each could keep a dead connection for ever. */
    @Test
    void connection_thatIsSilentForASecond_isGivenUp_alsoIfNewCallsKeepComing() throws Exception {
        try (TestClient client = connected()) {
            assertThat(proxy.silenceOldest()).isTrue();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String name = "again-" + i;
                TimeUnit.MILLISECONDS.sleep(150);
                callers.add(threads.submit(() -> {
                    while (!isGranted(client, name)) {
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static boolean isGranted(TestClient client, String name) {
        try {
            Acquire asking = client.asking(name, LEASE);
            return client.store().acquire(asking, TimeUnit.MILLISECONDS.toNanos(500)) instanceof Acquire.Granted;
        } catch (StoreFailure failed) {
            return false;
        }
    }

    @Test
    void refusal_ofOne_leavesTheConnectionToTheOthers() throws Exception {
        try (MemcachedServer full = MemcachedServer.start("-M", "-m", "2");
                TcpProxy toFull = TcpProxy.to(full.host(), full.port());
                TestClient client =
                        new TestClient("memcached://" + toFull.host() + ":" + toFull.port() + "/?connections=1")) {
            TestClient.Held held = client.hold("held", LEASE);
            toFull.refuse();
            fill(full);
            assertThatThrownBy(() -> client.renew(held, LEASE))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("refused: SERVER_ERROR out of memory");
            assertThat(client.release(held)).isTrue();
        }
    }

    private static void fill(MemcachedServer server) {
        StringBuilder all = new StringBuilder();
        for (int size = 60; size <= 300; size += 20) {
            for (int i = 0; i < 8_000; i++) {
                all.append("set fill-%d-%d 0 0 %d noreply\r\n".formatted(size, i, size))
                        .append("x".repeat(size))
                        .append("\r\n");
            }
        }
        server.command(all + "get none");
    }

    /** It needs the connection for itself, which others use without a pause. */
    @Test
    void list_comesToItsTurn_whileOthersGoOn() throws Exception {
        try (TestClient client = connected()) {
            proxy.delay(Duration.ofMillis(1));
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger turns = new AtomicInteger();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                String name = "busy-" + i;
                callers.add(threads.submit(() -> {
                    while (!ended.get()) {
                        client.release(client.hold(name, LEASE));
                        turns.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 5; i++) {
                int before = turns.get();
                assertThat(client.store().list("connected", "", 10, TestClient.LIMIT.toNanos()))
                        .hasSize(1);
                while (turns.get() < before + CALLS) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
            ended.set(true);
            for (Future<?> caller : callers) {
                caller.get();
            }
        }
    }

    /** A server whose answers the test writes, and the one connection to it. */
    private static final class Answering implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final Wire wire = Wire.open(
                InetSocketAddress.createUnresolved("127.0.0.1", listener.getLocalPort()), Deadline.in(LONG), SILENCE);
        private final Socket peer = listener.accept();

        Answering() throws IOException {}

        void awaitCommand(String command) throws IOException {
            assertThat(peer.getInputStream().readNBytes(command.length()))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(command);
        }

        /** Writes, unless the client has closed the connection. */
        void answer(String answers) {
            try {
                peer.getOutputStream().write(answers.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                // By the other side, as it should be.
            }
        }

        @Override
        public void close() throws IOException {
            wire.close();
            peer.close();
            listener.close();
        }
    }

    private Future<List<Reply>> asks(Answering server, String key) throws IOException {
        Future<List<Reply>> asked =
                threads.submit(() -> server.wire.ask(List.of(Commands.get(key)), Deadline.in(LONG)));
        server.awaitCommand(Commands.get(key));
        return asked;
    }

    /** Sends a command for a call that has no time to wait for its answer. */
    private Future<?> leaves(Answering server, String key) throws IOException {
        Future<?> left = threads.submit(() -> server.wire.ask(List.of(Commands.get(key)), Deadline.in(0)));
        server.awaitCommand(Commands.get(key));
        return left;
    }

    private Future<?> asksForLines(Answering server, String command, long nanos, Consumer<String> each)
            throws IOException {
        Future<?> asked = threads.submit(() -> {
            server.wire.askLines(command, Deadline.in(nanos), each);
            return null;
        });
        server.awaitCommand(Commands.line(command));
        return asked;
    }

    private static void assertLeft(Future<?> asked) {
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(SocketTimeoutException.class);
    }

    /** Answers late until the connection takes the server for a far one, which calls may share. */
    private void seemFar(Answering server) throws Exception {
        while (!server.wire.canBeShared()) {
            Future<List<Reply>> asked = asks(server, "far");
            TimeUnit.MILLISECONDS.sleep(1);
            server.answer("EN\r\n");
            assertThat(asked.get()).hasSize(1);
        }
    }

    @Test
    void call_whoseTimeIsOver_leavesTheConnectionToTheOthers() throws Exception {
        try (Answering answering = new Answering()) {
            seemFar(answering);
            // An answer of several lines has been read to its end.
            Future<?> lines = asksForLines(answering, "stats", LONG, line -> {});
            answering.answer("STAT pid 1\r\nEND\r\n");
            lines.get();
            // Somebody waits, whenever the time of another is over.
            Future<List<Reply>> first = asks(answering, "first");
            Future<?> hasted = asksForLines(answering, "stats", SHORT, line -> {});
            Future<List<Reply>> before = asks(answering, "before");
            Future<?> behind = leaves(answering, "behind");
            Future<List<Reply>> last = asks(answering, "last");
            answering.answer("VA 1 c1\r\n1\r\n");
            assertThat(first.get()).extracting(Reply::value).containsExactly("1");
            assertLeft(hasted);
            assertLeft(behind);
            assertThat(answering.wire.canBeShared())
                    .as("with a server that may be silent")
                    .isFalse();
            answering.answer("STAT pid 1\r\nEND\r\nVA 1 c2\r\n2\r\nVA 1 c3\r\n3\r\nVA 1 c4\r\n4\r\n");
            assertThat(before.get()).extracting(Reply::value).containsExactly("2");
            assertThat(last.get()).extracting(Reply::value).containsExactly("4");
            assertThat(answering.wire.canBeShared()).isTrue();
        }
    }

    @Test
    void call_thatLeavesInTheMiddleOfAnAnswer_breaksTheConnection() throws Exception {
        long nanos = SHORT;
        // On a busy machine the time may be over before the call has read anything.
        while (!leavesInTheMiddle(nanos)) {
            nanos *= 2;
        }
    }

    /** Returns whether the call had begun to read; if not, its answer is dropped. */
    private boolean leavesInTheMiddle(long nanos) throws Exception {
        try (Answering answering = new Answering()) {
            Future<List<Reply>> first = asks(answering, "a");
            AtomicBoolean begun = new AtomicBoolean();
            Future<?> hasted = asksForLines(answering, "stats", nanos, line -> begun.set(true));
            Future<List<Reply>> other = asks(answering, "b");
            answering.answer("VA 1 c1\r\n1\r\nSTAT pid 1\r\nSTAT ti");
            assertThat(first.get()).extracting(Reply::value).containsExactly("1");
            assertLeft(hasted);
            answering.answer("me 2\r\nEND\r\nVA 1 c2\r\n2\r\n");
            if (begun.get()) {
                assertThatThrownBy(other::get)
                        .as("not the rest of the other's answer")
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(IOException.class);
            } else {
                assertThat(other.get()).extracting(Reply::value).containsExactly("2");
            }
            return begun.get();
        }
    }

    /** Whose value may be a line END. */
    @Test
    void answersOfEachForm_areDropped_whenTheirCallsHaveLeft() throws Exception {
        try (Answering answering = new Answering()) {
            Future<List<Reply>> first = asks(answering, "first");
            Future<?> value = leaves(answering, "a");
            Future<?> lines = asksForLines(answering, "stats", 0, line -> {});
            Future<?> refused = asksForLines(answering, "stats refused", 0, line -> {});
            Future<List<Reply>> other = asks(answering, "b");
            for (Future<?> hasted : List.of(value, lines, refused)) {
                assertLeft(hasted);
            }
            answering.answer("VA 1 c1\r\n1\r\n");
            assertThat(first.get()).extracting(Reply::value).containsExactly("1");
            answering.answer("VA 3 c2\r\nEND\r\nSTAT pid 1\r\nSTAT time 2\r\nEND\r\nERROR\r\nVA 1 c3\r\n3\r\n");
            assertThat(other.get()).extracting(Reply::value).containsExactly("3");
        }
    }

    @Test
    void call_thatHasDroppedARefusal_leavesTheConnectionToTheOthers() throws Exception {
        long nanos = SHORT;
        // On a busy machine the time may be over before the call has dropped it.
        while (!leavesBehindARefusal(nanos)) {
            nanos *= 2;
        }
    }

    /** Returns whether the call had dropped the refusal before it left. */
    private boolean leavesBehindARefusal(long nanos) throws Exception {
        try (Answering answering = new Answering()) {
            seemFar(answering);
            Future<List<Reply>> first = asks(answering, "a");
            Future<?> refused = asksForLines(answering, "stats refused", 0, line -> {});
            Future<?> hasted = asksForLines(answering, "stats", nanos, line -> {});
            Future<List<Reply>> other = asks(answering, "b");
            assertLeft(refused);
            answering.answer("VA 1 c1\r\n1\r\nERROR\r\n");
            assertThat(first.get()).extracting(Reply::value).containsExactly("1");
            boolean dropped = false;
            while (!dropped && !hasted.isDone()) {
                TimeUnit.MILLISECONDS.sleep(1);
                // Nothing unwanted is left.
                dropped = answering.wire.canBeShared();
            }
            assertLeft(hasted);
            answering.answer("STAT pid 1\r\nEND\r\nVA 1 c2\r\n2\r\n");
            assertThat(other.get()).extracting(Reply::value).containsExactly("2");
            return dropped;
        }
    }

    /** They would have the one connection by turns, with nobody else between them. */
    @Test
    void listsWithoutAPause_letOthersIn() throws Exception {
        try (TestClient client = connected()) {
            AtomicBoolean ended = new AtomicBoolean();
            List<Future<?>> lists = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lists.add(threads.submit(() -> {
                    while (!ended.get()) {
                        client.store().list("", "", 10, TestClient.LIMIT.toNanos());
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.release(client.hold("other", LEASE))).isTrue();
            }
            ended.set(true);
            for (Future<?> list : lists) {
                list.get();
            }
        }
    }

    /** Half of the calls have less time than the answers take. */
    @Test
    void answers_areTheirOwnCallersOnly_howeverManyLeave() throws Exception {
        for (int i = 0; i < CALLS; i++) {
            server.command("set own-%d 0 0 1\r\n%d".formatted(i, i));
        }
        proxy.delay(Duration.ofMillis(5));
        proxy.dribble(9);
        AtomicInteger read = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        int connections = 0;
        while (read.get() < 1_000 || late.get() < 300) {
            connections++;
            try (Wire wire =
                    Wire.open(InetSocketAddress.createUnresolved(proxy.host(), proxy.port()), Deadline.in(LONG))) {
                List<Future<?>> callers = new ArrayList<>();
                for (int i = 0; i < CALLS; i++) {
                    Caller caller = new Caller(wire, i, connections, read, late);
                    callers.add(threads.submit(caller));
                }
                for (Future<?> caller : callers) {
                    caller.get();
                }
            }
        }
        assertThat(late.get()).as("left a connection to others").isGreaterThan(connections);
    }

    /** Asks for one or a few values until the connection breaks, or it has asked often enough. */
    private record Caller(Wire wire, int number, int seed, AtomicInteger read, AtomicInteger late) implements Runnable {
        @Override
        public void run() {
            SplittableRandom random = new SplittableRandom(31L * seed + number);
            for (int i = 0; i < 50 && !wire.isBroken(); i++) {
                List<String> commands = new ArrayList<>();
                for (int each = random.nextInt(1, 4); each > 0; each--) {
                    commands.add(Commands.get("own-" + number));
                }
                int millis = number % 2 == 0 ? 10_000 : random.nextInt(1, 20);
                try {
                    List<Reply> replies = wire.ask(commands, Deadline.in(TimeUnit.MILLISECONDS.toNanos(millis)));
                    assertThat(replies).hasSize(commands.size());
                    assertThat(replies).extracting(Reply::value).containsOnly(String.valueOf(number));
                    read.incrementAndGet();
                } catch (SocketTimeoutException left) {
                    late.incrementAndGet();
                } catch (IOException broken) {
                    assertThat(wire.isBroken()).isTrue();
                }
            }
        }
    }
}
