package dev.baton;

import java.util.List;

/**
 * Who waits for whom in a namespace, as its store has it. Immutable; it may have changed since.
 *
 * @param waits who waits for whom, in the order of the names' UTF-8 bytes, and in the order of each queue
 * @param deadlocks the circles of threads that wait for each other. In each, the holder of a wait is the waiter of the next
 *     one, and the holder of the last is the waiter of the first. Each of these threads waits until one of them gives up,
 *     one of the leases ends, or one of the locks is released by force
 * @param isWhole whether all names were looked at; false if there were more than {@link Admin#waitsFor} reads
 * @since 0.1
 */
public record WaitForGraph(List<Wait> waits, List<List<Wait>> deadlocks, boolean isWhole) {
    /**
     * Creates a graph.
     *
     * @throws NullPointerException if a list is null, or contains null
     */
    public WaitForGraph {
        waits = List.copyOf(waits);
        deadlocks = deadlocks.stream().map(List::copyOf).toList();
    }

    /**
     * One waits for another.
     *
     * @param waiter who waits: host, process, thread and since when, as its client described it
     * @param name the name that it waits for
     * @param kind the kind of lock that the name stands for
     * @param holder who has it, or has some of it; described like the waiter
     * @param isQueued whether that one does not have it, but waits for the same name, as the next before it: first come,
     *     first served
     */
    public record Wait(String waiter, String name, LockInfo.Kind kind, String holder, boolean isQueued) {
        /** Returns the wait as a sentence. */
        @Override
        public String toString() {
            return waiter + " waits for " + kind + " \"" + name + "\", "
                    + (isQueued ? "behind " + holder : "which is held by " + holder);
        }
    }
}
