package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.PrometheusServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alerts of docs/monitoring as they are shipped, on series that {@code promtool} makes up. */
class AlertsTest {
    private static final Path SERIES =
            Path.of("src", "test", "resources", "dev", "baton", "micrometer", "baton-alerts-test.yaml");

    @Test
    void rules_areValid() throws IOException {
        assertThat(PrometheusServer.promtool("check", "rules", Monitoring.ALERTS.toString()))
                .contains(Monitoring.alerts().size() + " rules found");
    }

    @Test
    void everyAlert_firesAfterItsOwnDuration_andNotBefore() throws IOException {
        Set<String> tested = Monitoring.list(Monitoring.yaml(SERIES), "tests").stream()
                .map(test -> test.get("name").toString().split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tested).as("the alerts that %s tests", SERIES).isEqualTo(Monitoring.alerts());
        assertThat(PrometheusServer.promtool("test", "rules", SERIES.toString()))
                .contains("SUCCESS");
    }

    @Test
    void everyAlert_isDocumented() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "observability.md")))
                .contains(Monitoring.alerts().stream()
                        .map(alert -> "| `" + alert + "` |")
                        .toList());
    }
}
