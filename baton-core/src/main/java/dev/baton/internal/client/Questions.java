package dev.baton.internal.client;

import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.StoreExceptions;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import java.util.function.BooleanSupplier;

/** Asks a client's store what changes nothing in the client. Thread-safe. */
final class Questions {
    /** A question to the store. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Store store, long timeoutNanos) throws StoreFailure;
    }

    private final Store store;
    private final long timeoutNanos;
    private final BooleanSupplier closed;

    Questions(Store store, long timeoutNanos, BooleanSupplier closed) {
        this.store = store;
        this.timeoutNanos = timeoutNanos;
        this.closed = closed;
    }

    <T> T ask(String about, Question<T> question) {
        if (closed.getAsBoolean()) {
            throw Exceptions.get().closed();
        }
        try {
            return question.ask(store, timeoutNanos);
        } catch (StoreFailure failure) {
            if (closed.getAsBoolean()) {
                // The end of this client has cut the question off; the store is not to blame.
                throw Exceptions.get().closed();
            }
            throw StoreExceptions.of(about + ": " + failure.getMessage(), failure);
        }
    }
}
