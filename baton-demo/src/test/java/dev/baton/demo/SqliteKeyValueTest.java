package dev.baton.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteKeyValueTest {
    @TempDir
    Path directory;

    private KeyValue one;
    private KeyValue other;

    @BeforeEach
    void open() {
        one = new SqliteKeyValue(directory.resolve("kv.db"));
        other = new SqliteKeyValue(directory.resolve("kv.db"));
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void setIfAbsent_ofTwoClients_isWonByOne() {
        assertThat(one.setIfAbsent("k", "one", Optional.empty())).isTrue();
        assertThat(other.setIfAbsent("k", "other", Optional.empty())).isFalse();
        assertThat(other.get("k")).contains("one");
    }

    @Test
    void expired_isGone() throws Exception {
        assertThat(one.setIfAbsent("k", "one", Optional.of(Duration.ofMillis(30))))
                .isTrue();
        while (other.get("k").isPresent()) {
            Thread.sleep(5);
        }
        assertThat(one.compareAndDelete("k", "one")).isFalse();
        assertThat(other.setIfAbsent("k", "other", Optional.empty())).isTrue();
    }

    @Test
    void compareAndDelete_deletesOnlyItsOwn() {
        one.set("k", "one");
        assertThat(other.compareAndDelete("k", "other")).isFalse();
        assertThat(other.compareAndDelete("k", "one")).isTrue();
        assertThat(one.get("k")).isEmpty();
    }

    @Test
    void delete_deletesAnything() {
        one.set("k", "one");
        other.delete("k");
        assertThat(one.get("k")).isEmpty();
    }
}
