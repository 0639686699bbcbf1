package dev.baton.redis;

import dev.baton.internal.store.Uninterrupted;
import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.Push;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the client's channel, on a connection and a thread of its own. After the connection broke, it reconnects
 * and has every ticket polled, because pushes may have been missed. A push is a hint: without the subscription, a wait
 * only takes until the next heartbeat.
 */
final class Subscription implements AutoCloseable {
    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Dialer.Opener opener;
    private final Channels channels;
    private final StoreListener listener;
    private final Runnable onBreak;
    private final Runnable onIdle;
    private final Thread thread;
    private final CountDownLatch firstTry = new CountDownLatch(1);
    private volatile @Nullable Wire wire;
    private volatile boolean closed;
    private volatile @Nullable String refusal;
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicInteger renewals = new AtomicInteger();
    private volatile String served = "";

    /**
     * Creates a subscription that does nothing before {@link #start}.
     *
     * @param onBreak runs each time before it reconnects
     * @param onIdle runs if nothing has arrived for some seconds; must not wait
     */
    Subscription(
            Dialer.Opener opener,
            Channels channels,
            StoreListener listener,
            Runnable onBreak,
            Runnable onIdle,
            String threadName) {
        this.onIdle = onIdle;
        this.opener = opener;
        this.channels = channels;
        this.listener = listener;
        this.onBreak = onBreak;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /**
     * Starts to listen.
     *
     * @return why no push can be received; null if pushes arrive, or if that is still unknown when the time is over
     */
    @Nullable
    String start(Deadline deadline) {
        thread.start();
        boolean unused = Uninterrupted.await(deadline, left -> firstTry.await(left, TimeUnit.NANOSECONDS));
        return refusal;
    }

    /**
     * Follows the commands, which go to this server from now on. Grants are pushed there, so a subscription elsewhere
     * would receive nothing; and a server that lost its role keeps its connections.
     *
     * @param runId its identity
     */
    void follow(String runId) {
        served = runId;
        Wire open = wire;
        if (open != null && !open.runId().equals(runId)) {
            open.close();
        }
    }

    /**
     * Replaces the connection by one with the present credentials and channels: the server takes no credentials on a
     * connection that is subscribed.
     */
    void renew() {
        // Before the look at the connection: one that is being opened is given up by the thread that opens it.
        renewals.incrementAndGet();
        Wire open = wire;
        if (open != null) {
            open.close();
        }
    }

    private void run() {
        long pause = FIRST_PAUSE_NANOS;
        boolean again = false;
        while (!closed) {
            boolean heard = listen(again);
            firstTry.countDown();
            again = true;
            pause = heard ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, pause * 2);
            if (!closed) {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    /** Listens until the connection breaks; returns whether it was ever subscribed. */
    private boolean listen(boolean again) {
        Hearing hearing = new Hearing(again);
        if (again) {
            onBreak.run();
        }
        Wire open = null;
        String before = served;
        int renewed = renewals.get();
        try (Dialer.Open dialed = opener.open()) {
            open = dialed.wire();
            wire = open;
            String now = served;
            if (!now.equals(before) && !now.equals(open.runId())) {
                throw new IOException("commands go to another server by now");
            }
            if (renewals.get() != renewed) {
                throw new IOException("the credentials or the channels changed meanwhile");
            }
            RespWriter subscribe = new RespWriter();
            hearing.missing = channels.subscribe(subscribe);
            ChannelReader.read(open, subscribe, PING_NANOS, hearing);
        } catch (StoreFailure | IOException | RuntimeException broken) {
            if (!hearing.subscribed && refusal == null) {
                refusal = String.valueOf(broken.getMessage());
            }
        } finally {
            if (open != null) {
                open.close();
            }
        }
        return hearing.subscribed;
    }

    /** What arrives on one connection. */
    private final class Hearing implements ChannelReader.Listener {
        private final boolean again;
        /** How many channels are not confirmed yet. */
        private int missing;

        private boolean subscribed;

        Hearing(boolean again) {
            this.again = again;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void onIdle() {
            onIdle.run();
        }

        @Override
        public void onMessage(Object message) throws IOException {
            if (message instanceof RespError error) {
                throw new IOException(error.message());
            }
            if (message == RespReader.Large.LARGE) {
                malformed.incrementAndGet();
            } else if (message instanceof List<?> parts && parts.size() > 1) {
                hear(parts);
            }
        }

        private void hear(List<?> parts) throws IOException {
            String kind = RespReader.text(parts.get(0));
            if (kind.endsWith("unsubscribe")) {
                throw new IOException("a part of the names has moved to another server");
            }
            if (kind.endsWith("subscribe")) {
                confirmed();
            } else if (kind.endsWith("message")
                    && parts.size() > 2
                    && parts.get(2) instanceof byte[] raw
                    && raw.length > 0) {
                // An empty message is the client's own, sent to test its right to publish.
                push(PushReader.read(raw));
            }
        }

        private void confirmed() {
            missing--;
            if (missing == 0) {
                refusal = null;
                firstTry.countDown();
                if (again) {
                    listener.onReconnect();
                }
                subscribed = true;
            }
        }

        private void push(@Nullable Push push) {
            if (push == null) {
                malformed.incrementAndGet();
            } else {
                listener.onPush(push);
            }
        }
    }

    /** Ends the present pause between two tries, because the server may be reached by now. */
    void hurry() {
        LockSupport.unpark(thread);
    }

    /** Returns how many messages on the client's channel were no pushes, and were ignored. */
    long malformed() {
        return malformed.get();
    }

    @Override
    public void close() {
        closed = true;
        Wire open = wire;
        if (open != null) {
            open.close();
        }
        LockSupport.unpark(thread);
    }
}
