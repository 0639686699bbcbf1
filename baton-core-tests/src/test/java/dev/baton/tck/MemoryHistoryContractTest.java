package dev.baton.tck;

class MemoryHistoryContractTest extends HistoryContract {
    @Override
    protected StoreFixture newFixture() {
        return new MemoryFixture();
    }
}
