package dev.baton.zookeeper;

import dev.baton.tck.CrashContract;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.Nested;

/** The contract for processes that die, with leases that are never shorter than the session, which is the default. */
class ZookeeperSessionLeaseTest {
    @Nested
    class Crash extends CrashContract {
        @Override
        protected StoreFixture newFixture() {
            return ZookeeperFixture.withoutShortLeases();
        }
    }
}
