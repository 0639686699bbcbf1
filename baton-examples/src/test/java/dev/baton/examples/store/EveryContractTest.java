package dev.baton.examples.store;

import dev.baton.tck.ContractsCheck;
import org.junit.jupiter.api.Test;

// tag::check[]
/** None of the contracts that the store has to keep is left out. */
class EveryContractTest {
    @Test
    void contract_thatAppliesToTheStore_isTested() {
        ContractsCheck.of(new DirectoryStoreProvider()).in(EveryContractTest.class);
    }
}
// end::check[]
