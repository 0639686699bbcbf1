package dev.baton.servers.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TcpProxyTest {
    private static final int LIMIT_MILLIS = 10_000;
    private static final int SILENCE_MILLIS = 100;
    private static final int MANY = 300_000;

    private EchoServer server;
    private TcpProxy proxy;
    private Socket client;

    /** Echoes everything. */
    private static final class EchoServer {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
        private final AtomicLong heard = new AtomicLong();
        private final Thread acceptor;

        EchoServer() throws IOException {
            acceptor = start(this::accept);
        }

        private static Thread start(Runnable work) {
            Thread thread = new Thread(work, "echo");
            thread.setDaemon(true);
            thread.start();
            return thread;
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    sockets.add(socket);
                    start(() -> echo(socket));
                }
            } catch (IOException closed) {
                // The connection ended.
            }
        }

        private void echo(Socket socket) {
            try (socket) {
                byte[] buffer = new byte[1000];
                for (int size = socket.getInputStream().read(buffer);
                        size >= 0;
                        size = socket.getInputStream().read(buffer)) {
                    heard.addAndGet(size);
                    socket.getOutputStream().write(buffer, 0, size);
                }
            } catch (IOException reset) {
                // The connection ended.
            } finally {
                sockets.remove(socket);
            }
        }

        void close() throws IOException, InterruptedException {
            listener.close();
            acceptor.join(LIMIT_MILLIS);
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @BeforeEach
    void open() throws IOException {
        server = new EchoServer();
        proxy = TcpProxy.to("127.0.0.1", server.listener.getLocalPort());
        client = connect();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        proxy.close();
        server.close();
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("proxy-" + proxy.port())));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(proxy.host(), proxy.port());
        socket.setSoTimeout(LIMIT_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void expect(Socket socket, String text) throws IOException {
        assertThat(socket.getInputStream().readNBytes(text.length()))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo(text);
    }

    private static void expectEcho(Socket socket, String text) throws IOException {
        send(socket, text);
        expect(socket, text);
    }

    private static void expectSilence(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(LIMIT_MILLIS);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < LIMIT_MILLIS && !condition.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void forward_passesBothWays_andEnds() throws Exception {
        expectEcho(client, "hello");
        assertThat(proxy.connections()).isEqualTo(1);
        try (Socket second = connect()) {
            expectEcho(second, "hello");
            assertThat(proxy.connections()).isEqualTo(2);
        }
        await(() -> proxy.connections() == 1);
        client.shutdownOutput();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        await(() -> proxy.connections() == 0 && server.sockets.isEmpty());
    }

    @Test
    void forward_closesTheClient_whenTheTargetCloses() throws Exception {
        expectEcho(client, "hello");
        server.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void follow_leadsNewConnectionsElsewhere_andLeavesThePresentOnes() throws Exception {
        expectEcho(client, "hello");
        EchoServer other = new EchoServer();
        proxy.follow("127.0.0.1", other.listener.getLocalPort());
        try (Socket second = connect()) {
            expectEcho(second, "elsewhere");
            assertThat(other.heard).hasValue("elsewhere".length());
            expectEcho(client, "still here");
            assertThat(server.heard).hasValue("hello".length() + "still here".length());
        } finally {
            other.close();
        }
    }

    @Test
    void target_thatIsNotThere_isAReset() throws Exception {
        server.close();
        try (Socket second = connect()) {
            assertThatThrownBy(() -> second.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void blackHole_holdsAllBack_inOrder() throws Exception {
        expectEcho(client, "before");
        proxy.blackHole();
        send(client, "first ");
        try (Socket second = connect()) {
            send(second, "from another");
            expectSilence(client);
            expectSilence(second);
            assertThat(server.heard).hasValue("before".length());
            assertThat(proxy.connections()).isEqualTo(2);
            send(client, "second");
            proxy.forward();
            expect(client, "first second");
            expect(second, "from another");
        }
    }

    @Test
    void blackHole_hidesTheEnd_untilForward() throws Exception {
        expectEcho(client, "before");
        proxy.blackHole();
        client.close();
        await(() -> proxy.connections() == 0);
        Thread.sleep(SILENCE_MILLIS);
        assertThat(server.sockets).hasSize(1);
        proxy.forward();
        await(() -> server.sockets.isEmpty());
    }

    @Test
    void blackHole_fillsTheSendersBuffers() throws Exception {
        expectEcho(client, "before");
        proxy.blackHole();
        AtomicLong sent = new AtomicLong();
        byte[] chunk = new byte[100_000];
        Thread sender = new Thread(() -> {
            try {
                while (true) {
                    client.getOutputStream().write(chunk);
                    sent.addAndGet(chunk.length);
                }
            } catch (IOException cut) {
                // The connection ended.
            }
        });
        sender.start();
        await(() -> sender.getState() == Thread.State.RUNNABLE && sent.get() > 1 << 20);
        long before = -1;
        while (before != sent.get()) {
            before = sent.get();
            Thread.sleep(SILENCE_MILLIS);
        }
        proxy.cut();
        sender.join(LIMIT_MILLIS);
        assertThat(sender.isAlive()).isFalse();
        assertThat(sent.get()).isLessThan(20L << 20);
    }

    @Test
    void holdReplies_letsRequestsPass() throws Exception {
        proxy.holdReplies();
        send(client, "hello");
        await(() -> server.heard.get() == "hello".length());
        expectSilence(client);
        proxy.forward();
        expect(client, "hello");
    }

    @Test
    void holdRequests_letsRepliesPass() throws Exception {
        proxy.delay(Duration.ofMillis(200));
        send(client, "hello");
        await(() -> server.heard.get() == "hello".length());
        // The answer is on its way.
        proxy.holdRequests();
        send(client, "held");
        expect(client, "hello");
        try (Socket second = connect()) {
            send(second, "from another");
            expectSilence(second);
            expectSilence(client);
            assertThat(server.heard).hasValue("hello".length());
            proxy.forward();
            expect(client, "held");
            expect(second, "from another");
        }
    }

    @Test
    void discardReplies_dropsThem_andThoseHeldBack() throws Exception {
        proxy.holdReplies();
        send(client, "held");
        await(() -> server.heard.get() == "held".length());
        expectSilence(client);
        proxy.discardReplies();
        send(client, "dropped");
        await(() -> server.heard.get() == "helddropped".length());
        expectSilence(client);
        proxy.forward();
        expectEcho(client, "after");
    }

    @Test
    void cut_resetsBothSides() throws Exception {
        expectEcho(client, "hello");
        proxy.cut();
        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        await(() -> server.sockets.isEmpty());
        assertThat(proxy.connections()).isZero();
        try (Socket second = connect()) {
            expectEcho(second, "hello");
        }
    }

    @Test
    void cutOldest_resetsTheConnectionThatWasOpenedFirst() throws Exception {
        expectEcho(client, "hello");
        try (Socket second = connect()) {
            expectEcho(second, "hello");
            assertThat(proxy.cutOldest()).isTrue();
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
            expectEcho(second, "still here");
            assertThat(proxy.cutOldest()).isTrue();
            assertThatThrownBy(() -> second.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThat(proxy.cutOldest()).isFalse();
        }
    }

    @Test
    void cutAtTheTarget_isNotHeardByTheClient_whoseWordsAreThrownAway() throws Exception {
        expectEcho(client, "hello");
        long before = proxy.disturbances();
        proxy.cut(Side.TARGET);
        await(() -> server.sockets.isEmpty());
        assertThat(proxy.disturbances()).isEqualTo(before + 1);
        for (int i = 0; i < 50; i++) {
            client.getOutputStream().write(new byte[100_000]);
        }
        expectSilence(client);
        assertThat(proxy.disturbances()).isGreaterThan(before + 10);
        assertThat(server.heard).hasValue("hello".length());
        proxy.forward();
        expectSilence(client);
        assertThat(proxy.connections()).isEqualTo(1);
        try (Socket second = connect()) {
            expectEcho(second, "new connections work");
        }
        client.close();
        await(() -> proxy.connections() == 0);
    }

    @Test
    void cutAtTheClient_leavesTheTargetItsSession_untilTheTargetEndsIt() throws Exception {
        expectEcho(client, "hello");
        proxy.cut(Side.CLIENT);
        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        assertThat(proxy.connections()).isZero();
        Thread.sleep(SILENCE_MILLIS);
        assertThat(server.sockets).hasSize(1);
        proxy.cut(Side.TARGET);
        proxy.forward();
        Thread.sleep(SILENCE_MILLIS);
        assertThat(server.sockets).as("its other end is gone already").hasSize(1);
        proxy.cut();
        await(() -> server.sockets.isEmpty());
    }

    @Test
    void cutAtTheClient_isHeardByTheTarget_whenItIsProbed() throws Exception {
        expectEcho(client, "hello");
        // Longer than a stall of the machine: it is not heard before.
        proxy.probe(Duration.ofSeconds(3));
        proxy.cut(Side.CLIENT);
        assertThat(server.sockets).hasSize(1);
        await(() -> server.sockets.isEmpty());
    }

    @Test
    void cutAtOneSide_ofAConnectionThatIsHeldBack_isHalfOpenAllTheSame() throws Exception {
        proxy.blackHole();
        send(client, "held");
        await(() -> proxy.disturbances() > 0);
        proxy.cut(Side.TARGET);
        proxy.forward();
        expectSilence(client);
        assertThat(server.heard).hasValue(0);
        assertThat(proxy.connections()).isEqualTo(1);
    }

    @Test
    void silenceOldest_holdsBackOneConnectionForGood() throws Exception {
        expectEcho(client, "hello");
        try (Socket second = connect()) {
            expectEcho(second, "hello");
            assertThat(proxy.silenceOldest()).isTrue();
            proxy.forward();
            client.setSoTimeout(100);
            client.getOutputStream().write(1);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            expectEcho(second, "still here");
            assertThat(proxy.silenceOldest()).isTrue();
            assertThat(proxy.silenceOldest()).isFalse();
        }
    }

    @Test
    void refuse_keepsPresentConnections() throws Exception {
        expectEcho(client, "hello");
        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        expectEcho(client, "still here");
        proxy.blackHole();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        proxy.forward();
        try (Socket second = connect()) {
            expectEcho(second, "hello");
        }
        expectEcho(client, "and here");
    }

    @Test
    void delay_isThereEachWay() throws Exception {
        expectEcho(client, "hello");
        proxy.delay(Duration.ofMillis(40));
        long start = System.nanoTime();
        expectEcho(client, "hello");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(80));
        proxy.forward();
        expectEcho(client, "hello");
    }

    @Test
    void dribble_splitsReplies() throws Exception {
        expectEcho(client, "hello");
        proxy.dribble(3);
        // From the server's side: a request in pieces would be answered in pieces.
        Socket peer = server.sockets.iterator().next();
        String reply = "0123456789".repeat(10);
        long start = System.nanoTime();
        send(peer, reply);
        expect(client, reply);
        // A reader that comes late finds several pieces together, but not before the pauses between them.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(33));
        send(client, "0123456789");
        proxy.forward();
        await(() -> server.heard.get() == "hello0123456789".length());
    }

    @Test
    void dribble_thenBlackHole_stopsInTheMiddle() throws Exception {
        expectEcho(client, "hello");
        proxy.dribble(1);
        send(client, "x".repeat(5_000));
        expect(client, "xxx");
        proxy.blackHole();
        client.setSoTimeout(SILENCE_MILLIS);
        long read = 3;
        try {
            while (true) {
                read += client.getInputStream().readNBytes(1).length;
            }
        } catch (SocketTimeoutException silent) {
            assertThat(read).isLessThan(5_000);
        }
        client.setSoTimeout(LIMIT_MILLIS);
        proxy.forward();
        expect(client, "x".repeat((int) (5_000 - read)));
    }

    @Test
    void manyBytes_comeInOrder_whateverIsSwitched() throws Exception {
        byte[] sent = new byte[MANY];
        for (int i = 0; i < MANY; i++) {
            sent[i] = (byte) (i * 31 >> 3);
        }
        Thread sender = new Thread(() -> {
            try {
                client.getOutputStream().write(sent);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        sender.start();
        for (int i = 0; i < 5; i++) {
            proxy.dribble(100);
            proxy.blackHole();
            Thread.sleep(2);
            proxy.delay(Duration.ofMillis(1));
            proxy.holdReplies();
            Thread.sleep(2);
            proxy.forward();
        }
        byte[] received = client.getInputStream().readNBytes(MANY);
        assertThat(Arrays.equals(received, sent)).isTrue();
        sender.join(LIMIT_MILLIS);
    }
}
