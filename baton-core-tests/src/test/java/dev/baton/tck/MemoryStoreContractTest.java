package dev.baton.tck;

class MemoryStoreContractTest extends StoreContract {
    @Override
    protected StoreFixture newFixture() {
        return new MemoryFixture();
    }
}
