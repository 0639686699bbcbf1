package dev.baton.chaos.client;

import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Taken;
import java.time.Duration;

/** One use of a lock, and what is written down of it. For one thread. */
final class Visit {
    private final HistoryWriter history;
    private final Witness witness;
    private final int name;
    private final Duration stay;
    private final long askedNanos = HostTime.nanos();

    private long number;
    private long lastNanos = askedNanos;
    private Hold.Work work = Hold.Work.NONE;

    /**
     * Begins now, before the lock is asked for.
     *
     * @param stay how long to keep the lock
     */
    Visit(HistoryWriter history, Witness witness, int name, Duration stay) {
        this.history = history;
        this.witness = witness;
        this.name = name;
        this.stay = stay;
    }

    /** The section: runs with the lock. */
    void run(Taken taken) throws InterruptedException {
        boolean held = taken.isHeld();
        number = history.began(ClientSettings.lock(name), taken.token(), taken.way(), askedNanos, HostTime.nanos());
        long hold = number;
        taken.onLost(cause -> history.lost(hold, cause));
        Hold.Fence fence = fence(taken, held);
        long read = witness.read(name);
        if (!stay.isZero()) {
            stay(taken);
        }
        // As a careful user does. A process that is stopped between this line and the next writes all the same.
        if (check(taken)) {
            witness.write(name, read + 1);
            work = new Hold.Work(fence, read, read + 1, check(taken));
        } else {
            work = new Hold.Work(fence, -1, -1, false);
        }
    }

    private void stay(Taken taken) throws InterruptedException {
        long began = HostTime.nanos();
        Duration look = taken.looksEvery();
        Duration left = stay;
        while (left.compareTo(look) > 0) {
            HostTime.sleep(look);
            check(taken);
            left = stay.minus(HostTime.since(began));
        }
        if (!left.isNegative()) {
            HostTime.sleep(left);
        }
    }

    private Hold.Fence fence(Taken taken, boolean held) {
        if (taken.token() < 0) {
            return Hold.Fence.NONE;
        }
        if (witness.accepts(name, taken.token())) {
            return Hold.Fence.ACCEPTED;
        }
        return held && check(taken) ? Hold.Fence.REFUSED_WHILE_HELD : Hold.Fence.REFUSED;
    }

    private boolean check(Taken taken) {
        long called = HostTime.nanos();
        boolean held = taken.isHeld();
        if (held) {
            lastNanos = called;
        }
        return held;
    }

    /** Records the end, if the section ran. Returns whether it did. */
    boolean ended(Hold.End end) {
        if (number == 0) {
            return false;
        }
        history.ended(number, lastNanos, HostTime.nanos(), end, work);
        return true;
    }

    static Hold.End end(Outcome outcome) {
        return switch (outcome) {
            case RELEASED -> Hold.End.RELEASED;
            case LOST -> Hold.End.LOST;
            default -> Hold.End.UNKNOWN;
        };
    }
}
