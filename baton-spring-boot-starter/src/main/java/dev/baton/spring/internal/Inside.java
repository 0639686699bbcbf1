package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.Lease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locked methods that the present thread is in. A lease is not re-entrant, and a thread that waited for its own would wait
 * in vain; so a locked method that calls another one with the same names has that one run under its lease.
 *
 * @param plan of the method
 * @param baton that has the locks
 * @param names of the locks
 * @param lease of them
 */
record Inside(Plan plan, Baton baton, List<String> names, Lease lease) {
    private static final ThreadLocal<Deque<Inside>> OF_THREAD = ThreadLocal.withInitial(ArrayDeque::new);

    /** Returns the lease that suits, if this thread is in a method that has it. */
    static @Nullable Lease leaseFor(Plan plan, Baton baton, List<String> names) {
        for (Inside each : OF_THREAD.get()) {
            boolean suits = each.baton == baton
                    && each.plan.locked().kind() == plan.locked().kind()
                    && each.plan.locked().permits() == plan.locked().permits()
                    && each.names.containsAll(names)
                    && (names.size() == each.names.size() || !plan.locked().fence());
            if (suits && each.lease.isHeld()) {
                return each.lease;
            }
        }
        return null;
    }

    /** Returns the innermost method; null if there is none. */
    static @Nullable Inside innermost() {
        return OF_THREAD.get().peek();
    }

    void enter() {
        OF_THREAD.get().push(this);
    }

    void leave() {
        Deque<Inside> all = OF_THREAD.get();
        all.remove(this);
        if (all.isEmpty()) {
            OF_THREAD.remove();
        }
    }
}
