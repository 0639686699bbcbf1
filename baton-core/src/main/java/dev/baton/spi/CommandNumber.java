package dev.baton.spi;

import java.util.function.LongSupplier;

/**
 * The number of one command of a client, drawn from the client's one counter when the store first asks for it.
 *
 * <p>Numbers must grow in the order in which commands are sent, so a store asks at the moment at which the command's
 * place on the wire is fixed. Drawing earlier is safe and only costs an answer {@code Stale} now and then.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class CommandNumber {
    private final LongSupplier counter;
    private long number;

    /**
     * A number still to be drawn.
     *
     * @param counter the client's counter; its values grow and start at 1
     */
    public CommandNumber(LongSupplier counter) {
        this.counter = counter;
    }

    /**
     * A number that is known already.
     *
     * @param number at least 1
     * @return the number
     */
    public static CommandNumber of(long number) {
        CommandNumber drawn = new CommandNumber(() -> number);
        drawn.value();
        return drawn;
    }

    /**
     * The number; the first call draws it.
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
