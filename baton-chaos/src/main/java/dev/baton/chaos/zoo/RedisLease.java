package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisException;

/** A hold of a lock on Redis. Thread-safe. */
final class RedisLease implements Taken {
    private enum State {
        HELD,
        REFUSED,
        RELEASED
    }

    private final Redis redis;
    private final Protocol protocol;
    private final Ask ask;
    private final long token;

    private final ReentrantLock guard = new ReentrantLock();
    private long untilNanos;
    private State state = State.HELD;
    private final List<Consumer<String>> listeners = new ArrayList<>();

    RedisLease(Redis redis, Protocol protocol, Ask ask, long token, long untilNanos) {
        this.redis = redis;
        this.protocol = protocol;
        this.ask = ask;
        this.token = token;
        this.untilNanos = untilNanos;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public boolean isHeld() {
        return guarded(() -> protocol.belief().holds(HostTime.nanos(), untilNanos, state == State.REFUSED));
    }

    @Override
    public String way() {
        return "REDIS";
    }

    @Override
    public void onLost(Consumer<String> told) {
        guarded(() -> listeners.add(told));
    }

    private <T> T guarded(Supplier<T> read) {
        guard.lock();
        try {
            return read.get();
        } finally {
            guard.unlock();
        }
    }

    /** A heartbeat. */
    void renew() {
        long sent = HostTime.nanos();
        boolean lost;
        try {
            boolean prolonged = protocol.renewal().prolong(redis, ask);
            lost = guarded(() -> isLossAfter(prolonged, sent));
        } catch (JedisException unanswered) {
            lost = protocol.notice() == Notice.UNANSWERED;
        }
        if (lost) {
            tell();
        }
    }

    private boolean isLossAfter(boolean prolonged, long sent) {
        if (prolonged) {
            untilNanos = protocol.belief().until(sent, HostTime.nanos(), ask.lease());
            return false;
        }
        if (state == State.HELD) {
            state = State.REFUSED;
            return true;
        }
        return protocol.notice() == Notice.REFUSED_AT_ANY_TIME && state == State.RELEASED;
    }

    /** Tells once. */
    private void tell() {
        List<Consumer<String>> all = guarded(() -> {
            List<Consumer<String>> present = List.copyOf(listeners);
            listeners.clear();
            return present;
        });
        all.forEach(told -> told.accept("RENEWAL"));
    }

    private boolean endHeld() {
        return guarded(() -> {
            boolean held = state == State.HELD;
            if (held) {
                state = State.RELEASED;
            }
            return held;
        });
    }

    /** Gives the lock back, also if it seems to be gone. The watchdog has been stopped before. */
    Outcome release() {
        boolean held = endHeld();
        boolean released;
        try {
            released = protocol.release().free(redis, ask);
        } catch (JedisException unanswered) {
            if (protocol.errors() == Errors.OF_THE_DRIVER) {
                throw unanswered;
            }
            return Outcome.UNKNOWN;
        }
        if (!released) {
            protocol.errors().releasedWithoutLock();
        }
        return released && held ? Outcome.RELEASED : Outcome.LOST;
    }
}
