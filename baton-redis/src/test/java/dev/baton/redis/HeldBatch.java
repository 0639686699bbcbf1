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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Many locks that one client holds, and the heartbeats by which they stay held. */
final class HeldBatch {
    /** Long enough for no stall of this machine to end a hold. */
    private static final Duration LEASE_TIME = Duration.ofSeconds(6);

    private static final Duration PERIOD = LEASE_TIME.dividedBy(3);
    private static final int TOGETHER = 500;

    private final List<Lease> leases = new ArrayList<>();
    private Duration took = Duration.ZERO;

    private HeldBatch() {}

    static BatonOptions options() {
        return BatonOptions.builder()
                .namespace(StoreFixture.NAMESPACE)
                .leaseTime(LEASE_TIME)
                .build();
    }

    /**
     * Takes {@code count} locks, with a client that has these {@link #options}: many together, because those that are taken
     * at other times are renewed at other times.
     */
    static HeldBatch of(Baton client, int count) throws Exception {
        HeldBatch batch = new HeldBatch();
        long start = System.nanoTime();
        for (int from = 0; from < count; from += TOGETHER) {
            batch.take(client, from, Math.min(count, from + TOGETHER));
        }
        batch.took = since(start);
        return batch;
    }

    /** Returns into how many groups heartbeats may fall: those go together that are due within a quarter of a period. */
    long groups() {
        return took.dividedBy(PERIOD.dividedBy(4)) + 1;
    }

    private void take(Baton client, int from, int to) throws Exception {
        List<CompletableFuture<Lease>> asked = IntStream.range(from, to)
                .mapToObj(i -> client.lock("held " + i).acquireAsync())
                .toList();
        for (CompletableFuture<Lease> each : asked) {
            leases.add(each.get(Clients.PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /**
     * Returns when so many periods of heartbeats are over, in which all locks stayed held.
     *
     * @return in how many periods heartbeats may have been sent: one more, since the time may begin just before a renewal
     */
    long keepFor(int periods) throws Exception {
        long start = System.nanoTime();
        throughout(
                PERIOD.multipliedBy(periods), "all held", () -> leases.stream().allMatch(Lease::isHeld));
        return since(start).dividedBy(PERIOD) + 1;
    }
}
