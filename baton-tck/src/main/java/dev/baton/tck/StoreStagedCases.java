package dev.baton.tck;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Makes a fresh stage for every test. */
abstract class StoreStagedCases {
    /** Set before each test. */
    @SuppressWarnings("NullAway.Init")
    StoreStage stage;

    /**
     * Returns a store to test, empty.
     *
     * @return the fixture; the contract closes it
     * @throws Exception if the store cannot be made, which fails the test
     */
    protected abstract StoreFixture newFixture() throws Exception;

    @BeforeEach
    void openStage() throws Exception {
        stage = new StoreStage(newFixture());
    }

    @AfterEach
    void closeStage() throws Exception {
        stage.close();
    }
}
