package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class EtcdServerTest {
    private static final int MEMBERS = 3;

    @Test
    void single_restart_keepsData() {
        try (EtcdServer server = EtcdServer.start()) {
            assertThat(server.uri()).isEqualTo("etcd://127.0.0.1:" + server.port(0));
            assertThat(server.leader()).isZero();
            put(server, 0, "key", "grün");
            assertThat(get(server, 0, "key")).contains(base64("grün"));
            server.restart(0);
            assertThat(get(server, 0, "key")).contains(base64("grün"));
        }
    }

    @Test
    void single_pausedOrKilled_answersNothing() {
        try (EtcdServer server = EtcdServer.start()) {
            server.pause(0);
            assertThatThrownBy(() -> get(server, 0, "key")).isInstanceOf(UncheckedIOException.class);
            server.resume(0);
            put(server, 0, "key", "value");
            server.kill(0);
            assertThatThrownBy(() -> get(server, 0, "key")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> server.pause(0)).hasMessageContaining("does not run");
        }
    }

    @Test
    void cluster_withoutItsLeader_electsAnother_andTakesTheOldOneBack() {
        try (EtcdServer server = EtcdServer.startCluster(MEMBERS)) {
            assertThat(server.uri().split(",")).hasSize(MEMBERS);
            int first = server.leader();
            put(server, first, "key", "before");
            server.kill(first);
            int second = server.leader();
            assertThat(second).isNotEqualTo(first);
            put(server, second, "key", "after");
            server.restart(first);
            assertThat(get(server, first, "key")).contains(base64("after"));
        }
    }

    private static void put(EtcdServer server, int member, String key, String value) {
        server.ask(member, "/v3/kv/put", "{\"key\":\"%s\",\"value\":\"%s\"}".formatted(base64(key), base64(value)));
    }

    private static String get(EtcdServer server, int member, String key) {
        return server.ask(member, "/v3/kv/range", "{\"key\":\"%s\"}".formatted(base64(key)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
