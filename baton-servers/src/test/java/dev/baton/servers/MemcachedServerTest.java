package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MemcachedServerTest {
    private static final int LIMIT_MILLIS = 300;

    @Test
    void plain_answers() {
        try (MemcachedServer server = MemcachedServer.start()) {
            assertThat(server.uri()).isEqualTo("memcached://127.0.0.1:" + server.port());
            assertThat(server.command("add key 0 0 5\r\ngrün")).containsExactly("STORED");
            assertThat(server.command("add key 0 0 5\r\nblau!")).containsExactly("NOT_STORED");
            assertThat(server.command("get key")).containsExactly("VALUE key 0 5", "grün", "END");
            assertThat(server.command("nonsense")).containsExactly("ERROR");
            assertThat(server.stats()).containsEntry("curr_items", "1");
        }
    }

    @Test
    void options_areGivenToTheProgram() {
        try (MemcachedServer server = MemcachedServer.start("-m", "3")) {
            assertThat(server.stats()).containsEntry("limit_maxbytes", Integer.toString(3 << 20));
        }
    }

    @Test
    void restart_losesData() {
        try (MemcachedServer server = MemcachedServer.start()) {
            int port = server.port();
            String pid = server.stats().get("pid");
            server.command("set key 0 0 5\r\nvalue");
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.stats().get("pid")).isNotEqualTo(pid);
            assertThat(server.command("get key")).containsExactly("END");
        }
    }

    @Test
    void kill_endsIt() {
        try (MemcachedServer server = MemcachedServer.start()) {
            server.kill();
            assertThatThrownBy(server::stats).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(server::pause)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not run");
            server.kill();
        }
    }

    @Test
    void pause_silencesIt_untilResume() throws IOException {
        try (MemcachedServer server = MemcachedServer.start();
                Socket socket = new Socket(server.host(), server.port())) {
            socket.setSoTimeout(LIMIT_MILLIS);
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            server.pause();
            socket.getOutputStream().write("version\r\n".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(reader::readLine).isInstanceOf(SocketTimeoutException.class);
            server.resume();
            assertThat(server.command("get none")).containsExactly("END");
        }
    }

    @Test
    void start_whenTheProgramEndsAtOnce_saysWhatItLogged() {
        assertThatThrownBy(() -> MemcachedServer.start("--nonsense"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Memcached on port")
                .hasMessageContaining("nonsense");
    }
}
