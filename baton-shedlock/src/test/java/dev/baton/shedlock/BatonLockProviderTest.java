package dev.baton.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ShedLock's contract for providers, restated, and a fleet that moves. */
class BatonLockProviderTest {
    private static final String MEMORY = "memory://shedlock";
    private static final String H2 = "jdbc:h2:mem:shedlock;DB_CLOSE_DELAY=-1";
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The most that a machine which stalls may add. Without an end, the lock is not free for {@link #LONG}. */
    private static final Duration LATE = Duration.ofSeconds(15);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name = "job " + NUMBER.incrementAndGet();

    private LockConfiguration times(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), name, atMost, atLeast);
    }

    private LockConfiguration times(Duration atMost) {
        return times(atMost, Duration.ZERO);
    }

    private Optional<SimpleLock> lock(Baton node) {
        return new BatonLockProvider(node).lock(times(LONG));
    }

    private void expectFreeAfter(Baton node, Duration least, Duration most, long sinceNanos)
            throws InterruptedException {
        Optional<SimpleLock> free = lock(node);
        while (free.isEmpty()) {
            assertThat(Duration.ofNanos(System.nanoTime() - sinceNanos)).isLessThan(most);
            Thread.sleep(5);
            free = lock(node);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - sinceNanos)).isGreaterThan(least);
        free.get().unlock();
    }

    @ParameterizedTest
    @ValueSource(strings = {MEMORY, H2})
    void oneNodeHasTheLock_untilItUnlocks_andNamesAreApart(String uri) {
        try (Baton one = Baton.connect(uri);
                Baton other = Baton.connect(uri)) {
            SimpleLock held = lock(one).orElseThrow();
            assertThat(lock(other)).isEmpty();
            assertThat(lock(one)).as("the same node, again").isEmpty();
            assertThat(new BatonLockProvider(other)
                            .lock(new LockConfiguration(Instant.now(), name + " else", LONG, Duration.ZERO)))
                    .isPresent();
            held.unlock();
            SimpleLock next = lock(other).orElseThrow();
            assertThatThrownBy(held::unlock).isInstanceOf(IllegalStateException.class);
            assertThat(lock(one)).as("an old unlock frees nothing").isEmpty();
            next.unlock();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MEMORY, H2})
    void lockAtMostFor_endsTheLockOfANodeThatDoesNotUnlock(String uri) throws Exception {
        try (Baton one = Baton.connect(uri);
                Baton other = Baton.connect(uri)) {
            long start = System.nanoTime();
            assertThat(new BatonLockProvider(one).lock(times(Duration.ofMillis(500))))
                    .isPresent();
            expectFreeAfter(other, Duration.ofMillis(450), LATE, start);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MEMORY, H2})
    @DisplayName("P49: lockAtLeastFor_isKept_thoughTheJobWasShort_andItsNodeIsGone")
    void lockAtLeastFor_isKept_thoughTheJobWasShort_andItsNodeIsGone(String uri) throws Exception {
        try (Baton other = Baton.connect(uri)) {
            long start = System.nanoTime();
            try (Baton one = Baton.connect(uri)) {
                new BatonLockProvider(one)
                        .lock(times(LONG, Duration.ofSeconds(3)))
                        .orElseThrow()
                        .unlock();
            }
            assertThat(lock(other)).isEmpty();
            expectFreeAfter(other, Duration.ofMillis(2_950), LATE, start);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {MEMORY, H2})
    void extend_movesTheEnd_andTheOldLockCanNoLongerBeUsed(String uri) throws Exception {
        try (Baton one = Baton.connect(uri);
                Baton other = Baton.connect(uri)) {
            long start = System.nanoTime();
            SimpleLock first = new BatonLockProvider(one)
                    .lock(times(Duration.ofSeconds(2)))
                    .orElseThrow();
            SimpleLock longer =
                    first.extend(Duration.ofSeconds(12), Duration.ofSeconds(6)).orElseThrow();
            assertThatThrownBy(first::unlock).isInstanceOf(IllegalStateException.class);
            Thread.sleep(2_200);
            assertThat(lock(other)).as("extended").isEmpty();
            longer.unlock();
            assertThat(lock(other)).as("kept since the extension").isEmpty();
            expectFreeAfter(other, Duration.ofMillis(5_950), LATE, start);
        }
    }

    @Test
    void lockThatIsOver_cannotBeExtended() throws Exception {
        try (Baton one = Baton.connect(MEMORY);
                Baton other = Baton.connect(MEMORY)) {
            long start = System.nanoTime();
            SimpleLock over = new BatonLockProvider(one)
                    .lock(times(Duration.ofMillis(200)))
                    .orElseThrow();
            expectFreeAfter(other, Duration.ofMillis(150), LATE, start);
            assertThat(over.extend(LONG, Duration.ZERO)).isEmpty();
        }
    }

    /** A lock that can be extended, or fails to be, and notes what becomes of it. */
    private record Noting(String name, List<String> ends, RuntimeException failure) implements SimpleLock {
        @Override
        public void unlock() {
            ends.add(name);
        }

        @Override
        public Optional<SimpleLock> extend(Duration atMost, Duration atLeast) {
            if (failure != null) {
                throw failure;
            }
            return Optional.of(new Noting(name + " extended", ends, null));
        }
    }

    @Test
    void move_inWhichTheSecondLockCannotBeExtended_givesBothUp() {
        List<String> ends = new ArrayList<>();
        IllegalStateException silent = new IllegalStateException("the store does not answer");
        SimpleLock both = new Moving(
                        configuration -> Optional.of(new Noting("former", ends, null)),
                        configuration -> Optional.of(new Noting("next", ends, silent)))
                .lock(times(LONG))
                .orElseThrow();
        assertThatThrownBy(() -> both.extend(LONG, Duration.ZERO)).isSameAs(silent);
        assertThat(ends).containsExactly("next", "former extended");
        ends.clear();
        SimpleLock over = new Moving(
                        configuration -> Optional.of(new Noting("former", ends, silent)),
                        configuration -> Optional.of(new Noting("next", ends, null)))
                .lock(times(LONG))
                .orElseThrow();
        assertThatThrownBy(() -> over.extend(LONG, Duration.ZERO)).isSameAs(silent);
        assertThat(ends).containsExactly("next", "former");
    }

    @Test
    @DisplayName("P52: skippedRun_isToldFromOneThatRan")
    void skippedRun_isToldFromOneThatRan() throws Throwable {
        try (Baton one = Baton.connect(MEMORY);
                Baton other = Baton.connect(MEMORY)) {
            DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(new BatonLockProvider(other));
            SimpleLock held = lock(one).orElseThrow();
            assertThat(executor.executeWithLock(() -> "ran", times(LONG)).wasExecuted())
                    .isFalse();
            held.unlock();
            assertThat(executor.executeWithLock(() -> "ran", times(LONG)).getResult())
                    .isEqualTo("ran");
        }
    }

    /** Old nodes, nodes that move, and new ones, as a rolling restart mixes them in two steps. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("P53: fleetThatMoves_runsNoFireTimeTwice")
    void fleetThatMoves_runsNoFireTimeTwice(boolean formerIsGone) throws Exception {
        try (Baton one = Baton.connect(MEMORY);
                Baton other = Baton.connect(MEMORY)) {
            LockProvider former = formerProvider();
            LockProvider moving = new BatonLockProvider(one).whileMovingFrom(former);
            LockProvider alone = formerIsGone ? new BatonLockProvider(other) : former;
            List<LockProvider> nodes =
                    List.of(moving, alone, new BatonLockProvider(other).whileMovingFrom(former), alone);
            int fireTimes = 1_000;
            ConcurrentHashMap<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();
            CyclicBarrier clock = new CyclicBarrier(nodes.size());
            List<Thread> threads = new ArrayList<>();
            for (LockProvider node : nodes) {
                threads.add(new Thread(() -> {
                    for (int fire = 0; fire < fireTimes; fire++) {
                        String job = name + " at " + fire;
                        await(clock);
                        // Kept for so long that all nodes have seen it, as jobs are that must run once per fire time.
                        if (node.lock(new LockConfiguration(Instant.now(), job, LONG, LONG))
                                .isPresent()) {
                            runs.computeIfAbsent(fire, unknown -> new AtomicInteger())
                                    .incrementAndGet();
                        }
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread each : threads) {
                each.join();
            }
            assertThat(runs.values()).allSatisfy(times -> assertThat(times).hasValue(1));
            assertThat(runs).as("no fire time is left out").hasSize(fireTimes);
        }
    }

    /** The fleet's own, on a database. */
    private static LockProvider formerProvider() throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:former;DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3),"
                            + " locked_at TIMESTAMP(3), locked_by VARCHAR(255))");
        }
        return new JdbcLockProvider(source);
    }

    private static void await(CyclicBarrier clock) {
        try {
            clock.await(30, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }
}
