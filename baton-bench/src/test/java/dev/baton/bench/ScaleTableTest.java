package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTableTest {
    private static final ScaleTable SMALL = new ScaleTable(3, 5_000, Duration.ofMillis(100), Duration.ofMillis(200));

    @Test
    void table_hasARowForTheStore_inWhichHeldLocksTakeMemory() throws Exception {
        List<String> said = new ArrayList<>();
        String table = SMALL.measure(List.of("redis"), said::add);
        List<String> rows =
                table.lines().filter(line -> line.startsWith("| Redis")).toList();
        assertThat(rows).hasSize(1);
        List<String> cells =
                Arrays.stream(rows.get(0).split("\\|")).map(String::strip).toList();
        assertThat(cells).hasSize(8);
        double kilobytes = Double.parseDouble(cells.get(5).replace(" KB", ""));
        // A hold is a hash of some fields, a few hundred bytes.
        assertThat(kilobytes).isBetween(0.1, 3.0);
        assertThat(table).contains("3 clients in one JVM; 5000 names");
        assertThat(said).anyMatch(line -> line.contains("hold a lock each"));
    }

    @Test
    void serverThatWasNotStartedHere_isRefused() {
        assertThatThrownBy(() -> SMALL.measure(List.of(RedisServer.shared().uri()), line -> {}))
                .hasMessageContaining("started here");
    }
}
