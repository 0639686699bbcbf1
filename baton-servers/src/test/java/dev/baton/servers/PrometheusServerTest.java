package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrometheusServerTest {
    private static final String NO_TARGET = "127.0.0.1:1";

    @TempDir
    Path directory;

    private Path rules(String expression) throws IOException {
        return Files.writeString(
                directory.resolve("rules.yaml"),
                "groups: [{name: test, rules: [{alert: TargetDown, expr: '" + expression + "'}]}]\n");
    }

    @Test
    void rules_areEvaluated() throws IOException {
        try (PrometheusServer server = PrometheusServer.start(NO_TARGET, rules("up == 0"))) {
            Await.until(
                    "the alert fires",
                    Duration.ofSeconds(20),
                    () -> server.get("/api/v1/alerts").contains("\"firing\""),
                    () -> server.get("/api/v1/alerts"));
            assertThatThrownBy(() -> server.get("/api/v1/query?query=sum("))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("parse error");
        }
    }

    @Test
    void start_withWrongRules_quotesTheLog() throws IOException {
        Path wrong = rules("sum(");
        assertThatThrownBy(() -> PrometheusServer.start(NO_TARGET, wrong))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Prometheus on port")
                .hasMessageContaining("parse error");
    }

    @Test
    void promtool_whenItFails_isQuoted() throws IOException {
        assertThat(PrometheusServer.promtool("check", "rules", rules("up == 0").toString()))
                .contains("1 rules found");
        String wrong = rules("sum(").toString();
        assertThatThrownBy(() -> PrometheusServer.promtool("check", "rules", wrong))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("parse error");
    }
}
