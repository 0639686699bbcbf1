package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class RedisServerTest {
    private static final int LIMIT_MILLIS = 3_000;

    @Test
    void plain_answers() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
            assertThat(server.command("SET", "key", "grün")).isEqualTo("OK");
            assertThat(server.command("GET", "key")).isEqualTo("grün");
            assertThat(server.command("GET", "none")).isNull();
            assertThat(server.command("INCR", "count")).isEqualTo(1L);
            assertThat(server.command("MGET", "key", "none")).isEqualTo(Arrays.asList("grün", null));
            assertThat(server.command("EVAL", "return {1, {2}}", "0")).isEqualTo(List.of(1L, List.of(2L)));
            assertThat(server.command("DEBUG", "SET-ACTIVE-EXPIRE", "0")).isEqualTo("OK");
            assertThatThrownBy(() -> server.command("INCR", "key"))
                    .isInstanceOf(RedisErrorReply.class)
                    .hasMessageStartingWith("ERR value is not an integer");
            assertThatThrownBy(server::sslContext).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void config_isRepeatable() {
        try (RedisServer server = RedisServer.builder()
                .config("maxmemory", "10mb")
                .config("client-output-buffer-limit", "pubsub 1mb 1mb 1")
                .config("notify-keyspace-events", "")
                .start()) {
            assertThat(server.command("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "10485760"));
        }
    }

    @Test
    void password_isAskedFor() throws IOException {
        try (RedisServer server = RedisServer.builder().password("se\"c\\ret").start()) {
            assertThatThrownBy(() -> anonymously(server, "PING")).hasMessageStartingWith("NOAUTH");
            assertThat(anonymously(server, "AUTH", "se\"c\\ret")).isEqualTo("OK");
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aclUser_mayWhatItsLineSays() throws IOException {
        try (RedisServer server = RedisServer.builder()
                        .aclUser("user baton on >secret ~baton:* +@all -flushall")
                        .aclUser("user default off")
                        .start();
                RespConnection connection = connect(server, null)) {
            assertThat(connection.call("AUTH", "baton", "secret")).isEqualTo("OK");
            assertThat(connection.call("SET", "baton:1", "value")).isEqualTo("OK");
            assertThatThrownBy(() -> connection.call("SET", "other", "value")).hasMessageStartingWith("NOPERM");
            assertThatThrownBy(() -> connection.call("FLUSHALL")).hasMessageStartingWith("NOPERM");
            assertThatThrownBy(() -> anonymously(server, "PING")).hasMessageStartingWith("NOAUTH");
            assertThat(server.command("SET", "other", "value")).isEqualTo("OK");
        }
    }

    @Test
    void tls_isTrusted_byItsContextAlone() throws Exception {
        try (RedisServer server = RedisServer.builder().tls().start()) {
            assertThat(server.uri()).isEqualTo("rediss://localhost:" + server.port());
            assertThat(server.command("SET", "key", "value")).isEqualTo("OK");
            SSLContext others = SSLContext.getDefault();
            assertThatThrownBy(() -> connect(server, others).close()).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> anonymously(server, "PING")).isInstanceOf(IOException.class);
            assertThat(Files.readString(server.certificate())).startsWith("-----BEGIN CERTIFICATE-----\n");
            try (RespConnection byAddress =
                    RespConnection.open("127.0.0.1", server.port(), server.sslContext(), LIMIT_MILLIS)) {
                assertThat(byAddress.call("GET", "key")).isEqualTo("value");
            }
            server.restart();
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void restart_withAppendOnlyFile_keepsData() {
        try (RedisServer server = RedisServer.builder().appendOnly().start()) {
            int port = server.port();
            server.command("SET", "key", "value");
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.command("GET", "key")).isEqualTo("value");
            server.stop();
            server.restart();
            assertThat(server.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void restart_withDefaults_losesData() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "key", "value");
            server.restart();
            assertThat(server.command("GET", "key")).isNull();
        }
    }

    @Test
    void restart_keepsWhatWasWrittenIntoItsConfiguration_andTheUserOfTheKit() {
        try (RedisServer server =
                RedisServer.builder().config("maxmemory", "10mb").start()) {
            server.command("CONFIG", "SET", "maxmemory", "20mb");
            server.command("ACL", "SETUSER", "baton-tck", "-flushall");
            server.command("CONFIG", "REWRITE");
            server.command("CONFIG", "SET", "maxmemory", "30mb");
            server.restart();
            assertThat(server.command("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "20971520"));
            assertThat(server.command("FLUSHALL")).isEqualTo("OK");
        }
    }

    @Test
    void replica_hasThePrimarysData_andFollowsIt_afterARestart() {
        try (RedisServer primary =
                RedisServer.builder().aclUser("user default off").start()) {
            primary.command("SET", "key", "value");
            try (RedisServer replica = RedisServer.builder().replicaOf(primary).start()) {
                assertThat(replica.command("GET", "key")).isEqualTo("value");
                assertThatThrownBy(() -> replica.command("SET", "key", "other")).hasMessageStartingWith("READONLY");
                replica.restart();
                assertThat(replica.info("replication"))
                        .containsEntry("role", "slave")
                        .containsEntry("master_port", Integer.toString(primary.port()));
            }
        }
    }

    @Test
    void replica_withTls_followsAPrimaryWithTls() {
        try (RedisServer primary = RedisServer.builder().tls().start()) {
            primary.command("SET", "key", "value");
            try (RedisServer replica =
                    RedisServer.builder().tls().replicaOf(primary).start()) {
                assertThat(replica.command("GET", "key")).isEqualTo("value");
            }
        }
    }

    @Test
    void kill_endsIt() {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(server::pause)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not run");
            server.kill();
        }
    }

    @Test
    void pause_silencesIt_untilResume() throws IOException {
        try (RedisServer server = RedisServer.start();
                RespConnection connection = connect(server, null)) {
            server.pause();
            assertThatThrownBy(() -> connection.call("PING")).isInstanceOf(IOException.class);
            server.resume();
            assertThat(server.command("PING")).isEqualTo("PONG");
            server.pause();
            server.stop();
        }
    }

    @Test
    void stats_countCalls_andProcessorTime() {
        try (RedisServer server = RedisServer.start()) {
            server.command("GET", "key");
            server.command("EVAL", "return redis.call('get', 'key')", "0");
            assertThat(server.calls("GET")).isEqualTo(2);
            assertThat(server.calls("eval")).isEqualTo(1);
            assertThat(server.calls("client|list")).isZero();
            assertThat(server.info("server")).containsKey("redis_version");
            server.resetStats();
            assertThat(server.calls("get")).isZero();
            long before = server.cpuMicros();
            server.command("EVAL", "for i = 1, 1000000 do end", "0");
            assertThat(server.cpuMicros()).isPositive().isGreaterThan(before);
        }
    }

    @Test
    void start_thatFails_quotesTheLog() {
        assertThatThrownBy(() -> RedisServer.builder()
                        .config("maxmemory", "nonsense")
                        .start()
                        .close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("argument must be a memory value")
                .hasMessageContaining(Path.of("target", "servers").toString());
    }

    @Test
    void restart_onATakenPort_fails_untilItIsFree() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (ServerSocket thief = new ServerSocket(server.port(), 1, InetAddress.getLoopbackAddress())) {
                assertThat(thief.isBound()).isTrue();
                assertThatThrownBy(server::restart).hasMessageContaining("Failed listening on port");
            }
            server.restart();
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void shared_isOne() {
        assertThat(RedisServer.shared()).isSameAs(RedisServer.shared());
        assertThat(RedisServer.shared().command("PING")).isEqualTo("PONG");
    }

    private static RespConnection connect(RedisServer server, SSLContext tls) throws IOException {
        return RespConnection.open(server.host(), server.port(), tls, LIMIT_MILLIS);
    }

    private static Object anonymously(RedisServer server, String... words) throws IOException {
        try (RespConnection connection = connect(server, null)) {
            return connection.call(words);
        }
    }
}
