package dev.baton.servers.net;

import dev.baton.servers.net.Flow.Direction;
import dev.baton.servers.net.Lane.Chunk;
import dev.baton.servers.net.Lane.End;
import dev.baton.spi.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a proxy and the proxy's connection to the target, with one lane for each direction and one
 * thread at each end of a lane. Thread-safe.
 */
final class Link {
    /** Small, so that a sender soon notices that its peer does not read. */
    static final int SOCKET_BUFFER = 1 << 16;

    private static final int CHUNK = 1 << 14;
    private static final int CONNECT_MILLIS = 5_000;

    private final Socket client;
    private final Socket target = new Socket();
    private final String prefix;
    private final InetSocketAddress address;
    private final Lane requests;
    private final Lane replies;
    private final Runnable onDisturbance;
    private final Consumer<Link> onEnd;
    private final AtomicInteger lanesInUse = new AtomicInteger(2);
    private final AtomicReference<@Nullable Side> cutOff = new AtomicReference<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean silent;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /**
     * Makes a link that does nothing before {@link #start}.
     *
     * @param client the client's connection
     * @param address the target
     * @param flow says how to treat the bytes
     * @param onDisturbance is called for each chunk that arrives while the flow is not free
     * @param onEnd is called when both directions have ended
     */
    Link(Socket client, InetSocketAddress address, Supplier<Flow> flow, Runnable onDisturbance, Consumer<Link> onEnd) {
        this.client = client;
        this.prefix = "proxy-" + client.getLocalPort() + "-" + client.getPort() + "-";
        this.address = address;
        this.onDisturbance = onDisturbance;
        this.onEnd = onEnd;
        Supplier<Flow> own = () -> silent ? flow.get().with(Flow.Mode.BLACK_HOLE) : flow.get();
        this.requests = new Lane(Direction.REQUESTS, own, onDisturbance);
        this.replies = new Lane(Direction.REPLIES, own, onDisturbance);
    }

    void start() {
        run("requests-in", () -> read(client, requests));
        run("requests-out", this::connectAndWrite);
    }

    private void run(String name, Runnable work) {
        Thread thread = new Thread(work, prefix + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void connectAndWrite() {
        try {
            if (!requests.awaitOpen()) {
                return;
            }
            client.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            target.setReceiveBufferSize(SOCKET_BUFFER);
            target.connect(address, CONNECT_MILLIS);
        } catch (IOException noTarget) {
            fail();
            return;
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
        run("replies-in", () -> read(target, replies));
        run("replies-out", () -> write(replies, client));
        write(requests, target);
    }

    private static void read(Socket from, Lane lane) {
        try {
            End end = End.FINISH;
            try {
                InputStream in = from.getInputStream();
                byte[] buffer = new byte[CHUNK];
                for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                    ByteBuffer bytes = ByteBuffer.allocate(size).put(buffer, 0, size);
                    if (!lane.put(bytes.flip(), End.NONE)) {
                        return;
                    }
                }
            } catch (IOException broken) {
                end = End.RESET;
            }
            lane.put(ByteBuffer.allocate(0), end);
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
    }

    private void write(Lane lane, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            End end = End.NONE;
            while (end == End.NONE) {
                Chunk chunk = lane.take();
                ByteBuffer bytes = chunk.bytes();
                out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
                end = chunk.end();
            }
            if (end == End.RESET) {
                fail();
                return;
            }
            to.shutdownOutput();
        } catch (IOException gone) {
            // The other lane passes on what this peer still sends, or its end.
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
        lane.close();
        if (lanesInUse.decrementAndGet() == 0 && cutOff.get() == null) {
            close();
        }
    }

    /** One side is gone, and the other hears of it, unless the link is half open. */
    private void fail() {
        if (cutOff.get() == null) {
            cut();
        }
    }

    /** Returns whether the client has neither closed its connection nor lost it. */
    boolean isOpen() {
        return !requests.hasEnded() && cutOff.get() != Side.CLIENT;
    }

    /** Makes both lanes read the flow again. */
    void wake() {
        requests.wake();
        replies.wake();
    }

    boolean isSilent() {
        return silent;
    }

    /** Stops delivery in both directions. */
    void silence() {
        silent = true;
        wake();
    }

    /**
     * Resets the connection of one side, and lets the other side believe that nothing has happened. Returns false if a
     * side is gone already.
     *
     * @param probeMillis after this time the connection of the other side ends, too; 0 for never
     */
    boolean cut(Side side, long probeMillis) {
        if (requests.hasEnded() || replies.hasEnded() || !cutOff.compareAndSet(null, side)) {
            return false;
        }
        requests.close();
        replies.close();
        Socket gone = side == Side.CLIENT ? client : target;
        linger(gone);
        close(gone);
        run("half-open", () -> throwAway(side == Side.CLIENT ? target : client));
        if (probeMillis > 0) {
            run("probes", () -> endAfter(probeMillis));
        }
        return true;
    }

    private void endAfter(long millis) {
        try {
            if (!closed.await(millis, TimeUnit.MILLISECONDS)) {
                close();
            }
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
    }

    private void throwAway(Socket from) {
        try {
            InputStream in = from.getInputStream();
            byte[] buffer = new byte[CHUNK];
            while (in.read(buffer) >= 0) {
                onDisturbance.run();
            }
        } catch (IOException reset) {
            // As the end.
        }
        close();
    }

    /** Resets both connections. */
    void cut() {
        linger(client);
        linger(target);
        close();
    }

    private static void linger(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException closed) {
            // The socket is closed already.
        }
    }

    /** Closes both connections. */
    void close() {
        closed.countDown();
        requests.close();
        replies.close();
        close(client);
        close(target);
        onEnd.accept(this);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the threads of a closed link have ended. */
    void join(Deadline deadline) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.leftNanos())));
        }
    }
}
