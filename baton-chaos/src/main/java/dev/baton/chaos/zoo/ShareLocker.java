package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.UnansweredException;
import dev.baton.chaos.lock.Wanted;
import dev.baton.tck.history.Portion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.exceptions.JedisException;

/** Locks on one Redis that several may hold at once, or several of at once. Thread-safe. */
final class ShareLocker extends LeaseLocker {
    private static final Duration POLL = Duration.ofMillis(2);

    private final Redis redis;
    private final ShareDesign design;
    private final int client;
    private final AtomicLong attempts = new AtomicLong();

    ShareLocker(ShareDesign design, String uri, Duration lease, int client) {
        super(lease);
        this.redis = new Redis(uri);
        this.design = design;
        this.client = client;
    }

    @Override
    Optional<HeldLease> take(Wanted wanted, Duration wait) throws InterruptedException {
        long began = HostTime.nanos();
        boolean over = false;
        try {
            while (!over) {
                over = HostTime.since(began).compareTo(wait) >= 0;
                Optional<HeldLease> taken = attempt(wanted, over);
                if (taken.isPresent()) {
                    return taken.filter(LeaseLocker::isWorthIt);
                }
                HostTime.sleep(POLL);
            }
            return Optional.empty();
        } catch (JedisException failed) {
            throw new UnansweredException(failed);
        }
    }

    /** Takes all names in their order, or none. */
    private Optional<HeldLease> attempt(Wanted wanted, boolean isLast) {
        long sent = HostTime.nanos();
        String owner = client + ":" + attempts.incrementAndGet();
        List<Claim> taken = new ArrayList<>();
        for (String name : wanted.names().stream().sorted().toList()) {
            Claim claim = new Claim(name, owner, lease(), wanted.portion());
            if (!design.entry().enter(redis, claim)) {
                fail(taken, isLast, sent);
                return Optional.empty();
            }
            taken.add(claim);
        }
        return Optional.of(held(taken, sent));
    }

    private void fail(List<Claim> taken, boolean isLast, long sent) {
        if (isLast && !taken.isEmpty() && design.failing() == Failing.KEEPS) {
            // As if it was forgotten: only the end of the client ends it.
            Future<?> unused = watch(held(taken, sent));
        } else {
            taken.forEach(claim -> design.giving().free(redis, claim));
        }
    }

    private HeldLease held(List<Claim> claims, long sent) {
        return new HeldLease(
                new HeldLease.Upkeep() {
                    @Override
                    public boolean prolong() {
                        return claims.stream().allMatch(claim -> claim.prolong(redis));
                    }

                    @Override
                    public boolean free() {
                        return claims.stream()
                                        .filter(claim -> design.giving().free(redis, claim))
                                        .count()
                                == claims.size();
                    }
                },
                new HeldLease.Manners(Belief.FROM_REQUEST, Notice.REFUSED_WHILE_HELD, Errors.DOCUMENTED, lease()),
                -1,
                Belief.FROM_REQUEST.until(sent, HostTime.nanos(), lease()));
    }

    /** Who wants to write, reads before. */
    @Override
    public boolean tryOnce(Wanted wanted, Duration wait) throws Exception {
        if (!wanted.portion().equals(Portion.writer(false))) {
            return super.tryOnce(wanted, wait);
        }
        Optional<HeldLease> reader = take(new Wanted(wanted.names(), Portion.reader()), wait);
        if (reader.isEmpty()) {
            return false;
        }
        if (design.upgrade() == Upgrade.AFTER_READING) {
            reader.get().release();
            return super.tryOnce(wanted, wait);
        }
        Future<?> watchdog = watch(reader.get());
        boolean granted = super.tryOnce(wanted, wait);
        watchdog.cancel(false);
        reader.get().release();
        return granted;
    }

    @Override
    public void close() {
        super.close();
        redis.close();
    }
}
