package dev.baton.internal.ordered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongConsumer;

/**
 * When this client's holds and tickets are to be looked at, because their deadlines may have passed. A renewal moves
 * nothing here: an attempt that is looked at too early is looked at again at its new deadline. Thread-safe.
 */
final class Deadlines {
    /** Stands for an attempt that is gone: it is never looked at again. */
    private static final long NEVER_AGAIN = Long.MIN_VALUE;

    private static final long NOT_YET = Long.MAX_VALUE;

    private record Look(long micros, String name, long attempt) {
        static final Comparator<Look> ORDER =
                Comparator.comparingLong(Look::micros).thenComparing(Look::name).thenComparingLong(Look::attempt);

        static Look at(Attempt own, long micros) {
            return new Look(micros, own.name(), own.label.attempt());
        }
    }

    private final ConcurrentSkipListMap<Look, Attempt> looks = new ConcurrentSkipListMap<>(Look.ORDER);
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
        long until;
        synchronized (own) {
            until = own.untilMicros();
            long before = own.lookedAt(until);
            if (until >= before) {
                own.lookedAt(before);
                return;
            }
            move(own, before, until);
        }
        needed.accept(until);
    }

    private void move(Attempt own, long from, long to) {
        looks.remove(Look.at(own, from));
        if (to != NEVER_AGAIN) {
            looks.put(Look.at(own, to), own);
        }
    }

    /** Forgets an attempt that is gone. */
    void forget(Attempt own) {
        synchronized (own) {
            move(own, own.lookedAt(NEVER_AGAIN), NEVER_AGAIN);
        }
    }

    /** Ends the attempts that are overdue, and returns them. */
    List<Attempt> endOverdue(long now) {
        List<Attempt> ended = new ArrayList<>();
        for (Map.Entry<Look, Attempt> next = looks.firstEntry();
                next != null && next.getKey().micros() <= now;
                next = looks.firstEntry()) {
            if (isEnded(next.getKey(), next.getValue(), now)) {
                ended.add(next.getValue());
            }
        }
        return ended;
    }

    private boolean isEnded(Look look, Attempt own, long now) {
        synchronized (own) {
            boolean ended = own.endIfOverdue(now);
            long next = own.isOver() ? NEVER_AGAIN : own.untilMicros();
            own.lookedAt(next);
            move(own, look.micros(), next);
            return ended;
        }
    }

    /** Returns when the next attempt is to be looked at; far in the future if there is none. */
    long nextMicros() {
        Map.Entry<Look, Attempt> next = looks.firstEntry();
        return next == null ? NOT_YET : next.getKey().micros();
    }
}
