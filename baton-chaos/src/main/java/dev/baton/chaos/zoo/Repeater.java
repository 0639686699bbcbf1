package dev.baton.chaos.zoo;

import dev.baton.spi.Acquire;
import dev.baton.spi.Protocol;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/** Sends the last requests for locks again after a reconnect, as drivers do. Thread-safe. */
final class Repeater implements AutoCloseable {
    private static final int LAST = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final BatonDesign.Repeats repeats;
    private final Redis redis;
    private final StoreConfig config;
    private final ReentrantLock guard = new ReentrantLock();
    private final Deque<Acquire> last = new ArrayDeque<>();
    private final ExecutorService sender = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "repeater");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable Store store;

    Repeater(BatonDesign.Repeats repeats, Redis redis, StoreConfig config) {
        this.repeats = repeats;
        this.redis = redis;
        this.config = config;
    }

    void begin(Store opened) {
        store = opened;
    }

    void remember(Acquire command) {
        if (repeats != BatonDesign.Repeats.NEVER) {
            guard.lock();
            try {
                last.addLast(command);
                if (last.size() > LAST) {
                    last.removeFirst();
                }
            } finally {
                guard.unlock();
            }
        }
    }

    void reconnected() {
        Store opened = store;
        guard.lock();
        try {
            if (opened != null && !last.isEmpty()) {
                List<Acquire> again = List.copyOf(last);
                sender.execute(() -> again.forEach(command -> send(opened, command)));
            }
        } finally {
            guard.unlock();
        }
    }

    private void send(Store opened, Acquire command) {
        try {
            if (repeats == BatonDesign.Repeats.WITHOUT_MARKS) {
                redis.deleteField(bucketKey(command.resource().name()), config.clientId());
            }
            Acquire.Reply unheard = opened.acquire(command, TIMEOUT.toNanos());
            if (unheard instanceof Acquire.Mismatch) {
                throw new IllegalStateException("all locks are of one kind: " + unheard);
            }
        } catch (StoreFailure | JedisException broken) {
            // Broken again: the next reconnect repeats.
        }
    }

    /** Where the store on Redis keeps the marks of its clients. */
    private String bucketKey(String name) {
        return config.namespace() + ":{" + Protocol.bucketOf(name) + "}:b";
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }
}
