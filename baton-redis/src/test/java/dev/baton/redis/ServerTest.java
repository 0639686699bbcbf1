package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.StoreFailure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What servers say of themselves, as Redis and Valkey 9 word it. */
class ServerTest {
    private static Server saying(String mode) {
        return Server.of(
                "run_id:" + "a".repeat(Answer.RUN_ID_LENGTH) + "\r\nredis_version:7.2.4\r\n" + mode
                        + "\r\nrole:master\r\n",
                "127.0.0.1:6379");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis_mode:sentinel", "server_mode:sentinel"})
    void sentinel_isKnown_andKeepsNoLocks(String mode) {
        assertThat(saying(mode).isSentinel()).isTrue();
        assertThatThrownBy(() -> saying(mode).require())
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("is a sentinel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis_mode:cluster", "server_mode:cluster"})
    void nodeOfACluster_isRefused(String mode) {
        assertThat(saying(mode).isSentinel()).isFalse();
        assertThatThrownBy(() -> saying(mode).require())
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("node of a cluster");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis_mode:standalone", "server_mode:standalone"})
    void serverOfItsOwn_isFit(String mode) throws Exception {
        saying(mode).require();
        assertThat(saying(mode).isSentinel()).isFalse();
    }
}
