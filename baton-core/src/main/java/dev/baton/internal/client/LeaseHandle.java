package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the user holds. Nothing of the engine refers to it strongly, so that an abandoned one is noticed. */
final class LeaseHandle implements Lease {
    private final Grant grant;
    private final ClientThreads threads;

    LeaseHandle(Grant grant, ClientThreads threads) {
        this.grant = grant;
        this.threads = threads;
    }

    Grant grant() {
        return grant;
    }

    @Override
    public String name() {
        return grant.name();
    }

    @Override
    public long token() {
        return grant.token();
    }

    @Override
    public boolean isHeld() {
        return grant.isHeld();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(grant.remainingNanos());
    }

    @Override
    public void ensureHeld(Duration minRemaining) {
        if (minRemaining.isNegative()) {
            throw new IllegalArgumentException("minRemaining must not be negative, but is " + minRemaining);
        }
        long remaining = grant.remainingNanos();
        if (remaining == 0 || remaining < minRemaining.toNanos()) {
            throw lost(null, null);
        }
    }

    /** The exception for a lease that is not, or not long enough, held. */
    LeaseLostException lost(@Nullable Object result, @Nullable Throwable failure) {
        LossCause cause = grant.loss();
        String why = cause != null
                ? "was lost: " + cause
                : grant.isReleased()
                        ? "was released"
                        : "lasts only another " + remaining().toMillis() + " ms";
        return new LeaseLostException(
                "the lease of \"" + name() + "\" (token " + token() + ") " + why,
                cause == null ? LossCause.EXPIRED : cause,
                result,
                failure);
    }

    @Override
    public boolean extend(Duration atLeast) {
        if (atLeast.isNegative() || atLeast.isZero()) {
            throw new IllegalArgumentException("atLeast must be positive, but is " + atLeast);
        }
        Command command = grant.extend(atLeast.toNanos());
        if (command != null) {
            StoreFailure failure = threads.perform(command, command.timeoutNanos());
            if (failure != null) {
                throw new StoreException(
                        "whether the lease of \"" + name() + "\" was extended is unknown: " + failure.getMessage(),
                        failure);
            }
        }
        return grant.isHeld();
    }

    @Override
    public Lease onLost(Consumer<LossCause> action) {
        Outbox out = new Outbox();
        grant.onLoss(action, out);
        out.flush(threads);
        return this;
    }

    @Override
    public ReleaseOutcome release() {
        Releasing releasing = new Releasing(null);
        Outbox out = new Outbox();
        ReleaseOutcome known = grant.release(releasing, out);
        if (known != null) {
            out.flush(threads);
            return known;
        }
        Command command = out.flushButFirst(threads);
        if (command != null) {
            threads.perform(command, command.timeoutNanos());
        }
        return releasing.outcome();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> future = new CompletableFuture<>();
        Outbox out = new Outbox();
        ReleaseOutcome known = grant.release(new Releasing(future), out);
        if (known != null) {
            threads.callback(() -> future.complete(known));
        }
        out.flush(threads);
        return future;
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "Lease[" + name() + ", token " + token() + ", "
                + (isHeld() ? "held for " + remaining().toMillis() + " ms" : "not held") + ']';
    }
}
