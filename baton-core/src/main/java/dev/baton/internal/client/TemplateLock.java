package dev.baton.internal.client;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The blocking methods of a lock, and its templates on the calling thread, by the two ways in which it is acquired. */
abstract class TemplateLock implements DistributedLock {
    /** Waits for it. */
    abstract OwnedLease acquireInterruptibly() throws InterruptedException;

    /** Waits for it no longer than the given time; null if it is busy. */
    abstract @Nullable OwnedLease tryFor(Duration wait) throws InterruptedException;

    abstract LockOptions options();

    @Override
    public final Lease acquire() throws InterruptedException {
        return acquireInterruptibly();
    }

    @Override
    public final Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return Optional.ofNullable(tryFor(wait));
    }

    @Override
    public final <X extends Throwable> void run(LeaseAction<X> action) throws X, InterruptedException {
        call(Template.nothing(action));
    }

    @Override
    public final <T extends @Nullable Object, X extends Throwable> T call(LeaseFunction<T, X> action)
            throws X, InterruptedException {
        return under(acquireInterruptibly(), action);
    }

    @Override
    public final <X extends Throwable> boolean tryRun(Duration wait, LeaseAction<X> action)
            throws X, InterruptedException {
        OwnedLease lease = tryFor(wait);
        if (lease != null) {
            under(lease, Template.nothing(action));
        }
        return lease != null;
    }

    @Override
    public final <T, X extends Throwable> Optional<T> tryCall(Duration wait, LeaseFunction<T, X> action)
            throws X, InterruptedException {
        OwnedLease lease = tryFor(wait);
        return lease == null ? Optional.empty() : Optional.of(Template.required(under(lease, action)));
    }

    private <T extends @Nullable Object, X extends Throwable> T under(OwnedLease lease, LeaseFunction<T, X> action)
            throws X {
        return new Template(options(), lease).run(action);
    }
}
