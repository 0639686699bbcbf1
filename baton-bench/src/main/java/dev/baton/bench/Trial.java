package dev.baton.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A kind of work, at which contestants take turns.
 *
 * @param title a short name, a part of the names of locks and charts
 * @param words the title in plain words
 * @param clients the number of clients of each contestant
 * @param threads the number of threads of each client
 * @param locks the number of locks of each thread; 0 if all threads of all clients share one lock
 * @param atLeast the shortest turn that gives a useful figure
 * @param section creates the code to run under the lock, anew for each turn
 */
record Trial(
        String title,
        String words,
        int clients,
        int threads,
        int locks,
        Duration atLeast,
        Function<Board, Section> section) {
    /** A few, as a thread of a service uses; some peers would renew a single lock in place. */
    private static final int OWN_LOCKS = 4;

    private static final Duration RENEWED = Duration.ofSeconds(35);

    /** Creates a trial whose turns may be short. */
    static Trial of(String title, String words, int clients, int threads, int locks, Function<Board, Section> section) {
        return new Trial(title, words, clients, threads, locks, Duration.ZERO, section);
    }

    /** Returns the numbers in words, such as "16 clients with 1 thread each". */
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

    /** Creates a trial with one lock that each holder holds for some time. */
    static Trial keeping(int clients, int threads, int millis) {
        String held = "one lock held for " + millis + " ms";
        String title = held + ", " + clients + " x " + threads;
        String words = crowd(clients, threads) + ", " + held;
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return of(title, words, clients, threads, 0, board -> new Section.Counting(board, nanos));
    }

    /** Creates a trial in which one client holds many locks for longer than it takes to renew all of them. */
    static Trial held(int locks) {
        String held = "%,d locks held".formatted(locks);
        return new Trial(held, held + " by 1 client", 1, 1, locks, RENEWED, board -> Section.NONE);
    }

    /** Returns whether its turns are much longer than those of other trials. */
    boolean isLong() {
        return atLeast.compareTo(Duration.ZERO) > 0;
    }

    /** Returns the same trial on another server, as a trial of its own. */
    Trial on(String where, String server) {
        return new Trial(where + ", " + title, words + ", on " + server, clients, threads, locks, atLeast, section);
    }

    /** Returns names that differ between contestants, because they cannot read each other's locks. */
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
