package dev.baton.tck;

/** The client contract on the memory store. */
@EveryMode
class MemoryClientContractTest extends AllClientContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemoryFixture();
    }
}
