package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
    public synchronized boolean isHeld() {
        return protocol.belief().holds(HostTime.nanos(), untilNanos, state == State.REFUSED);
    }

    @Override
    public String way() {
        return "REDIS";
    }

    @Override
    public synchronized void onLost(Consumer<String> told) {
        listeners.add(told);
    }

    /** A heartbeat. */
    void renew() {
        long sent = HostTime.nanos();
        try {
            boolean prolonged = protocol.renewal().prolong(redis, ask);
            renewed(prolonged, sent);
        } catch (JedisException unanswered) {
            if (protocol.notice() == Notice.UNANSWERED) {
                tell();
            }
        }
    }

    private synchronized void renewed(boolean prolonged, long sent) {
        if (prolonged) {
            untilNanos = protocol.belief().until(sent, HostTime.nanos(), ask.lease());
        } else if (state == State.HELD) {
            state = State.REFUSED;
            tell();
        } else if (protocol.notice() == Notice.REFUSED_AT_ANY_TIME && state == State.RELEASED) {
            tell();
        }
    }

    private synchronized void tell() {
        listeners.forEach(told -> told.accept("RENEWAL"));
        listeners.clear();
    }

    private synchronized boolean endHeld() {
        boolean held = state == State.HELD;
        if (held) {
            state = State.RELEASED;
        }
        return held;
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
