package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/** Subclass this to run all topics of the client contract except those of {@link AllUserCodeContracts} and {@link
 * AllWorkContracts}. */
public abstract class AllClientContracts {
    /** For subclasses. */
    protected AllClientContracts() {}

    /**
     * Makes a fresh, empty store.
     *
     * @return the store; closed after the case
     * @throws Exception if it cannot be made
     */
    protected abstract StoreFixture newFixture() throws Exception;

    /** {@link ClientContractExclusion}. */
    @Nested
    class Exclusion extends ClientContractExclusion {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractWaiting}. */
    @Nested
    class Waiting extends ClientContractWaiting {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractFaults}. */
    @Nested
    class Faults extends ClientContractFaults {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractLoss}. */
    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractThreads}. */
    @Nested
    class Threads extends ClientContractThreads {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractShares}. */
    @Nested
    class Shares extends ClientContractShares {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractShareLeases}. */
    @Nested
    class ShareLeases extends ClientContractShareLeases {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractShareOwners}. */
    @Nested
    class ShareOwners extends ClientContractShareOwners {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractShareNumbers}. */
    @Nested
    class ShareNumbers extends ClientContractShareNumbers {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractGroups}. */
    @Nested
    class Groups extends ClientContractGroups {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractGroupsAcross}. */
    @Nested
    class GroupsAcross extends ClientContractGroupsAcross {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractGroupSteps}. */
    @Nested
    class GroupSteps extends ClientContractGroupSteps {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractNotes}. */
    @Nested
    class Notes extends ClientContractNotes {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractKept}. */
    @Nested
    class Kept extends ClientContractKept {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractDeadlocks}. */
    @Nested
    class Deadlocks extends ClientContractDeadlocks {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractTemplates}. */
    @Nested
    class Templates extends ClientContractTemplates {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractLifecycle}. */
    @Nested
    class Lifecycle extends ClientContractLifecycle {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractClosing}. */
    @Nested
    class Closing extends ClientContractClosing {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }

    /** {@link ClientContractAdmin}. */
    @Nested
    class Admin extends ClientContractAdmin {
        @Override
        protected StoreFixture newFixture() throws Exception {
            return AllClientContracts.this.newFixture();
        }
    }
}
