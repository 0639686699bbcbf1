package dev.baton.internal.ordered;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/** Names that this client no longer uses. Their rest at the server is removed when they have stayed idle. Thread-safe. */
final class IdleNames {
    /** 1 s: a name in steady use is not made anew for each hold. */
    private static final long IDLE_MICROS = 1_000_000;

    /** More at a time would delay other commands. */
    private static final int TIDIED_AT_ONCE = 1_000;

    private record Idle(String name, Long dueMicros) {}

    private final OrderedServer server;
    private final LongSupplier clock;
    private final Runnable needed;
    private final Map<String, Long> due = new ConcurrentHashMap<>();
    private final Queue<Idle> inOrder = new ConcurrentLinkedQueue<>();

    /**
     * Creates an empty set.
     *
     * @param needed called when there is something to tidy later
     */
    IdleNames(OrderedServer server, LongSupplier clock, Runnable needed) {
        this.server = server;
        this.clock = clock;
        this.needed = needed;
    }

    /** Notes that a name may have become idle. */
    void add(String name) {
        Long at = clock.getAsLong() + IDLE_MICROS;
        if (!at.equals(due.put(name, at))) {
            inOrder.add(new Idle(name, at));
        }
        needed.run();
    }

    /** Notes that a name is used again. */
    void remove(String name) {
        due.remove(name);
    }

    boolean isEmpty() {
        return inOrder.isEmpty();
    }

    /** Tidies the names that stayed idle. */
    void tidy() {
        long now = clock.getAsLong();
        int tidied = 0;
        for (Idle next = inOrder.peek();
                next != null && next.dueMicros() <= now && tidied < TIDIED_AT_ONCE;
                next = inOrder.peek()) {
            inOrder.remove();
            if (due.remove(next.name(), next.dueMicros())) {
                server.tidy(next.name());
                tidied++;
            }
        }
    }

    /** Tidies all of them, at the end. */
    void tidyAll() {
        due.keySet().forEach(server::tidy);
        due.clear();
        inOrder.clear();
    }
}
