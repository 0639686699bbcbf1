package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineSettingsTest {
    @ParameterizedTest
    @CsvSource({"0, 1000, 1000", "8, 1000, 1000", "80, 2500, 10000", "400, 12500, 50000", "10000, 50000, 50000"})
    void triesWithoutAQueue_areFartherApartThanPolls_withinTheSameBounds(long waitedMs, long pollUs, long tryUs) {
        long waited = TimeUnit.MILLISECONDS.toNanos(waitedMs);
        assertThat(EngineSettings.pollNanos(waited)).isEqualTo(TimeUnit.MICROSECONDS.toNanos(pollUs));
        assertThat(EngineSettings.tryNanos(waited)).isEqualTo(TimeUnit.MICROSECONDS.toNanos(tryUs));
    }
}
