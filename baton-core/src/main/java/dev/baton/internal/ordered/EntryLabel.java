package dev.baton.internal.ordered;

import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts about an entry that every client needs for a turn check, short enough to be part of the entry's name: one
 * read of the names of a queue is then enough.
 *
 * @param sort the sort of the entry
 * @param client the client that owns it, in 32 hexadecimal digits
 * @param attempt the client's attempt; of an entry that withholds, its number
 * @param kind the kind that the queue's name stands for
 * @param capacity its capacity
 * @param weight how much of the capacity is asked for
 * @param lockDelayMicros how long nothing is granted after this holder fails, or since a keeper was made; 0 for none
 * @param untilMicros when a keeper is over, on the wall clock of the client that made it; 0 for other entries
 */
public record EntryLabel(
        Sort sort,
        String client,
        long attempt,
        Kind kind,
        int capacity,
        int weight,
        long lockDelayMicros,
        long untilMicros) {
    private static final int PARTS = 6;
    private static final int CLIENT_DIGITS = 32;

    /** The sorts of entries. */
    public enum Sort {
        /** A ticket, which becomes a hold once enough entries before it are gone. Ends with its client's session. */
        TICKET("t"),
        /**
         * A delay record beside the ticket of a holder that wants a lock-delay. It outlives the ticket if the client
         * fails.
         */
        DELAY("d"),
        /** Beside the ticket of a writer that has become a reader: its weight counts instead. Ends with the ticket. */
        LOWERED("w"),
        /** Keeps the name from all clients for a time after a release. It outlives its client's session. */
        KEEPER("k"),
        /**
         * Withholds some of the capacity from all clients, as its weight says. It outlives its client's session. If
         * there are several, the one with the greatest number counts.
         */
        WITHHELD("h");

        private final String letter;

        Sort(String letter) {
            this.letter = letter;
        }

        private static @Nullable Sort of(String letter) {
            for (Sort each : values()) {
                if (each.letter.equals(letter)) {
                    return each;
                }
            }
            return null;
        }
    }

    /**
     * Creates the label of a ticket or a delay record.
     *
     * @param sort which of them
     * @param client the client that owns it
     * @param attempt the client's attempt
     * @param kind the kind that the queue's name stands for
     * @param capacity its capacity
     * @param weight how much of the capacity is asked for
     * @param lockDelayMicros how long nothing is granted after this holder fails; 0 for none
     */
    public EntryLabel(
            Sort sort, String client, long attempt, Kind kind, int capacity, int weight, long lockDelayMicros) {
        this(sort, client, attempt, kind, capacity, weight, lockDelayMicros, 0);
    }

    /**
     * Returns the resource that this entry assumes for its name.
     *
     * @param name the name
     * @return name, kind and capacity
     */
    public Resource resource(String name) {
        return new Resource(name, kind, capacity);
    }

    /**
     * Returns the label of the delay record that belongs to this ticket.
     *
     * @return the same label with the other sort
     */
    public EntryLabel delay() {
        return new EntryLabel(Sort.DELAY, client, attempt, kind, capacity, weight, lockDelayMicros);
    }

    /**
     * Returns the label of the entry that lowers this ticket's weight.
     *
     * @param newWeight the weight that counts
     * @return the label
     */
    public EntryLabel lowered(int newWeight) {
        return new EntryLabel(Sort.LOWERED, client, attempt, kind, capacity, newWeight, 0);
    }

    /**
     * Returns whether this is the ticket of a writer, which may be lowered.
     *
     * @return true if it is
     */
    public boolean isWriter() {
        return sort == Sort.TICKET && kind == Kind.READ_WRITE && weight == capacity;
    }

    /**
     * Returns the label of an entry that withholds some of the capacity.
     *
     * @param client the client that makes it
     * @param number greater than those of all earlier ones of the name
     * @param semaphore the resource
     * @param weight how much of its capacity
     */
    static EntryLabel withheld(String client, long number, Resource semaphore, int weight) {
        return new EntryLabel(Sort.WITHHELD, client, number, semaphore.kind(), semaphore.capacity(), weight, 0);
    }

    /** Returns the label of the keeper that this ticket leaves behind. */
    EntryLabel keeper(long keepMicros, long nowMicros) {
        return new EntryLabel(Sort.KEEPER, client, attempt, kind, capacity, weight, keepMicros, nowMicros + keepMicros);
    }

    /**
     * How long it keeps the name when it is first seen. A client's clock may differ from that of the maker, so the time
     * since the making counts only as far as it shortens the whole.
     */
    long restMicros(long nowMicros) {
        return sort == Sort.KEEPER ? Math.min(lockDelayMicros, untilMicros - nowMicros) : lockDelayMicros;
    }

    boolean isOf(String otherClient, long otherAttempt) {
        return attempt == otherAttempt && client.equals(otherClient);
    }

    boolean sameAttempt(EntryLabel other) {
        return isOf(other.client, other.attempt);
    }

    boolean sameKind(EntryLabel other) {
        return kind == other.kind && capacity == other.capacity;
    }

    /**
     * Returns the label as text of letters, digits and hyphens.
     *
     * @return text that {@link #parse} reads
     */
    public String text() {
        char letter = switch (kind) {
            case LOCK -> 'l';
            case READ_WRITE -> 'r';
            case SEMAPHORE -> 's';
        };
        return sort.letter
                + '-'
                + client
                + '-'
                + attempt
                + '-'
                + letter
                + capacity
                + '-'
                + weight
                + '-'
                + lockDelayMicros
                + (sort == Sort.KEEPER ? "-" + untilMicros : "");
    }

    /**
     * Reads a label.
     *
     * @param text a text, as {@link #text} makes it
     * @return the label, or empty for anything else
     */
    public static Optional<EntryLabel> parse(String text) {
        // Parsed by hand for speed: every read of a queue parses all of its labels.
        String[] parts = text.split("-", -1);
        Sort sort = Sort.of(parts[0]);
        int number = sort == Sort.KEEPER ? PARTS + 1 : PARTS;
        if (parts.length != number || parts[1].length() != CLIENT_DIGITS || parts[3].isEmpty()) {
            return Optional.empty();
        }
        Kind kind = kindOf(parts[3].charAt(0));
        if (sort == null || kind == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new EntryLabel(
                    sort,
                    parts[1],
                    Long.parseLong(parts[2]),
                    kind,
                    Integer.parseInt(parts[3].substring(1)),
                    Integer.parseInt(parts[4]),
                    Long.parseLong(parts[5]),
                    sort == Sort.KEEPER ? Long.parseLong(parts[PARTS]) : 0));
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    private static @Nullable Kind kindOf(char letter) {
        return switch (letter) {
            case 'l' -> Kind.LOCK;
            case 'r' -> Kind.READ_WRITE;
            case 's' -> Kind.SEMAPHORE;
            default -> null;
        };
    }
}
