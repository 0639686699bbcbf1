package dev.baton.bench;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A way to set up work, in which contestants take turns.
 *
 * @param title for people
 * @param clients how many clients each contestant has
 * @param threads how many threads each client has
 * @param locks how many locks each thread has for itself; 0 if all threads of all clients share one
 * @param section makes what is done under the lock, for each slice anew
 */
record Trial(String title, int clients, int threads, int locks, Supplier<Section> section) {
    /** A few, as a thread of a service has; one alone would be renewed in place by some. */
    private static final int OWN_LOCKS = 4;

    static Trial alone(int threads) {
        String title = "own locks, 1 client x " + threads;
        return new Trial(title, 1, threads, OWN_LOCKS, () -> Section.NONE);
    }

    static Trial oneLock(int clients, int threads) {
        return new Trial("one lock, " + clients + " x " + threads, clients, threads, 0, Section.Counting::new);
    }

    /** The same elsewhere, apart from what is measured here. */
    Trial on(String where) {
        return new Trial(where + ", " + title, clients, threads, locks, section);
    }

    /** Locks of different contestants have different names: they would not understand each other's. */
    List<String> names(Contestant contestant, int client, int thread) {
        String prefix = "bench:" + contestant.name() + ":" + title;
        if (locks == 0) {
            return List.of(prefix);
        }
        return IntStream.range(0, locks)
                .mapToObj(lock -> prefix + ":" + client + ":" + thread + ":" + lock)
                .toList();
    }
}
