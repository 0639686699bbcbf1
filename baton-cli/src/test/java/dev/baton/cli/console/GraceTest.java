package dev.baton.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.GracePeriod;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraceTest {
    private static Grace grace(Duration remaining) {
        return new Grace(
                new GracePeriod(remaining, "a failover\nof \u001b[31mit"), Instant.parse("2025-06-01T12:00:42.5Z"));
    }

    @Test
    void line_saysUntilWhenAndWhy_withoutControls() {
        assertThat(grace(Duration.ofMillis(42_500)).line())
                .matches("the store is in a grace period for another 42s, until \\d\\d:\\d\\d:42 "
                        + "\\(a failover\\P{Cc}+it\\): it grants nothing new, and holders keep their locks");
        assertThat(grace(Duration.ofMillis(20)).words()).isEqualTo("the store is in a grace period for another second");
    }

    @Test
    void json_hasRestEndAndReason() {
        assertThat(grace(Duration.ofMillis(42_500)).json())
                .isEqualTo(Map.of(
                        "remainingMillis", 42_500L,
                        "until", "2025-06-01T12:00:42Z",
                        "reason", "a failover\nof \u001b[31mit"));
    }
}
