package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.StaleTokenException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/** The fence of data in a real Redis. */
class RedisFenceTest {
    private static final long GREATEST = (1L << 53) - 1;
    private static final Duration LEASE = Duration.ofMillis(150);
    private static final String APPEND = "return redis.call('RPUSH', KEYS[1], ARGV[1])";

    private final RedisFixture fixture = RedisFixture.plain();
    private RedisClient redis;
    private RedisFence fence;

    @BeforeEach
    void connect() {
        redis = RedisClient.create("127.0.0.1", fixture.server().port());
        fence = new RedisFence(redis, "fence");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void olderToken_afterANewerOne_isRefused() {
        fence.raise(5);
        fence.raise(5);
        fence.raise(7);
        assertThatThrownBy(() -> fence.raise(6))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("\"fence\"")
                .hasMessageContaining("6")
                .extracting(e -> ((StaleTokenException) e).token())
                .isEqualTo(6L);
        fence.raise(7);
        new RedisFence(redis, "another").raise(1);
        assertThat(redis.get("fence")).isEqualTo("7");
    }

    @Test
    void leaseThatIsShared_isRefused_andTheWritersIsNot() throws Exception {
        try (Clients clients = new Clients()) {
            Baton client = clients.connect(fixture.server());
            DistributedReadWriteLock lock = client.readWriteLock("page");
            for (DistributedLock shared : List.of(lock.read(), client.semaphore("permits", 3))) {
                try (Lease lease = shared.acquire()) {
                    assertThatThrownBy(() -> fence.raise(lease))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining(lease.name())
                            .hasMessageContaining("orders no writes");
                    assertThatThrownBy(() -> fence.eval(lease, APPEND, List.of("list"), List.of("x")))
                            .isInstanceOf(IllegalArgumentException.class);
                }
            }
            assertThat(redis.exists("fence")).isFalse();
            try (Lease writer = lock.write().acquire()) {
                fence.raise(writer);
                assertThat(redis.get("fence")).isEqualTo(Long.toString(writer.token()));
            }
        }
    }

    @Test
    void tokens_thatDifferByOneAtTheGreatest_areToldApart() {
        fence.raise(GREATEST - 1);
        fence.raise(GREATEST);
        assertThat(redis.get("fence")).isEqualTo(Long.toString(GREATEST));
        assertThatThrownBy(() -> fence.raise(GREATEST - 1)).isInstanceOf(StaleTokenException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, GREATEST + 1, Long.MAX_VALUE})
    void number_thatIsNoToken_isRefused(long number) {
        assertThatThrownBy(() -> fence.raise(number))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining(Long.toString(number))
                .hasMessageContaining("no fencing token");
        assertThat(redis.exists("fence")).isFalse();
    }

    @Test
    void keyOfTheFence_thatHoldsSomethingElse_isNamed() {
        redis.rpush("fence", "a");
        assertThatThrownBy(() -> fence.raise(5))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("key fence holds something else");
        redis.del("fence");
        redis.set("fence", "a");
        assertThatThrownBy(() -> fence.raise(5))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("key fence holds something else");
        assertThat(redis.get("fence")).isEqualTo("a");
    }

    @Test
    void script_ofTheUser_seesItsOwnKeysAndArguments() throws Exception {
        try (Baton baton = Baton.connect(fixture.uri());
                Lease lease = baton.lock("x").acquire()) {
            Object seen = fence.eval(
                    lease, "return {#KEYS, KEYS[1], KEYS[2], #ARGV, ARGV[1]}", List.of("one", "two"), List.of("three"));
            assertThat(seen).isEqualTo(List.of(2L, "one", "two", 1L, "three"));
            assertThat(redis.get("fence")).isEqualTo(Long.toString(lease.token()));
        }
    }

    @Test
    void script_thatFails_isReportedAsItIs() throws Exception {
        redis.set("text", "a");
        try (Baton baton = Baton.connect(fixture.uri());
                Lease lease = baton.lock("x").acquire()) {
            assertThatThrownBy(() ->
                            fence.eval(lease, "return redis.call('RPUSH', KEYS[1], 'b')", List.of("text"), List.of()))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining("WRONGTYPE");
        }
    }

    @Test
    void page_showsTheScriptThatIsSent() throws Exception {
        String script = RedisFence.lua().replaceAll("(?m)^--.*\\R", "");
        assertThat(script).startsWith("do\n");
        assertThat(Path.of("../docs/stores/redis.md")).content().contains("```lua\n" + script + "```");
    }

    @Test
    @DisplayName("P1: holder_stoppedPastItsLease_writesNothingAfterTheNextHasRaised")
    void holder_stoppedPastItsLease_writesNothingAfterTheNextHasRaised() throws Exception {
        try (Baton one = Baton.connect(fixture.uri());
                Baton two = Baton.connect(fixture.uri())) {
            LockOptions options = LockOptions.defaults().withLeaseTime(LEASE);
            Lease stopped = one.lock("x", options).acquire();
            fence.raise(stopped);
            fence.eval(stopped, APPEND, List.of("data"), List.of("stopped"));
            try (Lease next = two.lock("x", options).acquire()) {
                // Not raised yet: the data does not know of the next holder.
                fence.eval(stopped, APPEND, List.of("data"), List.of("in time"));
                fence.raise(next);
                assertThat(redis.lrange("data", 0, -1)).containsExactly("stopped", "in time");
                assertThatThrownBy(() -> fence.eval(stopped, APPEND, List.of("data"), List.of("late")))
                        .isInstanceOf(StaleTokenException.class);
                fence.eval(next, APPEND, List.of("data"), List.of("next"));
            }
            assertThat(redis.lrange("data", 0, -1)).containsExactly("stopped", "in time", "next");
            stopped.release();
        }
    }

    @Test
    void thousandRaises_byManyThreads_writeInTheOrderOfTheirTokens() throws Exception {
        int threads = 16;
        int raises = 1_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Boolean>> all = new ArrayList<>();
            // Each a little too early or too late.
            LongStream.range(0, raises).map(i -> i ^ 7).forEach(token -> all.add(() -> append(token)));
            int accepted = 0;
            for (Future<Boolean> each : executor.invokeAll(all)) {
                accepted += each.get() ? 1 : 0;
            }
            List<Long> written =
                    redis.lrange("data", 0, -1).stream().map(Long::parseLong).toList();
            assertThat(written).hasSize(accepted).isSorted().doesNotHaveDuplicates();
            assertThat(accepted).as("some came too late").isBetween(1, raises - 1);
            assertThat(redis.get("fence")).isEqualTo(Long.toString(raises - 1));
        } finally {
            executor.shutdownNow();
        }
    }

    /** Appends as any client of Redis would, using only the script's text. */
    private boolean append(long token) {
        try {
            redis.eval(
                    RedisFence.lua() + "return redis.call('RPUSH', KEYS[1], ARGV[1])",
                    List.of("data", "fence"),
                    List.of(Long.toString(token), Long.toString(token)));
            return true;
        } catch (JedisDataException refused) {
            assertThat(refused).hasMessageStartingWith("STALETOKEN");
            return false;
        }
    }
}
