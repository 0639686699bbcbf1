package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.exceptions.JedisException;

/** Locks on the Redis that sentinels name as the primary. Thread-safe. */
final class FailoverLocker extends LeaseLocker {
    private static final Duration POLL = Duration.ofMillis(20);

    /** The next heartbeat ends a belief that is wrong: it lasts for a part of a second, in stays of several. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private final FailoverDesign design;
    private final Graced lock;
    private final Primary primary;
    private final PushBox pushes;
    private final int client;
    private final AtomicLong attempts = new AtomicLong();

    FailoverLocker(FailoverDesign design, String uri, Duration lease, int client) {
        super(lease);
        this.design = design;
        this.lock = new Graced(design);
        this.primary = new Primary(uri);
        // A server that becomes a replica does not end this connection: it stays until that server is gone.
        this.pushes = new PushBox(primary::present, (name, owner) -> owner);
        this.client = client;
        pushes.listen(client);
    }

    @Override
    Optional<HeldLease> take(Wanted wanted, Duration wait) throws InterruptedException {
        String name = wanted.name();
        Ask ask = new Ask(name, Owner.ATTEMPT.of(client, attempts.incrementAndGet()), lease());
        try {
            Optional<HeldLease> taken = poll(ask, wait);
            if (taken.isEmpty()) {
                primary.at(server -> lock.end(server, ask));
            }
            return taken;
        } catch (JedisException failed) {
            throw Errors.DOCUMENTED.of(failed);
        }
    }

    private Optional<HeldLease> poll(Ask ask, Duration wait) throws InterruptedException {
        long began = HostTime.nanos();
        do {
            long sent = HostTime.nanos();
            long token = primary.at(server -> lock.enter(server, ask));
            if (token > 0) {
                return Optional.of(held(ask, token, sent)).filter(LeaseLocker::isWorthIt);
            }
            Optional<HeldLease> pushed = await(ask, wait.minus(HostTime.since(began)));
            if (pushed.isPresent()) {
                return pushed.filter(LeaseLocker::isWorthIt);
            }
        } while (HostTime.since(began).compareTo(wait) < 0);
        return Optional.empty();
    }

    private Optional<HeldLease> await(Ask ask, Duration rest) throws InterruptedException {
        long sent = HostTime.nanos();
        long sentMicros = primary.at(Redis::micros);
        Optional<PushBox.Push> push = pushes.await(ask.owner(), rest.compareTo(POLL) < 0 ? rest : POLL);
        if (push.isEmpty()) {
            return Optional.empty();
        }
        // The token of a grant is its time.
        long token = push.get().micros();
        return switch (design.pushes()) {
            case BELIEVED -> Optional.of(held(ask, token, sent + (token - sentMicros) * 1_000));
            case ASKED_ABOUT -> confirmed(ask, token);
        };
    }

    private Optional<HeldLease> confirmed(Ask ask, long token) {
        long sent = HostTime.nanos();
        boolean mine = primary.at(server -> lock.prolong(server, ask, token));
        return mine ? Optional.of(held(ask, token, sent)) : Optional.empty();
    }

    private HeldLease held(Ask ask, long token, long sent) {
        Belief belief = Belief.FROM_REQUEST;
        return new HeldLease(
                new HeldLease.Upkeep() {
                    @Override
                    public boolean prolong() {
                        return primary.at(server -> lock.prolong(server, ask, token));
                    }

                    @Override
                    public boolean free() {
                        return primary.at(server -> lock.end(server, ask));
                    }
                },
                new HeldLease.Manners(belief, Notice.REFUSED_WHILE_HELD, Errors.DOCUMENTED, lease(), LOOK),
                token,
                belief.until(sent, HostTime.nanos(), lease()));
    }

    /** Returns what locks have left behind. */
    static List<String> rest(String uri) {
        try (Primary primary = new Primary(uri)) {
            return Redis.rest(primary.address());
        }
    }

    @Override
    public void close() {
        super.close();
        pushes.close();
        primary.close();
    }
}
