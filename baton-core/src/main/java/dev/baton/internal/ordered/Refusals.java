package dev.baton.internal.ordered;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Names for which a try was refused, and which were not granted since. The next try for such a name reads the queue
 * before it joins: the ticket of a refused try stays in the queue until it is removed, and would make other tries fail.
 * Names share places, which costs an extra read now and then. Thread-safe.
 */
final class Refusals {
    private static final int PLACES = 4_096;

    private final AtomicIntegerArray refused = new AtomicIntegerArray(PLACES);

    boolean contains(String name) {
        return refused.get(place(name)) != 0;
    }

    void add(String name) {
        refused.set(place(name), 1);
    }

    void remove(String name) {
        refused.set(place(name), 0);
    }

    private static int place(String name) {
        int hash = name.hashCode();
        return (hash ^ hash >>> 16) & PLACES - 1;
    }
}
