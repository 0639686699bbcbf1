package dev.baton.internal.ordered;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Names in which a try was refused, and nothing was granted since. A try there looks before it joins: the ticket of a try
 * that is refused stands in the line until it is removed, and others would be refused because of it. Names share places,
 * which costs a look now and then. Thread-safe.
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
