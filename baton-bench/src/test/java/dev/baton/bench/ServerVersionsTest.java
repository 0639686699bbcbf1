package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerVersionsTest {
    @Test
    void valkey_isNotTakenForTheRedisThatItPretendsToBe() {
        assertThat(ServerVersions.redis("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n"))
                .isEqualTo("Valkey 8.0.1");
        assertThat(ServerVersions.redis("redis_version:7.0.15\r\n")).isEqualTo("Redis 7.0.15");
    }

    @Test
    void serverThatDoesNotAnswer_isNamedAllTheSame() {
        assertThat(ServerVersions.of(Home.SERVER, "redis://127.0.0.1:1")).isEqualTo("Redis of an unknown version");
    }
}
