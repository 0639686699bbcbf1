package dev.baton.tck;

/** The client contract on the memory store. */
@EveryMode
class MemoryUserCodeContractTest extends AllUserCodeContracts {
    @Override
    protected StoreFixture newFixture() {
        return new MemoryFixture();
    }
}
