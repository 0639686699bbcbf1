package dev.baton.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A way to set up work, in which contestants take turns.
 *
 * @param title a short name, which the names of locks and of charts begin with
 * @param words the same in plain words
 * @param clients how many clients each contestant has
 * @param threads how many threads each client has
 * @param locks how many locks each thread has for itself; 0 if all threads of all clients share one
 * @param atLeast how long a turn has to be, at the least, to say anything
 * @param section makes what is done under the lock, for each turn anew
 */
record Trial(
        String title,
        String words,
        int clients,
        int threads,
        int locks,
        Duration atLeast,
        Function<Board, Section> section) {
    /** A few, as a thread of a service has; one alone would be renewed in place by some. */
    private static final int OWN_LOCKS = 4;

    private static final Duration RENEWED = Duration.ofSeconds(35);

    /** One whose turns may be short. */
    static Trial of(String title, String words, int clients, int threads, int locks, Function<Board, Section> section) {
        return new Trial(title, words, clients, threads, locks, Duration.ZERO, section);
    }

    /** Says how many threads there are, such as "16 clients with 1 thread each". */
    static String crowd(int clients, int threads) {
        String each = threads + (threads == 1 ? " thread" : " threads");
        return clients == 1 ? "1 client, " + each : clients + " clients with " + each + " each";
    }

    static Trial alone(int threads) {
        String title = "own locks, 1 client x " + threads;
        return of(title, crowd(1, threads) + ", own locks", 1, threads, OWN_LOCKS, board -> Section.NONE);
    }

    static Trial oneLock(int clients, int threads) {
        String title = "one lock, " + clients + " x " + threads;
        return of(title, crowd(clients, threads) + ", one lock", clients, threads, 0, Section.Counting::new);
    }

    /** The same, but the holder keeps the lock for a while. */
    static Trial keeping(int clients, int threads, int millis) {
        String held = "one lock held for " + millis + " ms";
        String title = held + ", " + clients + " x " + threads;
        String words = crowd(clients, threads) + ", " + held;
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return of(title, words, clients, threads, 0, board -> new Section.Counting(board, nanos));
    }

    /** Many locks that are held by one client, for longer than it takes to renew all of them. */
    static Trial held(int locks) {
        String held = "%,d locks held".formatted(locks);
        return new Trial(held, held + " by 1 client", 1, 1, locks, RENEWED, board -> Section.NONE);
    }

    /** Whether its turns take a multiple of what others' take. */
    boolean isLong() {
        return atLeast.compareTo(Duration.ZERO) > 0;
    }

    /** The same elsewhere, apart from what is measured here. */
    Trial on(String where, String server) {
        return new Trial(where + ", " + title, words + ", on " + server, clients, threads, locks, atLeast, section);
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
