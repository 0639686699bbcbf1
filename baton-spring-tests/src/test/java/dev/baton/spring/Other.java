package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Another process, as far as the store can tell: a client of its own. */
final class Other implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(20);

    private final Baton client;

    Other(String uri) {
        // A busy machine takes its time for the classes of a database.
        client = Baton.connect(
                uri, BatonOptions.builder().connectTimeout(LONG).build());
    }

    /** It is refused at the store now. */
    void expectRefused(String name) {
        assertThat(client.lock(name).tryAcquire()).as("another client has \"%s\"", name).isEmpty();
    }

    /** It gets the lock at once: a lease that was not released would last for 30 s, and longer where it is renewed. */
    void expectGranted(String name) throws InterruptedException {
        Optional<Lease> lease = client.lock(name).tryAcquire(Duration.ofSeconds(10));
        assertThat(lease).as("\"%s\" is free", name).isPresent();
        lease.get().close();
    }

    Lease take(String name) throws InterruptedException {
        return client.lock(name).tryAcquire(LONG).orElseThrow(() -> new AssertionError("not free: " + client.lock(name)
                .inspect()));
    }

    /** Ends the hold of another. */
    void force(String name) {
        assertThat(client.admin().forceReleaseNow(name)).isPresent();
    }

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(5);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
