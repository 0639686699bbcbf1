package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Locks on a majority of several Redis servers, which are asked one after the other. Thread-safe. */
final class MajorityLocker extends LeaseLocker {
    private static final int LONGEST_PAUSE_MICROS = 8_000;

    private final MajorityDesign design;
    private final List<Redis> members;
    private final int client;
    private final AtomicLong attempts = new AtomicLong();

    MajorityLocker(MajorityDesign design, List<String> addresses, Duration lease, int client) {
        super(lease);
        this.design = design;
        this.members = addresses.stream().map(Redis::new).toList();
        this.client = client;
    }

    @Override
    Optional<HeldLease> take(Wanted wanted, Duration wait) throws InterruptedException {
        String name = wanted.name();
        long attempt = attempts.incrementAndGet();
        // Requests that take each other's majority try again at different times.
        SplittableRandom random = new SplittableRandom(client * 1_000_003L + attempt);
        long began = HostTime.nanos();
        do {
            Ask ask = new Ask(name, Owner.ATTEMPT.of(client, attempt), lease());
            long sent = HostTime.nanos();
            boolean taken = isMajority(member -> design.members().take(member, ask));
            long token = taken ? design.tokens().draw(members, ask) : MajorityTokens.UNKNOWN;
            if (token != MajorityTokens.UNKNOWN) {
                long until = design.belief().until(sent, HostTime.nanos(), lease());
                return Optional.of(lease(ask, token, until)).filter(LeaseLocker::isWorthIt);
            }
            isMajority(member -> Release.COMPARED.free(member, ask));
            HostTime.sleep(Duration.ofNanos(random.nextInt(LONGEST_PAUSE_MICROS) * 1_000L));
        } while (HostTime.since(began).compareTo(wait) < 0);
        return Optional.empty();
    }

    private HeldLease lease(Ask ask, long token, long until) {
        return new HeldLease(
                new HeldLease.Upkeep() {
                    @Override
                    public boolean prolong() {
                        return isMajority(member -> Renewal.COMPARED.prolong(member, ask));
                    }

                    @Override
                    public boolean free() {
                        return isMajority(member -> Release.COMPARED.free(member, ask));
                    }
                },
                new HeldLease.Manners(design.belief(), Notice.REFUSED_WHILE_HELD, Errors.DOCUMENTED, lease()),
                token,
                until);
    }

    private boolean isMajority(Predicate<Redis> step) {
        return Majority.agrees(members, step);
    }

    @Override
    public void close() {
        super.close();
        members.forEach(Redis::close);
    }
}
