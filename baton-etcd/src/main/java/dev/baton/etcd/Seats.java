package dev.baton.etcd;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Records which of its keys in a queue a client uses for which attempt. Keys are reused: etcd remembers every key that
 * ever existed until it is compacted, and scans all of them when it reads a queue.
 *
 * <p>This record decides nothing. A ticket is created only if the key does not exist, and removed only by its create
 * revision or its label, so a seat that was wrongly taken for free costs another try, and no more. But an attempt must
 * keep its seat until it is certain that it has no entry: undoing it looks for the entry there. Thread-safe.
 */
final class Seats {
    private final Map<Attempt, Seat> taken = new HashMap<>();
    private final Map<Room, BitSet> numbers = new HashMap<>();

    private record Attempt(String name, long number) {}

    private record Room(String name, String session) {}

    /**
     * A place for a key.
     *
     * @param name the name of the queue
     * @param session the session that the key belongs to
     * @param number the smallest that was free
     */
    record Seat(String name, String session, int number) {
        private Room room() {
            return new Room(name, session);
        }
    }

    /** Returns the seat of an attempt, or gives it a free one. */
    synchronized Seat take(String name, long attempt, String session) {
        Seat before = taken.get(new Attempt(name, attempt));
        return before != null && before.session.equals(session)
                ? before
                : take(attempt, new Room(name, session), seat -> true);
    }

    /** Gives an attempt another seat, unless it was given up meanwhile. */
    synchronized void exchange(Seat seat, long attempt, Predicate<Seat> isFree) {
        if (seat.equals(taken.get(new Attempt(seat.name, attempt)))) {
            take(attempt, seat.room(), isFree);
        }
    }

    private Seat take(long attempt, Room room, Predicate<Seat> isFree) {
        free(room.name, attempt);
        BitSet used = numbers.computeIfAbsent(room, empty -> new BitSet());
        int number = used.nextClearBit(0);
        while (!isFree.test(new Seat(room.name, room.session, number))) {
            number = used.nextClearBit(number + 1);
        }
        used.set(number);
        Seat seat = new Seat(room.name, room.session, number);
        taken.put(new Attempt(room.name, attempt), seat);
        return seat;
    }

    synchronized Optional<Seat> of(String name, long attempt) {
        return Optional.ofNullable(taken.get(new Attempt(name, attempt)));
    }

    /** Frees the seat of an attempt that has no ticket, and will get none. */
    synchronized void free(String name, long attempt) {
        Seat seat = taken.remove(new Attempt(name, attempt));
        BitSet used = seat == null ? null : numbers.get(seat.room());
        if (seat != null && used != null) {
            used.clear(seat.number);
            if (used.isEmpty()) {
                numbers.remove(seat.room());
            }
        }
    }

    /** Forgets a session that is over. Entries that it still has, after changes by hand, end with its lease. */
    synchronized void forget(String session) {
        taken.values().removeIf(seat -> seat.session.equals(session));
        numbers.keySet().removeIf(room -> room.session.equals(session));
    }

    /** Returns how many seats are taken. */
    synchronized int number() {
        return taken.size();
    }
}
