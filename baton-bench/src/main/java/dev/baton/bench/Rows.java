package dev.baton.bench;

import static dev.baton.bench.Contestants.BARE_PAIR;
import static dev.baton.bench.Contestants.BATON;
import static dev.baton.bench.Contestants.BATON_AGAIN;
import static dev.baton.bench.Contestants.BATON_ETCD;
import static dev.baton.bench.Contestants.BATON_IS_HELD;
import static dev.baton.bench.Contestants.BATON_SQL;
import static dev.baton.bench.Contestants.BATON_SQL_10;
import static dev.baton.bench.Contestants.BATON_ZOOKEEPER;
import static dev.baton.bench.Contestants.CURATOR_MUTEX;
import static dev.baton.bench.Contestants.JAVA_FAIR;
import static dev.baton.bench.Contestants.JETCD_LOCK;
import static dev.baton.bench.Contestants.LOCK_REGISTRY;
import static dev.baton.bench.Contestants.PUB_SUB_REGISTRY;
import static dev.baton.bench.Contestants.RAW_JEDIS;
import static dev.baton.bench.Contestants.RAW_LETTUCE;
import static dev.baton.bench.Contestants.RAW_PUBLISH;
import static dev.baton.bench.Contestants.RFAIRLOCK;
import static dev.baton.bench.Contestants.RFENCEDLOCK;
import static dev.baton.bench.Contestants.RLOCK;
import static dev.baton.bench.Contestants.RLOCK_AGAIN;
import static dev.baton.bench.Contestants.RLOCK_IS_HELD;
import static dev.baton.bench.Contestants.RSPINLOCK;
import static dev.baton.bench.Contestants.SHED_LOCK;
import static dev.baton.bench.Contestants.SHED_LOCK_JEDIS;
import static dev.baton.bench.Contestants.SHED_LOCK_PLAIN;
import static dev.baton.bench.Contestants.SHED_LOCK_SPRING;
import static dev.baton.bench.Contestants.SPIN_REGISTRY;
import static dev.baton.bench.Crowds.BATON_ASYNC;
import static dev.baton.bench.Crowds.BATON_HASTY;
import static dev.baton.bench.Crowds.BATON_HOLDING;
import static dev.baton.bench.Crowds.RLOCK_ASYNC;
import static dev.baton.bench.Crowds.RLOCK_HASTY;
import static dev.baton.bench.Crowds.RLOCK_HOLDING;
import static dev.baton.bench.Metric.CLIENT_CORES;
import static dev.baton.bench.Metric.COMMANDS;
import static dev.baton.bench.Metric.CPU;
import static dev.baton.bench.Metric.FAULTS;
import static dev.baton.bench.Metric.HAND_OVER;
import static dev.baton.bench.Metric.NANOS;
import static dev.baton.bench.Metric.RATE;
import static dev.baton.bench.Metric.SCRIPTS;
import static dev.baton.bench.Metric.UNEVENNESS;
import static dev.baton.bench.Row.beside;
import static dev.baton.bench.Row.ratio;
import static dev.baton.bench.Row.value;
import static dev.baton.bench.Target.atLeast;
import static dev.baton.bench.Target.atMost;

import dev.baton.bench.jvm.Message;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All rows: the comparisons and their targets. */
final class Rows {
    private static final long MILLI = 1_000_000;
    private static final Trial ALONE_1 = Trial.alone(1);
    private static final Trial ALONE_16 = Trial.alone(16);
    private static final Trial ALONE_64 = Trial.alone(64);
    private static final Trial CLIENTS_2 = Trial.oneLock(2, 1);
    private static final Trial CLIENTS_4 = Trial.oneLock(4, 1);
    private static final Trial CLIENTS_64 = Trial.oneLock(64, 1);
    private static final Trial CLIENTS_256 = Trial.oneLock(256, 1);
    private static final Trial CLIENTS_4_OF_16 = Trial.oneLock(4, 16);
    private static final Trial KEEPING_1_MS = Trial.keeping(16, 1, 1);
    private static final Trial KEEPING_10_MS = Trial.keeping(16, 1, 10);
    private static final Trial HELD_10_000 = Trial.held(10_000);
    private static final Trial HELD_100_000 = Trial.held(100_000);
    private static final Trial CLIENTS_16 = Trial.oneLock(16, 1);
    private static final Trial CLIENTS_16_OF_4 = Trial.oneLock(16, 4);
    private static final Trial ONE_CLIENT = Trial.oneLock(1, 16);
    private static final Trial TWO_CLIENTS =
            Trial.of("hand-over, 2 x 1", "2 clients that hand over one lock", 2, 1, 0, Section.HandOver::new);
    private static final Trial SQL_ALONE_1 = ALONE_1.on("SQL", "PostgreSQL");
    private static final Trial SQL_ALONE_16 = ALONE_16.on("SQL", "PostgreSQL");
    private static final Trial SQL_ALONE_64 = ALONE_64.on("SQL", "PostgreSQL");
    private static final Trial SQL_TWO_CLIENTS = Trial.of(
                    "hand-over back and forth, 2 x 1",
                    "2 clients that hand over one lock",
                    2,
                    1,
                    0,
                    Section.BackAndForth::new)
            .on("SQL", "PostgreSQL");
    private static final Trial ZOOKEEPER_ALONE_1 = ALONE_1.on("ZooKeeper", "ZooKeeper");
    private static final Trial ZOOKEEPER_ALONE_16 = ALONE_16.on("ZooKeeper", "ZooKeeper");
    private static final Trial ZOOKEEPER_ALONE_64 = ALONE_64.on("ZooKeeper", "ZooKeeper");
    private static final Trial ZOOKEEPER_CLIENTS_16 = CLIENTS_16.on("ZooKeeper", "ZooKeeper");
    private static final Trial ZOOKEEPER_ONE_CLIENT = ONE_CLIENT.on("ZooKeeper", "ZooKeeper");
    private static final Trial ETCD_ALONE_1 = ALONE_1.on("etcd", "etcd");
    private static final Trial ETCD_ALONE_16 = ALONE_16.on("etcd", "etcd");
    private static final Trial ETCD_ALONE_64 = ALONE_64.on("etcd", "etcd");
    private static final Trial ETCD_CLIENTS_16 = CLIENTS_16.on("etcd", "etcd");
    private static final Trial AGAIN =
            Trial.of("lock again while held", "1 thread locks again what it holds", 1, 1, 1, board -> Section.NONE);
    private static final Trial IS_HELD =
            Trial.of("ask whether held", "1 thread asks whether it holds a lock", 1, 1, 1, board -> Section.NONE);

    private static final Trial ASYNC_10_000 = Trial.of(
            "10,000 asynchronous waiters, 1 client",
            "1 client with 10,000 asynchronous callers, one lock",
            1,
            1,
            0,
            board -> Section.NONE);
    private static final Trial HASTY_16 = Trial.of(
            "one lock held for 1 ms, 16 x 1 that wait up to 5 ms",
            Trial.crowd(16, 1) + " that wait up to 5 ms, one lock held for 1 ms",
            16,
            1,
            0,
            board -> new Section.Counting(board, MILLI));

    /** Not zero, because renewals in the background are counted as well. */
    private static final Target NO_CALLS = atMost(0.0001);

    private static final Target TWO_CALLS = atMost(2.1);
    private static final Target EVEN = atMost(0.05);
    private static final Target FEW_NANOS = atMost(200);

    /** The trials on Redis that differ only in the number of clients. */
    static final List<Trial> CROWDS = List.of(CLIENTS_2, CLIENTS_4, CLIENTS_16, CLIENTS_64, CLIENTS_256);

    /** The trials on Redis that differ only in the number of threads of the one client, which have locks of their own. */
    static final List<Trial> OWN_LOCKS = List.of(ALONE_1, ALONE_16, ALONE_64);

    static final List<Row> ALL = List.of(
            ratio("a.1", ALONE_1, RATE, BATON, RLOCK, atLeast(1.6)),
            ratio("a.16", ALONE_16, RATE, BATON, RLOCK, atLeast(2.5)),
            ratio("a.64", ALONE_64, RATE, BATON, RLOCK, atLeast(2.5)),
            beside("a.1.rfencedlock", ALONE_1, RATE, BATON, RFENCEDLOCK),
            beside("a.1.rspinlock", ALONE_1, RATE, BATON, RSPINLOCK),
            beside("a.1.registry.spin", ALONE_1, RATE, BATON, SPIN_REGISTRY),
            beside("a.1.registry.pubsub", ALONE_1, RATE, BATON, PUB_SUB_REGISTRY),
            beside("a.1.shedlock.jedis", ALONE_1, RATE, BATON, SHED_LOCK_JEDIS),
            beside("a.1.shedlock.spring", ALONE_1, RATE, BATON, SHED_LOCK_SPRING),
            beside("a.16.rfencedlock", ALONE_16, RATE, BATON, RFENCEDLOCK),
            beside("a.16.rspinlock", ALONE_16, RATE, BATON, RSPINLOCK),
            beside("a.16.registry.spin", ALONE_16, RATE, BATON, SPIN_REGISTRY),
            beside("a.16.registry.pubsub", ALONE_16, RATE, BATON, PUB_SUB_REGISTRY),
            beside("a.16.shedlock.jedis", ALONE_16, RATE, BATON, SHED_LOCK_JEDIS),
            beside("a.16.shedlock.spring", ALONE_16, RATE, BATON, SHED_LOCK_SPRING),
            ratio("b.1", ALONE_1, RATE, BATON, BARE_PAIR, atLeast(0.8)),
            ratio("b.16", ALONE_16, RATE, BATON, BARE_PAIR, atLeast(0.7)),
            ratio("b.64", ALONE_64, RATE, BATON, BARE_PAIR, atLeast(0.7)),
            ratio("b.1.jedis", ALONE_1, RATE, BATON, RAW_JEDIS, atLeast(0.8)),
            ratio("b.16.jedis", ALONE_16, RATE, BATON, RAW_JEDIS, atLeast(0.7)),
            ratio("b.64.jedis", ALONE_64, RATE, BATON, RAW_JEDIS, atLeast(0.7)),
            beside("b.1.lettuce", ALONE_1, RATE, BATON, RAW_LETTUCE),
            beside("b.16.lettuce", ALONE_16, RATE, BATON, RAW_LETTUCE),
            ratio("c.16", ALONE_16, CPU, BATON, RLOCK, atMost(0.35)),
            ratio("c.64", ALONE_64, CPU, BATON, RLOCK, atMost(0.35)),
            ratio("d.16x1.rlock", CLIENTS_16, RATE, BATON, RLOCK, atLeast(8)),
            ratio("d.16x1.rfairlock", CLIENTS_16, RATE, BATON, RFAIRLOCK, atLeast(5)),
            beside("d.16x1.rfencedlock", CLIENTS_16, RATE, BATON, RFENCEDLOCK),
            beside("d.16x1.rspinlock", CLIENTS_16, RATE, BATON, RSPINLOCK),
            beside("d.16x1.registry.spin", CLIENTS_16, RATE, BATON, SPIN_REGISTRY),
            beside("d.16x1.registry.pubsub", CLIENTS_16, RATE, BATON, PUB_SUB_REGISTRY),
            value("d.16x1.share", CLIENTS_16, UNEVENNESS, BATON, EVEN),
            value("d.16x1.scripts", CLIENTS_16, SCRIPTS, BATON, TWO_CALLS),
            ratio("d.16x4.rlock", CLIENTS_16_OF_4, RATE, BATON, RLOCK, atLeast(9)),
            ratio("d.16x4.rfairlock", CLIENTS_16_OF_4, RATE, BATON, RFAIRLOCK, atLeast(6)),
            value("d.16x4.share", CLIENTS_16_OF_4, UNEVENNESS, BATON, EVEN),
            value("d.16x4.scripts", CLIENTS_16_OF_4, SCRIPTS, BATON, TWO_CALLS),
            ratio("e.publish", TWO_CLIENTS, HAND_OVER, BATON, RAW_PUBLISH, atMost(1.5)),
            ratio("e.rlock", TWO_CLIENTS, HAND_OVER, BATON, RLOCK, atMost(1)),
            ratio("f.java", ONE_CLIENT, RATE, BATON, JAVA_FAIR, atLeast(0.5)),
            ratio("f.rlock", ONE_CLIENT, RATE, BATON, RLOCK, atLeast(30)),
            value("g.again", AGAIN, NANOS, BATON_AGAIN, FEW_NANOS),
            value("g.again.calls", AGAIN, COMMANDS, BATON_AGAIN, NO_CALLS),
            ratio("g.again.rlock", AGAIN, RATE, BATON_AGAIN, RLOCK_AGAIN, atLeast(1)),
            value("g.held", IS_HELD, NANOS, BATON_IS_HELD, FEW_NANOS),
            value("g.held.calls", IS_HELD, COMMANDS, BATON_IS_HELD, NO_CALLS),
            ratio("g.held.rlock", IS_HELD, RATE, BATON_IS_HELD, RLOCK_IS_HELD, atLeast(1)),
            ratio("h.1.registry", SQL_ALONE_1, RATE, BATON_SQL, LOCK_REGISTRY, atLeast(2)),
            ratio("h.1.shedlock", SQL_ALONE_1, RATE, BATON_SQL, SHED_LOCK, atLeast(2)),
            ratio("h.1.plain", SQL_ALONE_1, RATE, BATON_SQL, SHED_LOCK_PLAIN, atLeast(2)),
            ratio("h.16.registry", SQL_ALONE_16, RATE, BATON_SQL, LOCK_REGISTRY, atLeast(3)),
            ratio("h.16.shedlock", SQL_ALONE_16, RATE, BATON_SQL, SHED_LOCK, atLeast(1.5)),
            ratio("h.64.registry", SQL_ALONE_64, RATE, BATON_SQL, LOCK_REGISTRY, atLeast(6)),
            ratio("h.64.shedlock", SQL_ALONE_64, RATE, BATON_SQL, SHED_LOCK, Target.NONE),
            ratio("h.16.shedlock.10", SQL_ALONE_16, RATE, BATON_SQL_10, SHED_LOCK, Target.NONE),
            ratio("h.64.shedlock.10", SQL_ALONE_64, RATE, BATON_SQL_10, SHED_LOCK, Target.NONE),
            ratio("h.16.registry.10", SQL_ALONE_16, RATE, BATON_SQL_10, LOCK_REGISTRY, Target.NONE),
            ratio("h.64.registry.10", SQL_ALONE_64, RATE, BATON_SQL_10, LOCK_REGISTRY, Target.NONE),
            ratio("i.registry", SQL_TWO_CLIENTS, HAND_OVER, BATON_SQL, LOCK_REGISTRY, atMost(0.2)),
            ratio("j.1", ZOOKEEPER_ALONE_1, RATE, BATON_ZOOKEEPER, CURATOR_MUTEX, atLeast(1.15)),
            ratio("j.16", ZOOKEEPER_ALONE_16, RATE, BATON_ZOOKEEPER, CURATOR_MUTEX, Target.NONE),
            ratio("j.64", ZOOKEEPER_ALONE_64, RATE, BATON_ZOOKEEPER, CURATOR_MUTEX, Target.NONE),
            ratio("j.16x1", ZOOKEEPER_CLIENTS_16, RATE, BATON_ZOOKEEPER, CURATOR_MUTEX, atLeast(1.3)),
            ratio("j.1x16", ZOOKEEPER_ONE_CLIENT, RATE, BATON_ZOOKEEPER, CURATOR_MUTEX, atLeast(30)),
            ratio("k.1", ETCD_ALONE_1, RATE, BATON_ETCD, JETCD_LOCK, atLeast(1)),
            ratio("k.16", ETCD_ALONE_16, RATE, BATON_ETCD, JETCD_LOCK, Target.NONE),
            ratio("k.64", ETCD_ALONE_64, RATE, BATON_ETCD, JETCD_LOCK, Target.NONE),
            ratio("k.16x1", ETCD_CLIENTS_16, RATE, BATON_ETCD, JETCD_LOCK, atLeast(1.3)),
            value("l.4x1.scripts", CLIENTS_4, SCRIPTS, BATON, TWO_CALLS),
            value("l.64x1.scripts", CLIENTS_64, SCRIPTS, BATON, TWO_CALLS),
            value("l.256x1.scripts", CLIENTS_256, SCRIPTS, BATON, TWO_CALLS),
            value("m.100k.faults", HELD_100_000, FAULTS, BATON_HOLDING, atMost(0)),
            value("m.100k.cores", HELD_100_000, CLIENT_CORES, BATON_HOLDING, atMost(0.2)),
            ratio("m.10k.cores", HELD_10_000, CLIENT_CORES, BATON_HOLDING, RLOCK_HOLDING, Target.NONE),
            ratio("m.10k.cpu", HELD_10_000, CPU, BATON_HOLDING, RLOCK_HOLDING, Target.NONE),
            value("n.10k.rate", ASYNC_10_000, RATE, BATON_ASYNC, Target.NONE),
            ratio("n.10k.rlock", ASYNC_10_000, RATE, BATON_ASYNC, RLOCK_ASYNC, Target.NONE),
            ratio("o.16x1", HASTY_16, RATE, BATON_HASTY, RLOCK_HASTY, Target.NONE),
            ratio("p.2x1", CLIENTS_2, RATE, BATON, RLOCK, Target.NONE),
            ratio("p.4x1", CLIENTS_4, RATE, BATON, RLOCK, Target.NONE),
            ratio("p.64x1", CLIENTS_64, RATE, BATON, RLOCK, Target.NONE),
            ratio("p.64x1.fair", CLIENTS_64, RATE, BATON, RFAIRLOCK, Target.NONE),
            ratio("p.4x16", CLIENTS_4_OF_16, RATE, BATON, RLOCK, Target.NONE),
            value("q.1ms.share", KEEPING_1_MS, UNEVENNESS, BATON, EVEN),
            ratio("q.1ms", KEEPING_1_MS, RATE, BATON, RLOCK, Target.NONE),
            ratio("q.10ms", KEEPING_10_MS, RATE, BATON, RLOCK, Target.NONE));

    private Rows() {}

    static Row named(String id) {
        return ALL.stream().filter(row -> row.id().equals(id)).findFirst().orElseThrow();
    }

    /** Returns the row of a contestant, so that another JVM can find the contestant. */
    static Message placeOf(Trial trial, Contestant contestant) {
        Row row = ALL.stream()
                .filter(each -> each.trial().equals(trial) && each.contestants().contains(contestant))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        contestant.name() + " is in no row of " + trial.title() + ", and cannot be in another JVM"));
        return Message.of(
                Map.of(Child.ROW, row.id(), Child.PEER, !row.contestant().equals(contestant)));
    }

    /** Returns the rows that the names select, in the order of {@link #ALL}; all rows if there are no names. */
    static List<Row> chosen(Collection<String> names) {
        names.stream()
                .filter(name -> ALL.stream().noneMatch(row -> row.isChosenBy(name)))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("no row is called " + name);
                });
        Stream<Row> chosen =
                ALL.stream().filter(row -> names.isEmpty() || names.stream().anyMatch(row::isChosenBy));
        return chosen.toList();
    }
}
