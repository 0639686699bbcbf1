package dev.baton.examples.store;

import dev.baton.spi.Capabilities;
import dev.baton.tck.CrashContract;
import dev.baton.tck.StoreFixture;
import java.time.Duration;

/** The contract of crashes can be kept by a store that takes no lease below ten seconds; waits for minutes. */
class LongLeaseCrashNightly extends CrashContract {
    @Override
    protected StoreFixture newFixture() throws Exception {
        return new DirectoryFixture() {
            @Override
            public Capabilities capabilities() {
                return super.capabilities().toBuilder()
                        .shortestLease(Duration.ofSeconds(10))
                        .build();
            }
        };
    }
}
