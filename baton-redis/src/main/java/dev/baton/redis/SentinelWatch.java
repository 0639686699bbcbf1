package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches where the primary is, on a thread of its own: hears one sentinel announce failovers, and asks all of them each
 * second, because an announcement may be lost, and because the sentinel that it hears may learn of a failover seconds
 * after the one that made it. When a sentinel begins to take the primary for dead, it asks five times a second for a
 * while, so that clients arrive as soon as a sentinel names the next one. If the sentinel that it hears falls silent, it
 * hears the next one.
 */
final class SentinelWatch implements AutoCloseable {
    private static final String CHANNEL = "+switch-master";
    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** If there is no failover by then, there may be none for long: sentinels without a majority make none. */
    private static final long QUICK_FOR_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Sentinels sentinels;
    private final String service;
    private final Runnable onAnswer;
    private final Pace pace;
    private final int first;
    private final Thread thread;
    private boolean near;
    private volatile boolean closed;

    /**
     * Creates a watch that does nothing before {@link #start}.
     *
     * @param onAnswer runs after a sentinel was asked
     */
    SentinelWatch(Sentinels sentinels, String service, Runnable onAnswer, String client, String threadName) {
        this.sentinels = sentinels;
        this.service = service;
        this.onAnswer = onAnswer;
        this.pace = new Pace(client);
        // Clients hear different sentinels, so that no sentinel has all of them.
        this.first = Math.floorMod(client.hashCode(), sentinels.links().size());
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        for (int i = first; !closed; i = (i + 1) % sentinels.links().size()) {
            pace.await(() -> closed);
            hear(sentinels.links().get(i));
            poll();
        }
    }

    /** Hears a sentinel until the connection breaks. */
    private void hear(SentinelLink link) {
        if (closed || !link.isWorthAsking()) {
            return;
        }
        try (Wire wire = link.wire()) {
            ChannelReader.read(
                    wire, ChannelReader.subscribing("SUBSCRIBE", List.of(CHANNEL)), POLL_NANOS, new Hearing(link));
        } catch (StoreFailure | IOException | RuntimeException broken) {
            // The next sentinel tells the same. That this one is silent shows when it is polled.
        }
    }

    /** What a sentinel announces. */
    private final class Hearing implements ChannelReader.Listener {
        private final SentinelLink link;

        Hearing(SentinelLink link) {
            this.link = link;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        /** Asks, because an announcement does not say how new it is, and those before the subscription are missed. */
        @Override
        public void onMessage(Object message) throws IOException {
            if (message instanceof RespReader.RespError error) {
                throw new IOException(error.message());
            }
            if (message instanceof List<?> parts && parts.size() > 2) {
                boolean subscribed = RespReader.text(parts.get(0)).equals("subscribe");
                if (subscribed || RespReader.text(parts.get(2)).startsWith(service + ' ')) {
                    ask(link);
                }
            }
        }

        @Override
        public void onIdle() {
            poll();
        }
    }

    private void poll() {
        boolean before = near;
        askAll();
        if (near && !before) {
            askQuickly();
        }
    }

    private void askQuickly() {
        Deadline end = Deadline.in(QUICK_FOR_NANOS);
        while (near && !closed && end.leftNanos() > 0) {
            LockSupport.parkNanos(this, QUICK_NANOS);
            askAll();
        }
    }

    private void askAll() {
        for (SentinelLink link : sentinels.links()) {
            if (!closed && link.isWorthAsking()) {
                ask(link);
            }
        }
        near = sentinels.isFailoverNear();
    }

    private void ask(SentinelLink link) {
        link.ask();
        onAnswer.run();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
