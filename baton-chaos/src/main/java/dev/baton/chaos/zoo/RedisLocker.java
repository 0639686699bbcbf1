package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Locker;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.exceptions.JedisException;

/** Locks on Redis that follow a protocol. Thread-safe. */
final class RedisLocker implements Locker {
    /** How often a watchdog renews in the time of a lease. */
    static final int HEARTBEATS = 3;

    private static final Duration POLL = Duration.ofMillis(1);
    private static final int WATCHDOGS = 4;

    private final Redis redis;
    private final Protocol protocol;
    private final Duration lease;
    private final int client;
    private final AtomicLong attempts = new AtomicLong();
    private final ScheduledExecutorService watchdogs = Executors.newScheduledThreadPool(WATCHDOGS, work -> {
        Thread thread = new Thread(work, "watchdog");
        thread.setDaemon(true);
        return thread;
    });

    RedisLocker(Protocol protocol, String uri, Duration lease, int client) {
        this.redis = new Redis(uri);
        this.protocol = protocol;
        this.lease = lease;
        this.client = client;
    }

    @Override
    public Outcome use(String name, Duration wait, SplittableRandom random, Section section) throws Exception {
        Optional<RedisLease> taken = take(name, wait);
        return taken.isPresent() ? hold(taken.get(), section) : Outcome.REFUSED;
    }

    private Outcome hold(RedisLease taken, Section section) throws InterruptedException {
        long period = lease.toMillis() / HEARTBEATS;
        Future<?> watchdog = watchdogs.scheduleWithFixedDelay(taken::renew, period, period, TimeUnit.MILLISECONDS);
        try {
            section.run(taken);
        } catch (Throwable failed) {
            watchdog.cancel(false);
            taken.release();
            throw failed;
        }
        watchdog.cancel(false);
        return taken.release();
    }

    @Override
    public boolean tryOnce(String name, Duration wait) throws Exception {
        Optional<RedisLease> taken = take(name, wait);
        taken.ifPresent(RedisLease::release);
        return taken.isPresent();
    }

    private Optional<RedisLease> take(String name, Duration wait) throws InterruptedException {
        Ask ask = new Ask(name, protocol.owner().of(client, attempts.incrementAndGet()), lease);
        try {
            long drawnBefore = protocol.tokens().before(redis, ask);
            protocol.waiters().begin(redis, ask);
            Optional<RedisLease> taken = poll(ask, wait, drawnBefore);
            protocol.waiters().end(redis, ask);
            return taken;
        } catch (JedisException failed) {
            throw protocol.errors().of(failed);
        }
    }

    private Optional<RedisLease> poll(Ask ask, Duration wait, long drawnBefore) throws InterruptedException {
        long began = HostTime.nanos();
        do {
            long sent = HostTime.nanos();
            if (protocol.acquire().take(redis, ask)) {
                return Optional.of(granted(ask, sent, drawnBefore)).filter(this::isWorthIt);
            }
            HostTime.sleep(POLL);
        } while (HostTime.since(began).compareTo(wait) < 0);
        return Optional.empty();
    }

    private RedisLease granted(Ask ask, long sent, long drawnBefore) {
        long until = protocol.belief().until(sent, HostTime.nanos(), lease);
        long token = protocol.tokens().underLock(redis, ask, drawnBefore);
        return new RedisLease(redis, protocol, ask, token, until);
    }

    /** A grant that came too late is given back: its token may be newer than the next holder's. */
    private boolean isWorthIt(RedisLease taken) {
        if (taken.isHeld()) {
            return true;
        }
        taken.release();
        return false;
    }

    @Override
    public void close() {
        watchdogs.shutdownNow();
        redis.close();
    }
}
