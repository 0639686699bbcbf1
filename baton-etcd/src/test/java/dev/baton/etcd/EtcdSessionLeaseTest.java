package dev.baton.etcd;

import dev.baton.tck.ClientContractLoss;
import dev.baton.tck.StoreFixture;
import org.junit.jupiter.api.Nested;

/** The contract in which leases end, for leases that are never shorter than the client's with etcd, as it is by default. */
class EtcdSessionLeaseTest {
    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() {
            return EtcdFixture.withoutShortLeases();
        }
    }
}
