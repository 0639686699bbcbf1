package dev.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.GracePeriod;
import dev.baton.internal.memory.MemoryStoreProvider;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreAdminGraceTest {
    private static final String NAME = "grace-test";

    @Test
    void gracePeriod_isWhatTheStoreSays_andEmptyOutsideOne() {
        BatonOptions options = BatonOptions.builder().build();
        try (Baton baton = Baton.connect("memory:" + NAME, options)) {
            assertThat(baton.admin().gracePeriod()).isEmpty();
            MemoryStoreProvider.restart(NAME, options.namespace(), 60_000_000);
            GracePeriod period = baton.admin().gracePeriod().orElseThrow();
            assertThat(period.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
            assertThat(period.reason()).isEqualTo("another server answers than before: a failover or a restart");
            MemoryStoreProvider.restart(NAME, options.namespace(), 0);
            assertThat(baton.admin().gracePeriod()).isEmpty();
        }
    }
}
