package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * Subclass this to run the part of the client contract that covers users' code and the limits of the process. All of it
 * tests code above the store. Therefore this build runs it on every store only at night. By day it runs on one store of
 * each kind: within the JVM, with threads that wait for answers, and without such threads.
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
