package consumer;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import java.time.Duration;

/** Connects to the store of each address, takes a lock, sees that another client does not get it, and releases it. */
public final class Consumer {
    /** Whether it works, and not how fast: the machine may be busy. */
    private static final BatonOptions PATIENT = BatonOptions.builder()
            .connectTimeout(Duration.ofSeconds(30))
            .commandTimeout(Duration.ofSeconds(15))
            .build();

    private Consumer() {}

    /**
     * Runs.
     *
     * @param addresses of stores
     * @throws InterruptedException if it is interrupted
     */
    public static void main(String[] addresses) throws InterruptedException {
        for (String address : addresses) {
            use(address);
        }
    }

    private static void use(String address) throws InterruptedException {
        try (Baton one = Baton.connect(address, PATIENT);
                Baton other = Baton.connect(address, PATIENT)) {
            DistributedLock lock = one.lock("consumer");
            Lease lease = lock.acquire();
            check(other.lock("consumer").tryAcquire().isEmpty(), "refused while it is held");
            lease.release();
            try (Lease next = other.lock("consumer").acquire()) {
                check(next.token() > lease.token(), "a token that grew");
            }
        }
        String where = Consumer.class.getModule().isNamed() ? "the module path" : "the class path";
        System.out.println("locked on " + where + ": " + address.replaceAll(":.*", ""));
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not " + what);
        }
    }
}
