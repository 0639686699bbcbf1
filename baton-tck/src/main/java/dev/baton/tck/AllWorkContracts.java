package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * Subclass this to run the part of the client contract that covers jobs and elections. It is about locks and notes in use,
 * and much of it is waiting. Therefore this build runs it by day on one store of each kind, and on the others at night.
 */
public abstract class AllWorkContracts {
    /** For subclasses. */
    protected AllWorkContracts() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract StoreFixture newFixture() throws Exception;

    /** {@link ClientContractJobs}. */
    @Nested
    class Jobs extends ClientContractJobs {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllWorkContracts.this.newFixture();
        }
    }

    /** {@link ClientContractElections}. */
    @Nested
    class Elections extends ClientContractElections {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllWorkContracts.this.newFixture();
        }
    }
}
