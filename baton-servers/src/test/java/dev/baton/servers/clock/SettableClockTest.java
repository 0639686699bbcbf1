package dev.baton.servers.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.baton.servers.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wall clock of another process can be set, and its monotonic clock goes on. */
class SettableClockTest {
    /** In seconds; other builds may run at the same time. */
    private static final long SLOW = 60;

    @TempDir
    private Path directory;

    /** Prints both clocks, in milliseconds. */
    static final class Clocks {
        private Clocks() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) {
            System.out.println(System.currentTimeMillis() + " " + System.nanoTime() / 1_000_000);
        }
    }

    private SettableClock clock() throws IOException {
        return ClockShim.compile(directory, ClockShim.COMPILER).clock(directory.resolve("clock"));
    }

    /** Returns how far the wall clock of a new JVM is ahead of this one's, and its monotonic clock, in seconds. */
    private static List<Long> ahead(SettableClock clock) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Clocks.class.getName());
        java.environment().putAll(clock.environment());
        Process process = java.start();
        String[] words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .split(" ", -1);
        return List.of(
                (Long.parseLong(words[0]) - System.currentTimeMillis()) / 1_000,
                Long.parseLong(words[1]) / 1_000 - System.nanoTime() / 1_000_000_000);
    }

    @Test
    void clock_thatIsSet_movesOnlyTheWallClockOfItsProcesses() throws Exception {
        SettableClock clock = clock();
        assertThat(ahead(clock).get(0)).as("before it is set").isCloseTo(0L, within(SLOW));
        assertThat(clock.reads()).isPositive();
        assertThat(clock.shiftedReads()).isZero();
        for (Duration step : List.of(Duration.ofHours(1), Duration.ofHours(-1).plusNanos(1))) {
            clock.set(step);
            assertThat(clock.ahead()).isEqualTo(step);
            List<Long> ahead = ahead(clock);
            assertThat(ahead.get(0)).as("wall clock").isCloseTo(step.toSeconds(), within(SLOW));
            assertThat(ahead.get(1)).as("monotonic clock").isCloseTo(0L, within(SLOW));
        }
        assertThat(clock.shiftedReads()).isPositive();
    }

    @Test
    void clock_ofARedisThatRuns_endsItsKeysEarly_andIsAskedTheTime() throws Exception {
        SettableClock clock = clock();
        try (RedisServer redis = RedisServer.builder()
                .ofSystem()
                .environment(clock.environment())
                .start()) {
            assertThat(clock.reads()).isPositive();
            redis.command("SET", "key", "value", "PX", "600000");
            long before = seconds(redis);
            clock.set(Duration.ofMinutes(-30));
            assertThat(seconds(redis) - before).isCloseTo(-1_800L, within(SLOW));
            assertThat(redis.command("GET", "key")).isEqualTo("value");
            clock.set(Duration.ofMinutes(30));
            assertThat(seconds(redis) - before).isCloseTo(1_800L, within(SLOW));
            assertThat(redis.command("GET", "key")).isNull();
            redis.restart();
            assertThat(seconds(redis) - before).as("after a restart").isCloseTo(1_800L, within(SLOW));
        }
    }

    private static long seconds(RedisServer redis) {
        return Long.parseLong(String.valueOf(((List<?>) redis.command("TIME")).get(0)));
    }

    @Test
    void compiler_thatDoesNotStart_isNamed() {
        assertThatThrownBy(() -> ClockShim.compile(directory, "no-such-compiler"))
                .isInstanceOf(IOException.class)
                .hasMessage("no C compiler: no-such-compiler does not start (Debian: apt-get install gcc libc6-dev)");
    }

    @Test
    void compiler_thatRefuses_isQuoted() throws Exception {
        Path refuses = Files.writeString(directory.resolve("refuses"), "#!/bin/sh\necho no headers\nexit 1\n");
        assertThat(refuses.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(() -> ClockShim.compile(directory, refuses.toString()))
                .isInstanceOf(IOException.class)
                .hasMessage("the C compiler " + refuses + " refused it: no headers");
    }
}
