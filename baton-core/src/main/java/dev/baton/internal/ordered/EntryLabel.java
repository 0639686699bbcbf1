package dev.baton.internal.ordered;

import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts about an entry that every client needs for a turn check, short enough to be part of the entry's name: one
 * read of the names of a queue is then enough.
 *
 * @param sort ticket or delay record
 * @param client the client that owns it, in 32 hexadecimal digits
 * @param attempt the client's attempt
 * @param kind the kind that the queue's name stands for
 * @param capacity its capacity
 * @param weight how much of the capacity is asked for
 * @param lockDelayMicros how long nothing is granted after this holder fails; 0 for none
 */
public record EntryLabel(
        Sort sort, String client, long attempt, Kind kind, int capacity, int weight, long lockDelayMicros) {
    private static final int PARTS = 6;
    private static final int CLIENT_DIGITS = 32;

    /** The sorts of entries. */
    public enum Sort {
        /** A ticket, which becomes a hold once enough entries before it are gone. Ends with its client's session. */
        TICKET,
        /**
         * A delay record beside the ticket of a holder that wants a lock-delay. It outlives the ticket if the client
         * fails.
         */
        DELAY
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
        return (sort == Sort.TICKET ? "t-" : "d-")
                + client
                + '-'
                + attempt
                + '-'
                + letter
                + capacity
                + '-'
                + weight
                + '-'
                + lockDelayMicros;
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
        if (parts.length != PARTS || parts[1].length() != CLIENT_DIGITS || parts[3].isEmpty()) {
            return Optional.empty();
        }
        Sort sort = parts[0].equals("t") ? Sort.TICKET : parts[0].equals("d") ? Sort.DELAY : null;
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
                    Long.parseLong(parts[5])));
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
