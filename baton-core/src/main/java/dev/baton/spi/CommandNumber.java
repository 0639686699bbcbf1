package dev.baton.spi;

import java.util.function.LongSupplier;

/**
 * The number of one command of a client, drawn from the client's one counter when the store first asks for it.
 *
 * <p>Numbers must grow in the order in which commands are sent. A store therefore calls {@link #value} when the
 * command's place on the wire is fixed. Calling it earlier is safe, and only costs an occasional {@code Stale} answer.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class CommandNumber {
    private final LongSupplier counter;
    private long number;

    /**
     * Creates a number that the first call of {@link #value} draws.
     *
     * @param counter the client's counter; its values grow and start at 1
     */
    public CommandNumber(LongSupplier counter) {
        this.counter = counter;
    }

    /**
     * Returns a number that is already known.
     *
     * @param number at least 1
     * @return the number, as if drawn
     */
    public static CommandNumber of(long number) {
        CommandNumber drawn = new CommandNumber(() -> number);
        drawn.value();
        return drawn;
    }

    /**
     * Returns the number. The first call draws it.
     *
     * @return the same value at every call, at least 1
     */
    public synchronized long value() {
        if (number == 0) {
            number = counter.getAsLong();
        }
        return number;
    }

    @Override
    public String toString() {
        return number == 0 ? "#?" : "#" + number;
    }
}
