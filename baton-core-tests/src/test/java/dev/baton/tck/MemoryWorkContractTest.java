package dev.baton.tck;

/** The client contract on the memory store. */
class MemoryWorkContractTest extends AllWorkContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemoryFixture();
    }
}
