package dev.baton.servers.net;

import dev.baton.servers.net.Flow.Mode;
import dev.baton.spi.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bad network in front of a server: it listens on a free loopback port and forwards each connection to a target. A
 * test may switch its mode at any time. The new mode applies to bytes that arrive later and to bytes that the proxy
 * holds back.
 *
 * <p>For each direction of each connection, the proxy buffers about 1 MiB that it cannot pass on. Then it stops
 * reading, and the sender's buffers fill. Ends and resets of connections pass in order with the bytes. {@link #delay}
 * and {@link #dribble} combine with every other control; the controls that say which bytes pass replace each other.
 * Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int PORTS = 10;
    private static final int BACKLOG = 128;
    private static final long END_LIMIT_SECONDS = 10;

    private volatile InetSocketAddress target;
    /** In the order in which they were opened. */
    private final Queue<Link> links = new ConcurrentLinkedQueue<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong disturbances = new AtomicLong();
    private volatile Flow flow = Flow.FREE;
    private volatile boolean closed;
    private volatile long probeMillis;
    private int port;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
    }

    /**
     * Starts a proxy that forwards.
     *
     * @param host of the target, which does not have to be up yet
     * @param port of the target
     */
    public static TcpProxy to(String host, int port) {
        TcpProxy proxy = new TcpProxy(new InetSocketAddress(host, port));
        proxy.listenOnFreePort();
        return proxy;
    }

    private void listenOnFreePort() {
        for (int attempt = 1; ; attempt++) {
            port = FreePort.next();
            try {
                forward();
                return;
            } catch (UncheckedIOException taken) {
                if (attempt == PORTS) {
                    throw taken;
                }
            }
        }
    }

    /** Returns the address on which it listens: {@code 127.0.0.1}. */
    public String host() {
        return "127.0.0.1";
    }

    /** Returns the port on which it listens. It never changes. */
    public int port() {
        return port;
    }

    /** Returns how many clients are connected now. A client that has closed its connection does not count. */
    public int connections() {
        return (int) links.stream().filter(Link::isOpen).count();
    }

    /**
     * Connects to another server from now on, like an address that follows a primary. Present connections stay.
     *
     * @param host of the new target
     * @param newPort of the new target
     */
    public void follow(String host, int newPort) {
        target = new InetSocketAddress(host, newPort);
    }

    /** Undoes all other controls. Bytes that were held back are delivered in order. */
    public void forward() {
        lock.lock();
        try {
            switchTo(Flow.FREE);
            if (listener == null && !closed) {
                listen();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Holds back all bytes in both directions. Connections stay, and new ones are accepted. */
    public void blackHole() {
        switchTo(Mode.BLACK_HOLE);
    }

    /** Holds back requests, and new connections. Replies pass. */
    public void holdRequests() {
        switchTo(Mode.HOLD_REQUESTS);
    }

    /** Holds back replies. Requests pass. */
    public void holdReplies() {
        switchTo(Mode.HOLD_REPLIES);
    }

    /** Drops replies for good, including those held back. Requests pass. */
    public void discardReplies() {
        switchTo(Mode.DISCARD_REPLIES);
    }

    /** Delivers each chunk that arrives from now on this much later, in both directions. */
    public void delay(Duration time) {
        lock.lock();
        try {
            switchTo(new Flow(flow.mode(), time, flow.most()));
        } finally {
            lock.unlock();
        }
    }

    /** Writes at most this many bytes at once, in both directions, with a pause of one millisecond after each write. */
    public void dribble(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("at least one byte, not " + bytes);
        }
        lock.lock();
        try {
            switchTo(new Flow(flow.mode(), flow.delay(), bytes));
        } finally {
            lock.unlock();
        }
    }

    /** Resets all present connections, on both sides. Bytes that are held back are lost. */
    public void cut() {
        List.copyOf(links).forEach(this::cut);
    }

    /** Resets the oldest present connection, on both sides; the others stay. Returns false if there is none. */
    public boolean cutOldest() {
        Optional<Link> oldest = links.stream().filter(Link::isOpen).findFirst();
        oldest.ifPresent(this::cut);
        return oldest.isPresent();
    }

    /**
     * Resets all present connections at one side only. They are half open from then on: the other side hears nothing,
     * not even the end, and what it sends is thrown away, until it closes them or {@link #cut()} resets them there, too.
     * If {@link #probe} was called, that happens by itself. New connections are not affected.
     *
     * @param side which sees the reset
     */
    public void cut(Side side) {
        for (Link link : links) {
            if (link.cut(side, probeMillis)) {
                disturbances.incrementAndGet();
            }
        }
    }

    /**
     * Ends half-open connections after a time, also at the side that was not told, as an operating system does whose
     * keep-alive probes get no answer.
     *
     * @param after for connections that are cut from now on
     */
    public void probe(Duration after) {
        probeMillis = after.toMillis();
    }

    private void cut(Link link) {
        if (link.isOpen()) {
            disturbances.incrementAndGet();
        }
        link.cut();
    }

    /**
     * Returns how often the controls have had an effect: how many chunks of bytes came while bytes did not pass freely,
     * or from a side that does not know that the other was cut off, and how many open connections were cut.
     */
    public long disturbances() {
        return disturbances.get();
    }

    /**
     * Stops delivery on the oldest present connection that is not silent yet, in both directions and for good; the
     * others stay as they are. Returns false if there is none.
     */
    public boolean silenceOldest() {
        Optional<Link> oldest =
                links.stream().filter(link -> link.isOpen() && !link.isSilent()).findFirst();
        oldest.ifPresent(Link::silence);
        return oldest.isPresent();
    }

    /** Refuses new connections until {@link #forward}. Present connections stay. */
    public void refuse() {
        lock.lock();
        try {
            if (listener != null && acceptor != null) {
                listener.close();
                listener = null;
                // The kernel keeps listening until the thread has left accept().
                acceptor.join(TimeUnit.SECONDS.toMillis(END_LIMIT_SECONDS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void switchTo(Mode mode) {
        lock.lock();
        try {
            switchTo(flow.with(mode));
        } finally {
            lock.unlock();
        }
    }

    private void switchTo(Flow next) {
        flow = next;
        links.forEach(Link::wake);
    }

    private void listen() throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.setReceiveBufferSize(Link.SOCKET_BUFFER);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host()), port), BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        Thread thread = new Thread(() -> accept(socket), "proxy-" + port);
        thread.setDaemon(true);
        thread.start();
        listener = socket;
        acceptor = thread;
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Socket client = socket.accept();
                Link link = new Link(client, target, () -> flow, disturbances::incrementAndGet, links::remove);
                links.add(link);
                link.start();
            }
        } catch (IOException refusing) {
            // The proxy stopped listening.
        }
    }

    /** Stops listening, closes all connections, and waits for the threads. */
    @Override
    public void close() {
        closed = true;
        refuse();
        List<Link> last = List.copyOf(links);
        last.forEach(Link::close);
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(END_LIMIT_SECONDS));
        try {
            for (Link link : last) {
                link.join(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
