package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Taken;
import dev.baton.chaos.lock.UnansweredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisException;

/** A hold of a lock, which its watchdog renews. Thread-safe. */
final class HeldLease implements Taken {
    private enum State {
        HELD,
        REFUSED,
        RELEASED
    }

    /**
     * What a holder does at the store. Each step throws {@link UnansweredException}, or an exception of the driver of
     * Redis, if there is no answer.
     */
    interface Upkeep {
        /** Prolongs the hold. Returns whether it was there. */
        boolean prolong();

        /** Ends the hold. Returns whether it was there. */
        boolean free();
    }

    /**
     * What a holder believes and tells.
     *
     * @param belief how long it believes
     * @param notice when it tells a loss
     * @param errors what its callers see
     * @param lease the lease time
     * @param looksEvery how often it looks whether it still believes
     */
    record Manners(Belief belief, Notice notice, Errors errors, Duration lease, Duration looksEvery) {
        /** Describes a holder that looks when it begins and ends. */
        Manners(Belief belief, Notice notice, Errors errors, Duration lease) {
            this(belief, notice, errors, lease, Duration.ofDays(1));
        }
    }

    private final Upkeep upkeep;
    private final Manners manners;
    private final long token;

    private final ReentrantLock guard = new ReentrantLock();
    private long untilNanos;
    private State state = State.HELD;
    private final List<Consumer<String>> listeners = new ArrayList<>();

    /**
     * Begins.
     *
     * @param token the fencing token; -1 if there is none
     * @param untilNanos the end of its belief
     */
    HeldLease(Upkeep upkeep, Manners manners, long token, long untilNanos) {
        this.upkeep = upkeep;
        this.manners = manners;
        this.token = token;
        this.untilNanos = untilNanos;
    }

    @Override
    public long token(String name) {
        return token;
    }

    @Override
    public boolean isHeld() {
        return guarded(() -> manners.belief().holds(HostTime.nanos(), untilNanos, state == State.REFUSED));
    }

    @Override
    public Duration looksEvery() {
        return manners.looksEvery();
    }

    @Override
    public String way() {
        return "ZOO";
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
            boolean prolonged = upkeep.prolong();
            lost = guarded(() -> isLossAfter(prolonged, sent));
        } catch (JedisException | UnansweredException unanswered) {
            lost = manners.notice() == Notice.UNANSWERED;
        }
        if (lost) {
            tell();
        }
    }

    private boolean isLossAfter(boolean prolonged, long sent) {
        if (prolonged) {
            untilNanos = manners.belief().until(sent, HostTime.nanos(), manners.lease());
            return false;
        }
        if (state == State.HELD) {
            state = State.REFUSED;
            return true;
        }
        return manners.notice() == Notice.REFUSED_AT_ANY_TIME && state == State.RELEASED;
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
            released = upkeep.free();
        } catch (JedisException | UnansweredException unanswered) {
            if (manners.errors() == Errors.OF_THE_DRIVER) {
                throw unanswered;
            }
            return Outcome.UNKNOWN;
        }
        if (!released) {
            manners.errors().releasedWithoutLock();
        }
        return released && held ? Outcome.RELEASED : Outcome.LOST;
    }
}
