package dev.baton.redis;

import dev.baton.tck.ClientContractAdmin;
import dev.baton.tck.ClientContractExclusion;
import dev.baton.tck.ClientContractFaults;
import dev.baton.tck.ClientContractLifecycle;
import dev.baton.tck.ClientContractLoss;
import dev.baton.tck.ClientContractTemplates;
import dev.baton.tck.ClientContractThreads;
import dev.baton.tck.ClientContractWaiting;
import dev.baton.tck.EveryMode;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.Nested;

/** The client contract on Redis. */
@EveryMode
class RedisClientContractTest {
    /** On which Redis. */
    RedisFixture fixture() {
        return RedisFixture.plain();
    }

    @Nested
    class Exclusion extends ClientContractExclusion {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Waiting extends ClientContractWaiting {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Faults extends ClientContractFaults {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Threads extends ClientContractThreads {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Templates extends ClientContractTemplates {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Lifecycle extends ClientContractLifecycle {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }

    @Nested
    class Admin extends ClientContractAdmin {
        @Override
        protected StoreFixture newFixture() {
            return fixture();
        }
    }
}
