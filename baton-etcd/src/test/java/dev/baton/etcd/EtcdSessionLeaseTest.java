package dev.baton.etcd;

import dev.baton.tck.ClientContractLoss;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.Nested;

/** The contract for ending leases, with the default: leases are never shorter than the client's lease with etcd. */
class EtcdSessionLeaseTest {
    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() {
            return EtcdFixture.withoutShortLeases();
        }
    }
}
