package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.exceptions.JedisException;

/** Locks on one Redis that follow a protocol. Thread-safe. */
final class RedisLocker extends LeaseLocker {
    private final Redis redis;
    private final Protocol protocol;
    private final int client;
    private final PushBox pushes;
    private final AtomicLong attempts = new AtomicLong();

    RedisLocker(Protocol protocol, String uri, Duration lease, int client) {
        super(lease);
        this.redis = new Redis(uri);
        this.protocol = protocol;
        this.client = client;
        this.pushes = new PushBox(() -> redis, protocol.handover()::addressee);
        protocol.handover().begin(pushes, client);
    }

    @Override
    Optional<HeldLease> take(Wanted wanted, Duration wait) throws InterruptedException {
        String name = wanted.name();
        Ask ask = new Ask(name, protocol.owner().of(client, attempts.incrementAndGet()), lease());
        try {
            long drawnBefore = protocol.tokens().before(redis, ask);
            protocol.waiters().begin(redis, ask);
            Optional<HeldLease> taken = poll(ask, wait, drawnBefore);
            if (taken.isEmpty()) {
                protocol.waiters().giveUp(redis, ask);
            }
            protocol.waiters().end(redis, ask);
            return taken;
        } catch (JedisException failed) {
            throw protocol.errors().of(failed);
        }
    }

    private Optional<HeldLease> poll(Ask ask, Duration wait, long drawnBefore) throws InterruptedException {
        long began = HostTime.nanos();
        do {
            long sent = HostTime.nanos();
            if (protocol.acquire().take(redis, ask)) {
                return Optional.of(granted(ask, sent, drawnBefore)).filter(LeaseLocker::isWorthIt);
            }
            Optional<Long> pushed = protocol.handover().await(redis, pushes, ask, wait.minus(HostTime.since(began)));
            if (pushed.isPresent()) {
                return Optional.of(granted(ask, pushed.get(), drawnBefore)).filter(LeaseLocker::isWorthIt);
            }
        } while (HostTime.since(began).compareTo(wait) < 0);
        return Optional.empty();
    }

    private HeldLease granted(Ask ask, long sent, long drawnBefore) {
        long until = protocol.belief().until(sent, HostTime.nanos(), lease());
        long token = protocol.tokens().underLock(redis, ask, drawnBefore);
        return new HeldLease(
                new HeldLease.Upkeep() {
                    @Override
                    public boolean prolong() {
                        return protocol.renewal().prolong(redis, ask);
                    }

                    @Override
                    public boolean free() {
                        return protocol.release().free(redis, ask);
                    }
                },
                new HeldLease.Manners(protocol.belief(), protocol.notice(), protocol.errors(), lease()),
                token,
                until);
    }

    @Override
    public void close() {
        super.close();
        pushes.close();
        redis.close();
    }
}
