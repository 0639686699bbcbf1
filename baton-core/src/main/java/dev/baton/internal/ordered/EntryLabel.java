package dev.baton.internal.ordered;

import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What everybody needs to know of an entry to see whose turn it is, short enough to be part of the entry's name: one
 * look at the names of a line then tells everything.
 *
 * @param sort what the entry is
 * @param client whose it is, in 32 hexadecimal digits
 * @param attempt the client's attempt
 * @param kind what the line's name stands for
 * @param capacity its capacity
 * @param weight how much of it is asked for
 * @param lockDelayMicros how long nothing is granted after this holder failed; 0 for none
 */
public record EntryLabel(
        Sort sort, String client, long attempt, Kind kind, int capacity, int weight, long lockDelayMicros) {
    private static final int PARTS = 6;
    private static final int CLIENT_DIGITS = 32;

    /** What an entry is. */
    public enum Sort {
        /** A ticket, which is a hold once enough of those before it are gone. Ends with its client's session. */
        TICKET,
        /** Beside the ticket of a holder that wants a lock-delay, and outlives it if its client fails. */
        DELAY
    }

    /**
     * The resource that it takes its name for.
     *
     * @param name the name
     * @return name, kind and capacity
     */
    public Resource resource(String name) {
        return new Resource(name, kind, capacity);
    }

    /**
     * The delay record that belongs to a ticket.
     *
     * @return the same of the other sort
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
     * As text of letters, digits and hyphens.
     *
     * @return what {@link #parse} reads
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
     * Reads a text.
     *
     * @param text what {@link #text} wrote
     * @return the label, or empty for anything else
     */
    public static Optional<EntryLabel> parse(String text) {
        // By hand: every look at a line reads all of its labels.
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
