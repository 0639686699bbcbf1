package dev.baton.etcd;

import dev.baton.tck.ClientContractLoss;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.Nested;

/**
 * The contract for ending leases, with leases that are never shorter than the client's with etcd, which is the default.
 */
class EtcdSessionLeaseTest {
    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() {
            return EtcdFixture.withoutShortLeases();
        }
    }
}
