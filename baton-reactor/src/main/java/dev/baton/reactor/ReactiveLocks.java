package dev.baton.reactor;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import java.time.Duration;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Locks for {@link Mono} and {@link Flux}. Nothing happens before the subscription; each subscription acquires the lock anew. No
 * thread waits for a lock. The signals come on the callback executor, or on a thread of the client if none is set.
 *
 * <pre>{@code
 * Mono<Receipt> receipt = ReactiveLocks.withLock(lock, lease -> sell(article));
 * }</pre>
 *
 * <p>All methods take any {@link DistributedLock}: a side of a read-write lock and permits of a semaphore, too. They are
 * thread-safe. The hooks of {@link dev.baton.LockOptions} are not called.
 *
 * @since 0.1
 */
public final class ReactiveLocks {
    private ReactiveLocks() {}

    /**
     * Acquires a lock. The subscriber releases the lease, as with {@link Lease#releaseAsync}. Prefer {@link #withLock}, which
     * releases it in every case: an operator between this one and the subscriber, such as {@code publishOn}, drops a lease that
     * comes while the subscriber cancels. The client renews such a lease until it is garbage-collected.
     *
     * @param lock the lock
     * @return emits the lease, which is held, or an error as {@link DistributedLock#acquireAsync} says. Its cancellation
     *     withdraws the request
     */
    public static Mono<Lease> acquire(DistributedLock lock) {
        return leases(new Attempt.Request(lock, null));
    }

    /**
     * Acquires a lock, and waits no longer than the given time.
     *
     * @param lock the lock
     * @param wait the longest time to wait; zero acquires it only if it is free now
     * @return as {@link #acquire}; empty if another held the lock until the time ended
     * @throws IllegalArgumentException if the duration is negative
     */
    public static Mono<Lease> tryAcquire(DistributedLock lock, Duration wait) {
        requireNotNegative(wait);
        return leases(new Attempt.Request(lock, wait));
    }

    /** The lease may come when the subscriber has gone: then it is released, because nothing else would. */
    private static Mono<Lease> leases(Attempt.Request request) {
        return Mono.<Lease>create(sink -> {
                    Attempt attempt = request.begin();
                    sink.onCancel(() -> attempt.release().subscribe());
                    attempt.tell(sink);
                })
                .doOnDiscard(Lease.class, lease -> {
                    Object unused = lease.releaseAsync();
                });
    }

    /**
     * Acquires a lock for each subscription, and holds it until the work has terminated or was cancelled.
     *
     * @param lock the lock
     * @param work receives the lease, and returns the work that is subscribed to under the lock
     * @return emits the value of the work after the release. It fails with the work's error, with one of
     *     {@link #acquire}, or with {@link LeaseLostException} if the lease was lost, which cancels the work
     */
    public static <T> Mono<T> withLock(DistributedLock lock, Function<? super Lease, ? extends Mono<T>> work) {
        return one(new Attempt.Request(lock, null), work, Mono.empty());
    }

    /**
     * Does the same, but waits no longer than the given time.
     *
     * @param lock the lock
     * @param wait the longest time to wait; zero runs the work only if the lock is free now
     * @param work as for {@link #withLock}
     * @param otherwise is subscribed to, without the lock, if another held it until the time ended
     * @return as {@link #withLock}
     * @throws IllegalArgumentException if the duration is negative
     */
    public static <T> Mono<T> tryWithLock(
            DistributedLock lock, Duration wait, Function<? super Lease, ? extends Mono<T>> work, Mono<T> otherwise) {
        requireNotNegative(wait);
        return one(new Attempt.Request(lock, wait), work, otherwise);
    }

    private static <T> Mono<T> one(
            Attempt.Request request, Function<? super Lease, ? extends Mono<T>> work, Mono<T> otherwise) {
        return Mono.usingWhen(
                Mono.fromSupplier(request::begin),
                attempt -> attempt.lease()
                        .map(lease -> Mono.from(work.apply(lease))
                                .takeUntilOther(Attempt.loss(lease))
                                .flatMap(value -> Attempt.end(lease).thenReturn(value))
                                .switchIfEmpty(Attempt.end(lease)))
                        .defaultIfEmpty(otherwise)
                        .flatMap(Function.identity()),
                Attempt::release,
                (attempt, thrown) -> attempt.release(),
                Attempt::release);
    }

    /**
     * Acquires a lock for each subscription, and holds it until the work has terminated or was cancelled.
     *
     * @param lock the lock
     * @param work receives the lease, and returns the work that is subscribed to under the lock
     * @return emits the values of the work as they come, and completes after the release. It fails as {@link #withLock} does
     */
    public static <T> Flux<T> withLockMany(DistributedLock lock, Function<? super Lease, ? extends Publisher<T>> work) {
        Attempt.Request request = new Attempt.Request(lock, null);
        return Flux.usingWhen(
                Mono.fromSupplier(request::begin),
                attempt -> attempt.lease()
                        .flatMapMany(lease -> Flux.from(work.apply(lease))
                                .takeUntilOther(Attempt.loss(lease))
                                .concatWith(Attempt.end(lease))),
                Attempt::release,
                (attempt, thrown) -> attempt.release(),
                Attempt::release);
    }

    private static void requireNotNegative(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("the wait must not be negative, but is " + wait);
        }
    }
}
