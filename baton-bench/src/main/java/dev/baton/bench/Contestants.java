package dev.baton.bench;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
import dev.baton.bench.Contestant.Client;
import dev.baton.bench.Contestant.Opener;
import dev.baton.bench.Contestant.Worker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** All contestants: Baton, its peers, and bare commands to aim at. */
final class Contestants {
    private static final Setup DEFAULTS = Setup.of(
            "defaults: a lease of %s, renewed by the client"
                    .formatted(Setup.time(BatonOptions.defaults().leaseTime())),
            Baton.class);

    private static final Setup JAVA = Setup.of("in one JVM", ReentrantLock.class);

    static final Contestant BATON = baton(Contestants::turns);

    static final Contestant BATON_SQL = baton(Home.DATABASE);

    /** As many connections as the pools of its peers have. */
    static final Contestant BATON_SQL_10 = new Contestant(
            "Baton, 10",
            "Baton with 10 connections",
            Home.DATABASE,
            opener(
                    stage -> {
                        String address = stage.addressOf(Home.DATABASE);
                        return address + (address.contains("?") ? '&' : '?') + "baton.connections=10";
                    },
                    Contestants::turns),
            Setup.of("at most 10 connections (baton.connections=10)", Baton.class));

    static final Contestant BATON_ZOOKEEPER = baton(Home.ZOOKEEPER);

    static final Contestant BATON_ETCD = baton(Home.ETCD);

    static final Contestant BATON_AGAIN =
            baton((baton, names) -> WhileHeld.locksAgain(baton.reentrantLock(names.get(0))));

    static final Contestant BATON_IS_HELD = baton((baton, names) -> {
        ReentrantDistributedLock lock = baton.reentrantLock(names.get(0));
        return new WhileHeld(lock, () -> {
            Lease lease = lock.currentLease().orElseThrow();
            return WhileHeld.asks(lease::isHeld);
        });
    });

    static final Contestant RLOCK = RedissonPeers.turns("RLock", RedissonClient::getLock);

    static final Contestant RFAIRLOCK = RedissonPeers.turns("RFairLock", RedissonClient::getFairLock);

    static final Contestant RFENCEDLOCK = RedissonPeers.turns("RFencedLock", RedissonClient::getFencedLock);

    static final Contestant RSPINLOCK = RedissonPeers.turns("RSpinLock", RedissonClient::getSpinLock);

    static final Contestant RLOCK_AGAIN = RedissonPeers.contestant(
            "RLock", (redisson, names) -> WhileHeld.locksAgain(redisson.getLock(names.get(0))));

    static final Contestant RLOCK_IS_HELD = RedissonPeers.contestant("RLock", (redisson, names) -> {
        RLock lock = redisson.getLock(names.get(0));
        return new WhileHeld(lock, () -> WhileHeld.asks(lock::isHeldByCurrentThread));
    });

    static final Contestant JAVA_FAIR =
            new Contestant("java fair", "a fair ReentrantLock of Java", Home.JVM, stage -> fairLocks(), JAVA);

    static final Contestant RAW_JEDIS =
            new Contestant("raw Jedis", "bare SET and DEL by Jedis", Home.SERVER, RawJedis::new, RawJedis.SETUP);

    static final Contestant RAW_LETTUCE = new Contestant(
            "raw Lettuce", "bare SET and DEL by Lettuce", Home.SERVER, RawLettuce::new, RawLettuce.SETUP);

    static final Contestant BARE_PAIR = new Contestant(
            "bare pair", "bare SET and DEL by Baton's connection", Home.SERVER, BarePair::new, BarePair.SETUP);

    static final Contestant SPIN_REGISTRY = new Contestant(
            "RedisLockRegistry, spin",
            "Spring RedisLockRegistry (spin)",
            Home.SERVER,
            RedisPeers.lockRegistry(RedisLockType.SPIN_LOCK),
            RedisPeers.LOCK_REGISTRY);

    static final Contestant PUB_SUB_REGISTRY = new Contestant(
            "RedisLockRegistry, pub/sub",
            "Spring RedisLockRegistry (pub/sub)",
            Home.SERVER,
            RedisPeers.lockRegistry(RedisLockType.PUB_SUB_LOCK),
            RedisPeers.LOCK_REGISTRY);

    static final Contestant SHED_LOCK_JEDIS = new Contestant(
            "ShedLock, Jedis",
            "ShedLock with Jedis",
            Home.SERVER,
            RedisPeers::shedLockByJedis,
            RedisPeers.SHED_LOCK_JEDIS);

    static final Contestant SHED_LOCK_SPRING = new Contestant(
            "ShedLock, Spring",
            "ShedLock with Spring Data Redis",
            Home.SERVER,
            RedisPeers::shedLockBySpring,
            RedisPeers.SHED_LOCK_SPRING);

    static final Contestant LOCK_REGISTRY = new Contestant(
            "JdbcLockRegistry",
            "Spring JdbcLockRegistry",
            Home.DATABASE,
            SqlPeers::lockRegistry,
            SqlPeers.LOCK_REGISTRY);

    static final Contestant SHED_LOCK = new Contestant(
            "ShedLock", "ShedLock with JdbcTemplate", Home.DATABASE, SqlPeers::shedLock, SqlPeers.SHED_LOCK);

    static final Contestant SHED_LOCK_PLAIN = new Contestant(
            "ShedLock, plain",
            "ShedLock with plain JDBC",
            Home.DATABASE,
            SqlPeers::shedLockWithoutSpring,
            SqlPeers.SHED_LOCK_PLAIN);

    static final Contestant CURATOR_MUTEX = new Contestant(
            "InterProcessMutex",
            "Curator InterProcessMutex",
            Home.ZOOKEEPER,
            ZookeeperPeers::curatorMutex,
            ZookeeperPeers.CURATOR);

    static final Contestant JETCD_LOCK =
            new Contestant("jetcd Lock", "jetcd Lock", Home.ETCD, EtcdPeers::jetcdLock, EtcdPeers.JETCD);

    static final Contestant RAW_PUBLISH =
            new Contestant("raw publish", "a bare publish", Home.SERVER, RawPublish::new, RawPublish.SETUP);

    private Contestants() {}

    private static Worker turns(Baton baton, List<String> names) {
        return new Mutex.AcquireReleaseBatch(
                names.stream().map(baton::lock).map(Mutex::of).toList());
    }

    private static Contestant baton(Home home) {
        return baton(home, stage -> stage.addressOf(home), Contestants::turns);
    }

    static Contestant baton(BiFunction<Baton, List<String>, Worker> workers) {
        return baton(Home.BATON, Stage::baton, workers);
    }

    private static Contestant baton(
            Home home, Function<Stage, String> store, BiFunction<Baton, List<String>, Worker> workers) {
        return new Contestant("Baton", "Baton", home, opener(store, workers), DEFAULTS);
    }

    private static Opener opener(Function<Stage, String> store, BiFunction<Baton, List<String>, Worker> workers) {
        return stage -> {
            Baton baton = Baton.connect(store.apply(stage));
            return Mutex.workers(names -> workers.apply(baton, names), baton::close);
        };
    }

    private static Client fairLocks() {
        Map<String, Lock> locks = new ConcurrentHashMap<>();
        return Mutex.client(name -> Mutex.of(locks.computeIfAbsent(name, any -> new ReentrantLock(true))), () -> {});
    }
}
