package dev.baton.redis;

import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.throughout;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.tck.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many locks that one client holds, and the heartbeats by which they stay held. */
final class HeldBatch {
    /** Long enough for no stall of this machine to end a hold. */
    private static final Duration LEASE_TIME = Duration.ofSeconds(6);

    private final List<Lease> leases = new ArrayList<>();

    private HeldBatch() {}

    static BatonOptions options() {
        return BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(LEASE_TIME)
                .build();
    }

    /** Takes {@code count} locks, with a client that has these {@link #options}. */
    static HeldBatch of(Baton client, int count) throws InterruptedException {
        HeldBatch batch = new HeldBatch();
        for (int i = 0; i < count; i++) {
            batch.leases.add(client.lock("held " + i).acquire());
        }
        return batch;
    }

    /**
     * Returns when so many periods of heartbeats are over, in which all locks stayed held.
     *
     * @return in how many periods heartbeats may have been sent: one more, since the time may begin just before a renewal
     */
    long keepFor(int periods) throws Exception {
        Duration period = LEASE_TIME.dividedBy(3);
        long start = System.nanoTime();
        throughout(
                period.multipliedBy(periods), "all held", () -> leases.stream().allMatch(Lease::isHeld));
        return since(start).dividedBy(period) + 1;
    }
}
