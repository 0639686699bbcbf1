package dev.baton.chaos.client;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.chaos.lock.Locker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Baton's locks, asked for in every way that its API has. */
final class BatonLocker implements Locker {
    private static final List<Way> WAYS = List.of(Way.values());

    private final Baton baton;
    private final Duration leaseTime;

    BatonLocker(String uri, Duration leaseTime) {
        this.leaseTime = leaseTime;
        this.baton = Baton.connect(
                uri,
                BatonOptions.builder()
                        .namespace(ClientSettings.NAMESPACE)
                        .leaseTime(leaseTime)
                        .grace(ClientSettings.GRACE)
                        .storeTimeout(Duration.ofSeconds(4))
                        .commandTimeout(Duration.ofSeconds(1))
                        .connectTimeout(Duration.ofSeconds(20))
                        .closeOnShutdown(false)
                        .build());
    }

    @Override
    public Outcome use(String name, Duration wait, SplittableRandom random, Section section) throws Exception {
        Way way = WAYS.get(random.nextInt(WAYS.size()));
        return way.use(new Way.Ask(baton, name, wait, leaseTime, random), section);
    }

    @Override
    public boolean tryOnce(String name, Duration wait) throws Exception {
        Optional<Lease> lease = baton.lock(name).tryAcquire(wait);
        lease.ifPresent(Lease::close);
        return lease.isPresent();
    }

    @Override
    public void close() {
        baton.close();
    }
}
