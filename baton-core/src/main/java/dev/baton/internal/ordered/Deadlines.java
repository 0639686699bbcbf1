package dev.baton.internal.ordered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * When this client's holds and tickets are to be looked at, because their deadlines may have passed. A renewal moves
 * nothing here: an attempt that is looked at too early is looked at again at its new deadline. Thread-safe.
 */
final class Deadlines {
    /** Stands for an attempt that is gone: it is never looked at again. */
    private static final long NEVER_AGAIN = Long.MIN_VALUE;

    private static final long NOT_YET = Long.MAX_VALUE;

    private record Look(long micros, boolean delays, String name, long attempt) {
        /** Those with a lock-delay are first: a delay has to be on before others that end then make room. */
        static final Comparator<Look> ORDER = Comparator.comparingLong(Look::micros)
                .thenComparing(Look::delays, Comparator.reverseOrder())
                .thenComparing(Look::name)
                .thenComparingLong(Look::attempt);

        static Look at(Attempt own, long micros) {
            return new Look(micros, own.label.lockDelayMicros() > 0, own.name(), own.label.attempt());
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Look, Attempt> looks = new TreeMap<>(Look.ORDER);
    private final LongConsumer needed;

    /**
     * Creates an empty set.
     *
     * @param needed called with the time at which an attempt is to be looked at
     */
    Deadlines(LongConsumer needed) {
        this.needed = needed;
    }

    /** Looks at an attempt at its present deadline, if it is not looked at earlier. */
    void watch(Attempt own) {
        long until = own.untilMicros();
        boolean isSooner;
        lock.lock();
        try {
            long planned = own.lookMicros();
            isSooner = until < planned;
            if (isSooner) {
                move(own, planned, until);
            }
        } finally {
            lock.unlock();
        }
        if (isSooner) {
            needed.accept(until);
        }
    }

    private void move(Attempt own, long from, long to) {
        looks.remove(Look.at(own, from));
        own.lookAt(to);
        if (to != NEVER_AGAIN) {
            looks.put(Look.at(own, to), own);
        }
    }

    /** Forgets an attempt that is gone. */
    void forget(Attempt own) {
        lock.lock();
        try {
            move(own, own.lookMicros(), NEVER_AGAIN);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the attempts that are overdue, and returns them. */
    List<Attempt> endOverdue(long now) {
        List<Attempt> ended = new ArrayList<>();
        lock.lock();
        try {
            while (!looks.isEmpty() && looks.firstKey().micros() <= now) {
                Attempt own = looks.firstEntry().getValue();
                if (own.endIfOverdue(now)) {
                    ended.add(own);
                }
                move(own, looks.firstKey().micros(), own.isOver() ? NEVER_AGAIN : own.untilMicros());
            }
        } finally {
            lock.unlock();
        }
        return ended;
    }

    /** Returns when the next attempt is to be looked at; far in the future if there is none. */
    long nextMicros() {
        lock.lock();
        try {
            return looks.isEmpty() ? NOT_YET : looks.firstKey().micros();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the next attempt has a lock-delay. */
    boolean isNextDelaying() {
        lock.lock();
        try {
            return !looks.isEmpty() && looks.firstKey().delays();
        } finally {
            lock.unlock();
        }
    }
}
