package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operations cost, and may cost at most: counted, not timed, so that a slow machine changes nothing. A figure that
 * rises above its limit fails the build. If that is meant, set the new figure here and say why in the commit.
 *
 * <p>One that falls is set as well, so that what was gained stays.
 */
enum Cost {
    REDIS_PAIR_SCRIPTS("script calls for an uncontended pair on Redis", How.COMMANDSTATS, 2, Air.COUNT),
    REDIS_PAIR_COMMANDS("commands for it, also those that scripts call", How.COMMANDSTATS, 9, Air.COUNT),
    REDIS_PAIR_PUBLISHES("messages published for it", How.COMMANDSTATS, 0, Air.COUNT),
    REDIS_PAIR_TRIPS("requests for it that one caller waits for", How.READS, 2, Air.COUNT),
    REDIS_PAIR_BYTES("bytes sent and received for it", How.NET_BYTES, 538, Air.BYTES),
    REDIS_PAIR_ALLOCATED("bytes that all threads of the client allocate for it", How.ALLOCATED, 4_890, Air.ALLOCATED),

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

    POSTGRESQL_PAIR_STATEMENTS("statements for an uncontended pair on PostgreSQL", How.COMMITS, 2, Air.COUNT),
    POSTGRESQL_PAIR_ALLOCATED("bytes allocated for it", How.ALLOCATED, 7_580, Air.ALLOCATED),

    ZOOKEEPER_PAIR_REQUESTS("requests for an uncontended pair on ZooKeeper", How.SRVR, 3, Air.COUNT),

    MEMORY_PAIR_ALLOCATED("bytes allocated for an uncontended pair in memory", How.ALLOCATED, 4_930, Air.ALLOCATED);

    /** Who counts. */
    private static final class How {
        static final String COMMANDSTATS = "Redis, INFO commandstats";
        static final String READS = "Redis, INFO total_reads_processed";
        static final String NET_BYTES = "Redis, INFO total_net_input_bytes + total_net_output_bytes";
        static final String COMMITS = "PostgreSQL, pg_stat_database.xact_commit: each statement commits itself";
        static final String SRVR = "ZooKeeper, srvr: packets received";
        static final String ALLOCATED = "this JVM, ThreadMXBean.getThreadAllocatedBytes of all threads";
    }

    /** What may be added to a figure, as a part of it. */
    private static final class Air {
        /** A heartbeat or a sweep in the middle of a thousand. */
        static final double COUNT = 0.02;
        /** A heartbeat for each second that a client waits; the call itself, for a hundred leases and more. */
        static final double BEATS = 0.05;
        /** Numbers become longer as they grow. */
        static final double BYTES = 0.03;
        /** Compilers differ in what they can do without: 5 % were seen between runs and JDKs. */
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
                // What was asked to know it is subtracted, and may be a byte longer the second time.
                .isLessThanOrEqualTo(limit + 0.005);
    }
}
