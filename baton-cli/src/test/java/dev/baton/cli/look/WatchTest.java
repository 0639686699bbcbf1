package dev.baton.cli.look;

import static dev.baton.cli.TestClients.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.cli.BatonProcess;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.look.TestLocks.Place;
import dev.baton.servers.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code baton watch} on a pipe and on a terminal. */
class WatchTest {
    /** The server comes back without data, and grants locks at once. */
    private static final String WITHOUT_GRACE = "?grace=off";

    private static final List<String> TERMINAL = List.of("-Dbaton.stdout.tty=true", "-Dbaton.columns=100");

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void pipe_getsOneLineForEachChange(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            Lease lease = locks.hold("shop", "stock:1");
            locks.hold("cart", "cart:7");
            BatonProcess watch = locks.start("watch", "stock:", "--interval", "50ms");
            watch.awaitSaid("stock:1: held by shop on ");
            var next = locks.queue("next", "stock:1");
            watch.awaitSaid(", token " + lease.token() + ", 1 waiting\n");
            lease.release();
            watch.awaitSaid("stock:1: held by next on ");
            next.join().release();
            watch.awaitSaid("stock:1: free\n");
            assertThat(watch.out()).hasLineCount(4).doesNotContain("\u001b", "cart");
            assertThat(watch.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void json_isOneObjectForEachChange(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            Lease lease = locks.hold("shop", "stock:1");
            BatonProcess watch = locks.start("watch", "--json", "--interval", "50ms");
            watch.awaitSaid("\"held\":true");
            lease.release();
            watch.awaitSaid("\"held\":false");
            List<String> lines = watch.out().lines().toList();
            assertThat(lines).hasSize(2);
            assertThat(JSON.std.mapFrom(lines.get(1)))
                    .containsEntry("name", "stock:1")
                    .containsEntry("held", false);
        }
    }

    @ParameterizedTest
    @EnumSource
    void terminal_isDrawnAnew_asOftenAsCounted(Place place) throws Exception {
        try (TestLocks locks = new TestLocks(place, directory)) {
            locks.hold("shop", "stock:1");
            BatonProcess watch =
                    locks.start(TERMINAL, Map.of("TERM", "xterm"), "watch", "--interval", "50ms", "--count", "3");
            assertThat(watch.exitCode()).as(watch.err()).isZero();
            assertThat(watch.out().split("\u001b\\[H\u001b\\[2J", -1)).hasSize(4);
            assertThat(watch.out()).contains("all locks, every 50ms; Ctrl-C ends", "stock:1", "HOLDER");
        }
    }

    @Test
    void store_thatGoesAway_isToldOnce_andAskedAgain() throws Exception {
        try (RedisServer server = RedisServer.start();
                BatonProcess watch = BatonProcess.start(
                        directory, "watch", "--interval", "50ms", "--store", server.uri() + WITHOUT_GRACE);
                Baton baton = Baton.connect(server.uri() + WITHOUT_GRACE, PATIENT)) {
            baton.lock("before").acquire();
            watch.awaitSaid("before: held by");
            server.kill();
            watch.awaitSaid("; trying again");
            // During some more reads, which must print nothing.
            Thread.sleep(1_000);
            server.restart();
            baton.lock("after").acquire();
            watch.awaitSaid("after: held by");
            assertThat(watch.err()).hasLineCount(1);
        }
    }

    /** A program that reads lines gets this report in the same form as changes. */
    @Test
    void json_saysOnce_thatTheStoreIsAway() throws Exception {
        try (RedisServer server = RedisServer.start();
                BatonProcess watch = BatonProcess.start(
                        directory, "watch", "--json", "--interval", "50ms", "--store", server.uri() + WITHOUT_GRACE);
                Baton baton = Baton.connect(server.uri() + WITHOUT_GRACE, PATIENT)) {
            baton.lock("before").acquire();
            watch.awaitSaid("\"held\":true");
            server.kill();
            watch.awaitSaid("; trying again");
            server.restart();
            baton.lock("after").acquire();
            watch.awaitSaid("\"after\"");
            List<Map<String, Object>> lines = new ArrayList<>();
            for (String line : watch.out().lines().toList()) {
                lines.add(JSON.std.mapFrom(line));
            }
            assertThat(lines.stream().filter(line -> line.containsKey("error")))
                    .singleElement()
                    .satisfies(line -> assertThat(line).containsEntry("exitCode", ExitCode.STORE));
        }
    }

    @Test
    void arguments_thatMakeNoSense_areRefused() throws Exception {
        try (TestLocks locks = new TestLocks(Place.SQLITE, directory)) {
            assertThat(locks.run(ExitCode.USAGE, "watch", "--interval", "1ms").err())
                    .contains("at least 50ms");
            assertThat(locks.run(ExitCode.USAGE, "watch", "--interval", "soon").err())
                    .contains("is not a time");
            assertThat(locks.run(ExitCode.USAGE, "watch", "--count", "-1").err())
                    .contains("--count");
        }
    }
}
