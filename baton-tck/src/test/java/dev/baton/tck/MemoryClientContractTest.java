package dev.baton.tck;

import org.junit.jupiter.api.Nested;

/** The client contract on the memory store. */
@EveryMode
class MemoryClientContractTest {
    @Nested
    class Exclusion extends ClientContractExclusion {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Waiting extends ClientContractWaiting {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Faults extends ClientContractFaults {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Threads extends ClientContractThreads {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Templates extends ClientContractTemplates {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Lifecycle extends ClientContractLifecycle {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Nested
    class Admin extends ClientContractAdmin {
        @Override
        protected StoreFixture newFixture() {
            return new MemoryFixture();
        }
    }
}
