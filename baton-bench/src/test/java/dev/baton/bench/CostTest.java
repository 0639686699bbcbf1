package dev.baton.bench;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Job;
import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.RedisServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** Checks that operations cost no more than {@link Cost} says. */
@Timeout(300)
class CostTest {
    /** Enough for the compilers to finish, even on a busy machine. */
    private static final int RUNS = 12;

    private static final int FEW_RUNS = 4;

    /** The defaults with longer timeouts, so that load from other programs changes no figure. */
    private static final BatonOptions PATIENT = patient().build();

    private static BatonOptions.Builder patient() {
        return BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).storeTimeout(Duration.ofSeconds(30));
    }

    // ---- Redis
    // -------------------------------------------------------------------------------------------------------

    /** A server for one test alone, because it counts all clients. */
    private static final class CountedRedis implements AutoCloseable {
        private final RedisServer server = RedisServer.start();
        private final Jedis jedis = new Jedis(URI.create(server.uri()), 20_000);

        Baton connect() {
            return connect(PATIENT);
        }

        Baton connect(BatonOptions options) {
            return Baton.connect(server.uri(), options);
        }

        Usage usage() {
            return RedisFigures.parse(jedis.info("commandstats"));
        }

        double stat(String name) {
            Matcher line = Pattern.compile(name + ":(\\d+)").matcher(jedis.info("stats"));
            if (!line.find()) {
                throw new IllegalStateException("Redis does not count " + name);
            }
            return Double.parseDouble(line.group(1));
        }

        double reads() {
            return stat("total_reads_processed");
        }

        double bytes() {
            return stat("total_net_input_bytes") + stat("total_net_output_bytes");
        }

        @Override
        public void close() {
            jedis.close();
            server.close();
        }
    }

    @Test
    void pair_onRedis() throws Exception {
        try (CountedRedis redis = new CountedRedis();
                Baton baton = redis.connect()) {
            new CostMeter()
                    .count(Cost.REDIS_PAIR_SCRIPTS, () -> redis.usage().scripts())
                    .count(Cost.REDIS_PAIR_COMMANDS, () -> redis.usage().commands())
                    .count(Cost.REDIS_PAIR_PUBLISHES, () -> redis.usage().publishes())
                    .count(Cost.REDIS_PAIR_TRIPS, redis::reads)
                    .count(Cost.REDIS_PAIR_BYTES, redis::bytes)
                    .countAllocated(Cost.REDIS_PAIR_ALLOCATED)
                    .check(RUNS, 1_000, pairs(baton.lock("pair")));
        }
    }

    @Test
    void whileHeld_onRedis() throws Exception {
        try (CountedRedis redis = new CountedRedis();
                Baton baton = redis.connect()) {
            ReentrantDistributedLock lock = baton.reentrantLock("held");
            lock.lock();
            Lease lease = lock.currentLease().orElseThrow();
            new CostMeter()
                    .count(Cost.REDIS_AGAIN_COMMANDS, () -> redis.usage().commands())
                    .countAllocated(Cost.REDIS_AGAIN_ALLOCATED)
                    .check(RUNS, 20_000, times -> {
                        for (int i = 0; i < times; i++) {
                            lock.lock();
                            lock.unlock();
                        }
                    });
            new CostMeter()
                    .count(Cost.REDIS_HELD_COMMANDS, () -> redis.usage().commands())
                    .countAllocated(Cost.REDIS_HELD_ALLOCATED)
                    .check(RUNS, 20_000, times -> {
                        for (int i = 0; i < times; i++) {
                            if (!lease.isHeld()) {
                                throw new IllegalStateException("lost");
                            }
                        }
                    });
            lock.unlock();
        }
    }

    @Test
    void renewal_onRedis() throws Exception {
        LongAdder renewals = new LongAdder();
        try (CountedRedis redis = new CountedRedis();
                Baton baton = redis.connect(patient()
                        .leaseTime(Duration.ofSeconds(12))
                        .listener(event -> renewals.add(event.type() == BatonEvent.Type.RENEWED ? 1 : 0))
                        .build())) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                held.add(baton.lock("renewed " + i).acquire());
            }
            awaitPause(renewals, held.size());
            double commands = redis.usage().commands();
            long before = renewals.sum();
            awaitPause(renewals, before + 2L * held.size());
            Cost.REDIS_RENEWAL_COMMANDS.check((redis.usage().commands() - commands) / (renewals.sum() - before));
            held.forEach(Lease::close);
        }
    }

    /** Waits for this number of renewals and the end of the last batch; leases are renewed in batches. */
    private static void awaitPause(LongAdder renewals, long least) throws InterruptedException {
        long seen = -1;
        // Several looks, because a JVM that stands still in the middle of a batch shows no renewals either.
        for (int quiet = 0; quiet < 10; ) {
            quiet = renewals.sum() >= least && renewals.sum() == seen ? quiet + 1 : 0;
            seen = renewals.sum();
            Thread.sleep(100);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64})
    void handOver_onRedis_isFlat(int count) throws Exception {
        String name = "REDIS_HAND_OVER_" + count;
        List<Baton> clients = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try (CountedRedis redis = new CountedRedis()) {
            for (int i = 0; i < count; i++) {
                clients.add(redis.connect());
            }
            new CostMeter()
                    .count(Cost.valueOf(name + "_SCRIPTS"), () -> redis.usage().scripts())
                    .count(
                            Cost.valueOf(name + "_PUBLISHES"),
                            () -> redis.usage().publishes())
                    .count(Cost.valueOf(name + "_TRIPS"), redis::reads)
                    .check(FEW_RUNS, 20 * count, times -> together(threads, clients, times / count));
            clients.forEach(Baton::close);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void together(ExecutorService threads, List<Baton> clients, int timesEach) throws Exception {
        List<Callable<Void>> fighters = new ArrayList<>();
        for (Baton client : clients) {
            fighters.add(() -> {
                pairs(client.lock("hot")).run(timesEach);
                return null;
            });
        }
        for (Future<Void> fighter : threads.invokeAll(fighters)) {
            fighter.get();
        }
    }

    @Test
    void fireTimeOfAJob_onRedis() throws Exception {
        try (CountedRedis redis = new CountedRedis();
                Baton runner = redis.connect();
                Baton other = redis.connect()) {
            new CostMeter().count(Cost.REDIS_JOB_TRIPS, redis::reads).check(RUNS, 200, fireTimes(runner.job("job")));
            Instant last = runner.job("job").history().get(0).fireTime();
            new CostMeter().count(Cost.REDIS_JOB_ELSEWHERE_TRIPS, redis::reads).check(RUNS, 200, times -> {
                for (int i = 0; i < times; i++) {
                    requireOutcome(Job.Outcome.ALREADY_DONE, other.job("job"), last);
                }
            });
        }
    }

    @Test
    void thousandJobsBetweenFireTimes_onRedis() throws Exception {
        Instant inAnHour = Instant.now().plus(Duration.ofHours(1));
        try (CountedRedis redis = new CountedRedis();
                Baton baton = redis.connect()) {
            for (int i = 0; i < 1_000; i++) {
                baton.job("idle " + i)
                        .schedule(
                                after -> after.isBefore(inAnHour) ? Optional.of(inAnHour) : Optional.empty(),
                                run -> {});
            }
            new CostMeter()
                    .count(Cost.REDIS_JOBS_IDLE_COMMANDS, () -> redis.usage().commands())
                    // A machine that stands still makes the five seconds longer: the least of three counts.
                    .check(3, 1, times -> Thread.sleep(5_000));
        }
    }

    private static CostMeter.Load fireTimes(Job job) {
        AtomicLong next = new AtomicLong(1_700_000_000_000L);
        return times -> {
            for (int i = 0; i < times; i++) {
                requireOutcome(Job.Outcome.RAN, job, Instant.ofEpochMilli(next.addAndGet(60_000)));
            }
        };
    }

    private static void requireOutcome(Job.Outcome wanted, Job job, Instant fireTime) throws InterruptedException {
        Job.Result result = job.run(fireTime, run -> {});
        if (result.outcome() != wanted) {
            throw new IllegalStateException("not " + wanted + ": " + result);
        }
    }

    // ---- others
    // ------------------------------------------------------------------------------------------------------

    @Test
    void pair_onPostgresql() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                Connection other = DriverManager.getConnection(server.uri());
                Baton baton = Baton.connect(server.uri(), PATIENT)) {
            DistributedLock lock = baton.lock("pair");
            new CostMeter().countAllocated(Cost.POSTGRESQL_PAIR_ALLOCATED).check(RUNS, 500, pairs(lock));
            new CostMeter()
                    .count(Cost.POSTGRESQL_PAIR_STATEMENTS, () -> commits(other, lock))
                    .check(1, 500, pairs(lock));
        }
    }

    @Test
    void fireTimeOfAJob_onPostgresql() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                Connection other = DriverManager.getConnection(server.uri());
                Baton baton = Baton.connect(server.uri(), PATIENT)) {
            new CostMeter()
                    .count(Cost.POSTGRESQL_JOB_STATEMENTS, () -> commits(other, baton.lock("pair")))
                    // Sweeps come once a second, and add to it: the run in which the fewest did.
                    .check(FEW_RUNS, 200, fireTimes(baton.job("job")));
        }
    }

    /** A server process reports its counters only when it runs a statement, at most once a second. */
    private static double commits(Connection other, DistributedLock lock) throws Exception {
        Thread.sleep(1_500);
        pairs(lock).run(1);
        Thread.sleep(500);
        try (Statement statement = other.createStatement();
                var rows = statement.executeQuery("SELECT sum(xact_commit) FROM pg_stat_database")) {
            rows.next();
            return rows.getDouble(1);
        }
    }

    @Test
    void pair_onZookeeper() throws Exception {
        try (TestingServer server = new TestingServer();
                Baton baton = Baton.connect("zookeeper://" + server.getConnectString(), PATIENT)) {
            DistributedLock lock = baton.lock("pair");
            new CostMeter()
                    .count(Cost.ZOOKEEPER_PAIR_REQUESTS, () -> received(server.getPort()))
                    .check(FEW_RUNS, 200, pairs(lock));
        }
    }

    private static double received(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return Double.parseDouble(answer.replaceAll("(?s).*Received: (\\d+).*", "$1"));
        }
    }

    @Test
    void pair_inMemory() throws Exception {
        try (Baton baton = Baton.connect("memory:cost", PATIENT)) {
            // On a busy machine a dozen runs allocated a sixth more: the least of many.
            new CostMeter()
                    .countAllocated(Cost.MEMORY_PAIR_ALLOCATED)
                    .check(2 * RUNS, 20_000, pairs(baton.lock("pair")));
        }
    }

    private static CostMeter.Load pairs(DistributedLock lock) {
        return times -> {
            for (int i = 0; i < times; i++) {
                lock.acquire().release();
            }
        };
    }
}
