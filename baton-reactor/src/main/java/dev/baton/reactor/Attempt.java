package dev.baton.reactor;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One subscription's request for a lock. It is there at once, and not only with the lease: Reactor may drop a lease that comes
 * while the subscriber cancels, and the client would renew it for ever. Thread-safe.
 */
final class Attempt {
    private final CompletableFuture<Optional<Lease>> lease;

    private Attempt(CompletableFuture<Optional<Lease>> lease) {
        this.lease = lease;
    }

    /**
     * A request that can be made for each subscription.
     *
     * @param lock to acquire
     * @param limit the longest time to wait; null for no limit
     */
    record Request(DistributedLock lock, @Nullable Duration limit) {
        Attempt begin() {
            return new Attempt(limit == null ? unlimited() : lock.tryAcquireAsync(limit));
        }

        /** A cancellation must reach the request itself, and not only a stage that depends on it. */
        private CompletableFuture<Optional<Lease>> unlimited() {
            CompletableFuture<Lease> request = lock.acquireAsync();
            CompletableFuture<Optional<Lease>> result = request.thenApply(Optional::of);
            Object unused = result.whenComplete((lease, thrown) -> {
                if (result.isCancelled() && !request.cancel(false)) {
                    // It was granted just now.
                    Object unusedEither = request.thenCompose(Lease::releaseAsync);
                }
            });
            return result;
        }
    }

    /** Hands the lease on. */
    void tell(MonoSink<Lease> sink) {
        Object unused = lease.whenComplete((brought, thrown) -> {
            if (thrown != null) {
                sink.error(thrown);
            } else if (brought.isPresent()) {
                sink.success(brought.get());
            } else {
                sink.success();
            }
        });
    }

    /** Returns the lease; empty if another holds the lock. */
    Mono<Lease> lease() {
        return Mono.fromFuture(lease, true).flatMap(Mono::justOrEmpty);
    }

    /** Completes when the lease is lost. An error would not do: takeUntilOther would leave the work running. */
    static Mono<Void> loss(Lease lease) {
        return Mono.create(sink -> {
            Object unused = lease.onLost(cause -> sink.success());
        });
    }

    /**
     * Releases the lease, and fails if it was lost before, also if only the store knew of that. Work that released the lease
     * itself has not lost it. This is not left to usingWhen, which would wrap the error of a release.
     */
    static <T> Mono<T> end(Lease lease) {
        return Mono.defer(() -> {
            boolean releasedBefore = !lease.isHeld() && lease.loss().isEmpty();
            return Mono.fromFuture(lease::releaseAsync).flatMap(outcome -> {
                boolean takenAway = outcome == ReleaseOutcome.EXPIRED || outcome == ReleaseOutcome.NOT_HELD;
                if (lease.loss().isPresent() || (takenAway && !releasedBefore)) {
                    lease.ensureHeld();
                }
                return Mono.empty();
            });
        });
    }

    /** Withdraws the request, or releases its lease. */
    Mono<Void> release() {
        lease.cancel(false);
        Lease held = brought();
        return held == null ? Mono.empty() : Mono.fromFuture(held::releaseAsync).then();
    }

    private @Nullable Lease brought() {
        return lease.isDone() && !lease.isCompletedExceptionally()
                ? lease.join().orElse(null)
                : null;
    }
}
