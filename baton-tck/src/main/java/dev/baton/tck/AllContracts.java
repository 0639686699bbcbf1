package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/** All contracts for a store that reaches beyond one JVM, in one class to subclass. */
public abstract class AllContracts {
    /** For subclasses. */
    protected AllContracts() {}

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
            return AllContracts.this.newFixture();
        }
    }

    /** {@link DifferentialContract}. */
    @Nested
    class Differential extends DifferentialContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link HistoryContract}. */
    @Nested
    class History extends HistoryContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link CrashContract}. */
    @Nested
    class Crash extends CrashContract {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractExclusion}. */
    @Nested
    class Exclusion extends ClientContractExclusion {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractWaiting}. */
    @Nested
    class Waiting extends ClientContractWaiting {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractFaults}. */
    @Nested
    class Faults extends ClientContractFaults {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractLoss}. */
    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractThreads}. */
    @Nested
    class Threads extends ClientContractThreads {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractTemplates}. */
    @Nested
    class Templates extends ClientContractTemplates {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractLifecycle}. */
    @Nested
    class Lifecycle extends ClientContractLifecycle {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }

    /** {@link ClientContractAdmin}. */
    @Nested
    class Admin extends ClientContractAdmin {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllContracts.this.newFixture();
        }
    }
}
