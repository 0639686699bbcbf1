package dev.baton.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A way to set up work, in which contestants take turns.
 *
 * @param title for people
 * @param clients how many clients each contestant has
 * @param threads how many threads each client has
 * @param locks how many locks each thread has for itself; 0 if all threads of all clients share one
 * @param atLeast how long a turn has to be, at the least, to say anything
 * @param section makes what is done under the lock, for each turn anew
 */
record Trial(String title, int clients, int threads, int locks, Duration atLeast, Function<Board, Section> section) {
    /** A few, as a thread of a service has; one alone would be renewed in place by some. */
    private static final int OWN_LOCKS = 4;

    private static final Duration RENEWED = Duration.ofSeconds(35);

    /** One whose turns may be short. */
    static Trial of(String title, int clients, int threads, int locks, Function<Board, Section> section) {
        return new Trial(title, clients, threads, locks, Duration.ZERO, section);
    }

    static Trial alone(int threads) {
        String title = "own locks, 1 client x " + threads;
        return of(title, 1, threads, OWN_LOCKS, board -> Section.NONE);
    }

    static Trial oneLock(int clients, int threads) {
        return of("one lock, " + clients + " x " + threads, clients, threads, 0, Section.Counting::new);
    }

    /** The same, but the holder keeps the lock for a while. */
    static Trial keeping(int clients, int threads, int millis) {
        String title = "one lock held for " + millis + " ms, " + clients + " x " + threads;
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return of(title, clients, threads, 0, board -> new Section.Counting(board, nanos));
    }

    /** Many locks that are held by one client, for longer than it takes to renew all of them. */
    static Trial held(int locks) {
        return new Trial("%,d locks held".formatted(locks), 1, 1, locks, RENEWED, board -> Section.NONE);
    }

    /** Whether its turns take a multiple of what others' take. */
    boolean isLong() {
        return atLeast.compareTo(Duration.ZERO) > 0;
    }

    /** The same elsewhere, apart from what is measured here. */
    Trial on(String where) {
        return new Trial(where + ", " + title, clients, threads, locks, atLeast, section);
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
