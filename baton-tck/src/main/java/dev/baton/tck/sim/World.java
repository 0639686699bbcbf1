package dev.baton.tck.sim;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Virtual time and randomness. Events run in order of time; ties run in order of creation. */
final class World {
    static final long MILLI = 1_000_000;

    /** 2026-01-01: tokens need a clock that has passed their epoch. */
    static final long EPOCH_MICROS = 1_767_225_600_000_000L;

    private record Event(long nanos, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return nanos != other.nanos ? Long.compare(nanos, other.nanos) : Long.compare(order, other.order);
        }
    }

    final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nanos;
    private long order;

    World(long seed) {
        random = new SplittableRandom(seed);
    }

    long nanos() {
        return nanos;
    }

    void at(long whenNanos, Runnable action) {
        events.add(new Event(Math.max(nanos, whenNanos), order++, action));
    }

    void in(long delayNanos, Runnable action) {
        at(nanos + delayNanos, action);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Returns nanoseconds, drawn evenly between two numbers of milliseconds. */
    long millis(double from, double to) {
        return (long) ((from + random.nextDouble() * (to - from)) * MILLI);
    }

    /** Runs until no event is left or the time is over. */
    void runUntil(long endNanos) {
        while (!events.isEmpty() && events.peek().nanos() <= endNanos) {
            Event event = events.poll();
            nanos = event.nanos();
            event.action().run();
        }
        nanos = Math.max(nanos, endNanos);
    }
}
