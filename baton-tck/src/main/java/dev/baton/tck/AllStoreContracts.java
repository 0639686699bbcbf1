package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * Subclass this to run all contracts of a store that reaches beyond one JVM, except those of the client. It is separate
 * from {@link AllClientContracts}, so that two JVMs can divide a store's contracts between them.
 */
public abstract class AllStoreContracts {
    /** For subclasses. */
    protected AllStoreContracts() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract StoreFixture newFixture() throws Exception;

    /** {@link StoreContract}. */
    @Nested
    class Store extends StoreContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllStoreContracts.this.newFixture();
        }
    }

    /** {@link DifferentialContract}. */
    @Nested
    class Differential extends DifferentialContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllStoreContracts.this.newFixture();
        }
    }

    /** {@link HistoryContract}. */
    @Nested
    class History extends HistoryContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllStoreContracts.this.newFixture();
        }
    }

    /** {@link CrashContract}. */
    @Nested
    class Crash extends CrashContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllStoreContracts.this.newFixture();
        }
    }
}
