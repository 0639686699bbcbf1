package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisException;

/** Grants that Redis pushed to a client, until a waiter takes them. Thread-safe. */
final class PushBox implements AutoCloseable {
    /**
     * A grant.
     *
     * @param name the lock
     * @param owner the request to which it was granted
     * @param micros when, of the server's clock
     */
    record Push(String name, String owner, long micros) {
        static Push parse(String message) {
            String[] words = message.split(" ", -1);
            return new Push(words[0], words[1], Long.parseLong(words[2]));
        }
    }

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Supplier<Redis> server;
    private final BinaryOperator<String> addressee;
    private final ReentrantLock guard = new ReentrantLock();
    private final Condition arrived = guard.newCondition();
    private final Map<String, Integer> waiting = new HashMap<>();
    private final Map<String, Push> pushed = new HashMap<>();
    private volatile boolean closed;

    /**
     * Creates an empty one.
     *
     * @param server the one that pushes; is asked again when the connection has broken
     * @param addressee says who takes the push for the owner of a lock; the lock's name comes first
     */
    PushBox(Supplier<Redis> server, BinaryOperator<String> addressee) {
        this.server = server;
        this.addressee = addressee;
    }

    /** Hears the pushes for a client from now on. */
    void listen(int client) {
        Thread ear = new Thread(() -> hear(Redis.PUSHES + client), "pushes");
        ear.setDaemon(true);
        ear.start();
    }

    private void hear(String channel) {
        while (!closed) {
            try {
                server.get().listen(channel, message -> take(Push.parse(message)));
            } catch (JedisException broken) {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            HostTime.sleep(PAUSE);
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(Push push) {
        String waiter = addressee.apply(push.name(), push.owner());
        guard.lock();
        try {
            if (waiting.containsKey(waiter)) {
                pushed.put(waiter, push);
                arrived.signalAll();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Waits for a push. */
    Optional<Push> await(String addressee, Duration limit) throws InterruptedException {
        guard.lock();
        try {
            waiting.merge(addressee, 1, Integer::sum);
            long left = limit.toNanos();
            while (left > 0 && !pushed.containsKey(addressee)) {
                left = arrived.awaitNanos(left);
            }
            return Optional.ofNullable(pushed.remove(addressee));
        } finally {
            waiting.computeIfPresent(addressee, (key, count) -> count == 1 ? null : count - 1);
            guard.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
