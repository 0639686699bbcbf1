package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of the client where it meets the code of users and the limits of their process, in one class to subclass.
 * All of that is above the store: this build runs it on every store by night, and by day on one of each kind (within the
 * JVM, with threads that wait for answers, and without).
 */
public abstract class AllUserCodeContracts {
    /** For subclasses. */
    protected AllUserCodeContracts() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract StoreFixture newFixture() throws Exception;

    /** {@link ClientContractUserCode}. */
    @Nested
    class UserCode extends ClientContractUserCode {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllUserCodeContracts.this.newFixture();
        }
    }

    /** {@link ClientContractThreadLimit}. */
    @Nested
    class ThreadLimit extends ClientContractThreadLimit {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllUserCodeContracts.this.newFixture();
        }
    }
}
