package dev.baton.zookeeper;

import dev.baton.tck.CrashContract;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.Nested;

/** The contract in which processes die, for leases that are never shorter than the session, as it is by default. */
class ZookeeperSessionLeaseTest {
    @Nested
    class Crash extends CrashContract {
        @Override
        protected StoreFixture newFixture() {
            return ZookeeperFixture.withoutShortLeases();
        }
    }
}
