package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The costs of operations and their limits. Costs are counted and not timed, so that a slow machine changes nothing. A
 * figure above its limit fails the build. If the rise is intended, set the new figure here and say why in the commit.
 *
 * <p>Set a figure that falls as well, so that the gain is kept.
 */
enum Cost {
    REDIS_PAIR_SCRIPTS("script calls for an uncontended pair on Redis", How.COMMANDSTATS, 2, Air.COUNT),
    REDIS_PAIR_COMMANDS("commands for it, also those that scripts call", How.COMMANDSTATS, 9, Air.COUNT),
    REDIS_PAIR_PUBLISHES("messages published for it", How.COMMANDSTATS, 0, Air.COUNT),
    REDIS_PAIR_TRIPS("requests for it that one caller waits for", How.READS, 2, Air.COUNT),
    REDIS_PAIR_BYTES("bytes sent and received for it", How.NET_BYTES, 622, Air.BYTES),
    REDIS_PAIR_ALLOCATED("bytes that all threads of the client allocate for it", How.ALLOCATED, 5_600, Air.ALLOCATED),

    REDIS_AGAIN_COMMANDS("commands for a re-entrant pair", How.COMMANDSTATS, 0, Air.COUNT),
    REDIS_AGAIN_ALLOCATED("bytes allocated for it", How.ALLOCATED, 48, Air.ALLOCATED),
    REDIS_HELD_COMMANDS("commands for a holder's isHeld", How.COMMANDSTATS, 0, Air.COUNT),
    REDIS_HELD_ALLOCATED("bytes allocated for it", How.ALLOCATED, 0, Air.ALLOCATED),

    REDIS_RENEWAL_COMMANDS("commands to renew one of a thousand leases", How.COMMANDSTATS, 2, Air.BEATS),

    REDIS_HAND_OVER_4_SCRIPTS("script calls for a hand-over among 4 clients", How.COMMANDSTATS, 2, Air.BEATS),
    REDIS_HAND_OVER_4_PUBLISHES("messages published for it", How.COMMANDSTATS, 1, Air.COUNT),
    REDIS_HAND_OVER_4_TRIPS("requests for it", How.READS, 2, Air.BEATS),
    REDIS_HAND_OVER_16_SCRIPTS("script calls for a hand-over among 16 clients", How.COMMANDSTATS, 2, Air.BEATS),
    REDIS_HAND_OVER_16_PUBLISHES("messages published for it", How.COMMANDSTATS, 1, Air.COUNT),
    REDIS_HAND_OVER_16_TRIPS("requests for it", How.READS, 2, Air.BEATS),
    REDIS_HAND_OVER_64_SCRIPTS("script calls for a hand-over among 64 clients", How.COMMANDSTATS, 2, Air.BEATS),
    REDIS_HAND_OVER_64_PUBLISHES("messages published for it", How.COMMANDSTATS, 1, Air.COUNT),
    REDIS_HAND_OVER_64_TRIPS("requests for it", How.READS, 2, Air.BEATS),

    REDIS_JOB_TRIPS("requests of a job's runner for a fire time on Redis", How.READS, 6, Air.COUNT),
    REDIS_JOB_ELSEWHERE_TRIPS("requests of a client that finds the fire time run", How.READS, 1, Air.COUNT),
    REDIS_JOBS_IDLE_COMMANDS(
            "commands in five seconds of a thousand scheduled jobs between fire times: a ping",
            How.COMMANDSTATS,
            1,
            Air.COUNT),

    POSTGRESQL_PAIR_STATEMENTS("statements for an uncontended pair on PostgreSQL", How.COMMITS, 2, Air.COUNT),
    POSTGRESQL_PAIR_ALLOCATED("bytes allocated for it", How.ALLOCATED, 9_050, Air.ALLOCATED),

    REDIS_ACQUIRE_CALLS("calls of Baton's methods for an acquire on Redis", How.CALLS, 658, Air.CALLS),
    REDIS_RELEASE_CALLS("calls of Baton's methods for a release on Redis", How.CALLS, 460, Air.CALLS),
    REDIS_HAND_OVER_CALLS(
            "calls of Baton's methods for a hand-over to another client on Redis", How.CALLS, 739, Air.CALLS),
    REDIS_HEARTBEAT_CALLS("calls of Baton's methods for a heartbeat of one hold on Redis", How.CALLS, 850, Air.CALLS),
    REDIS_LOSS_CALLS("calls of Baton's methods for a lease that ends on Redis", How.CALLS, 53, Air.CALLS),
    REDIS_ACQUIRE_CLOCK("readings of the clock for an acquire on Redis", How.CALLS, 11, Air.COUNT),

    POSTGRESQL_ACQUIRE_CALLS("calls of Baton's methods for an acquire on PostgreSQL", How.CALLS, 630, Air.CALLS),
    POSTGRESQL_RELEASE_CALLS("calls of Baton's methods for a release on PostgreSQL", How.CALLS, 396, Air.CALLS),
    POSTGRESQL_HAND_OVER_CALLS(
            "calls of Baton's methods for a hand-over to another client on PostgreSQL", How.CALLS, 1_407, Air.CALLS),
    POSTGRESQL_HEARTBEAT_CALLS(
            "calls of Baton's methods for a heartbeat of one hold on PostgreSQL", How.CALLS, 1_049, Air.CALLS),
    POSTGRESQL_LOSS_CALLS("calls of Baton's methods for a lease that ends on PostgreSQL", How.CALLS, 53, Air.CALLS),
    POSTGRESQL_ACQUIRE_CLOCK("readings of the clock for an acquire on PostgreSQL", How.CALLS, 11, Air.COUNT),

    POSTGRESQL_JOB_STATEMENTS(
            "transactions of a job's runner for a fire time on PostgreSQL", How.COMMITS, 6, Air.COUNT),

    ZOOKEEPER_PAIR_REQUESTS("requests for an uncontended pair on ZooKeeper", How.SRVR, 3, Air.COUNT),

    MEMORY_PAIR_ALLOCATED("bytes allocated for an uncontended pair in memory", How.ALLOCATED, 4_930, Air.ALLOCATED);

    /** The source of a count. */
    private static final class How {
        static final String COMMANDSTATS = "Redis, INFO commandstats";
        static final String READS = "Redis, INFO total_reads_processed";
        static final String NET_BYTES = "Redis, INFO total_net_input_bytes + total_net_output_bytes";
        static final String COMMITS = "PostgreSQL, pg_stat_database.xact_commit: each statement commits itself";
        static final String SRVR = "ZooKeeper, srvr: packets received";
        static final String CALLS = "JDI, method entries of all threads of the client, the least of several operations";
        static final String ALLOCATED = "this JVM, ThreadMXBean.getThreadAllocatedBytes of all threads";
    }

    /** The tolerance of a figure, as a part of it. */
    private static final class Air {
        /** Allows for a heartbeat or a sweep among a thousand operations. */
        static final double COUNT = 0.02;
        /** Allows for a heartbeat for each second that a client waits, and for the call that renews many leases. */
        static final double BEATS = 0.05;
        /** Allows for other threads of the client that came by each time. */
        static final double CALLS = 0.05;
        /** Allows for numbers that get longer as they grow. */
        static final double BYTES = 0.03;
        /** Allows for compilers, which remove more or fewer allocations: runs and JDKs differed by 5 %. */
        static final double ALLOCATED = 0.15;
    }

    private final String what;
    private final String how;
    private final double known;
    private final double limit;

    Cost(String what, String how, double known, double air) {
        this.what = what;
        this.how = how;
        this.known = known;
        this.limit = known * (1 + air);
    }

    void check(double measured) {
        System.out.printf("%-32s %10.3f, known %8.1f, at most %10.3f%n", this, measured, known, limit);
        assertThat(measured)
                .as(
                        "%s rose from %s to %.3f: %s (%s). If that is meant, change it in Cost and say why in the commit",
                        this, known, measured, what, how)
                // The cost of reading the counter is subtracted, and may be a byte longer the second time.
                .isLessThanOrEqualTo(limit + 0.005);
    }
}
