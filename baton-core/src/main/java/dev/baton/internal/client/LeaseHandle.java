package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.internal.engine.StoreExceptions;
import dev.baton.spi.StoreFailure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The user's lease. The engine has no strong reference to it, so that an abandoned one is noticed. */
final class LeaseHandle implements OwnedLease, Notes.Holder {
    private final Grant grant;
    private final Waits waits;
    private final Engine engine;
    private final ClientThreads threads;

    /**
     * Kept here, with only a weak reference from the grant. Otherwise an action that refers to its lease would keep the
     * lease reachable, and an abandoned lease would be renewed for ever.
     */
    private final LossActions lossActions = new LossActions();

    private static final class LossActions {
        private final Queue<Consumer<LossCause>> actions = new ConcurrentLinkedQueue<>();

        void add(Consumer<LossCause> action) {
            actions.add(action);
        }

        /** Runs the next action; called once for each that was added. */
        void runNext(LossCause cause) {
            Consumer<LossCause> action = actions.poll();
            if (action != null) {
                action.accept(cause);
            }
        }
    }

    LeaseHandle(Grant grant, Waits waits) {
        this.grant = grant;
        this.waits = waits;
        this.engine = waits.engine();
        this.threads = waits.threads();
    }

    @Override
    public Grant grant() {
        return grant;
    }

    /** Returns whether it is held; asks the store if only the wall clock says that it is over. */
    boolean stands() {
        return waits.stands(grant);
    }

    /** Begins to use it, once its caller has all that it asked for; returns whether it is held. */
    boolean begin(long atLeastNanos) {
        Outbox out = new Outbox();
        boolean open = engine.begin(grant, atLeastNanos, out);
        out.flush(threads);
        return open;
    }

    /** Lets a loss interrupt the thread that acquired it, from now on. */
    void interruptOnLoss() {
        Outbox out = new Outbox();
        engine.interruptOnLoss(grant, out);
        out.flush(threads);
    }

    /** Makes a reader of a writer, unless it has ended. */
    boolean becomeReader() {
        Outbox out = new Outbox();
        boolean held = engine.downgrade(grant, out);
        out.flush(threads);
        return held;
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
    public long token(String name) {
        if (!name.equals(name())) {
            throw new IllegalArgumentException('"' + name + "\" is not the name of this lease: " + name());
        }
        return token();
    }

    @Override
    public long tokenOf(Waits others, String name) {
        if (!isOf(others, name)) {
            throw new IllegalArgumentException("the lease of \"" + name() + "\" is not of this lock: \"" + name + '"');
        }
        return token();
    }

    /** Whether it was acquired by a lock of this name in the namespace of those waits. */
    boolean isOf(Waits others, String name) {
        return name.equals(name()) && others.isOfNamespaceOf(waits);
    }

    @Override
    public boolean isShared() {
        return grant.isShared();
    }

    @Override
    public boolean isHeld() {
        return waits.remainingNanos(grant) > 0;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(waits.remainingNanos(grant));
    }

    @Override
    public Optional<LossCause> loss() {
        Outbox out = new Outbox();
        Optional<LossCause> cause = Optional.ofNullable(engine.lossNow(grant, out));
        out.flush(threads);
        return cause;
    }

    @Override
    public void ensureHeld(Duration minRemaining) {
        if (minRemaining.isNegative()) {
            throw new IllegalArgumentException("minRemaining must not be negative, but is " + minRemaining);
        }
        long least = Checks.nanos(minRemaining);
        long remaining = grant.remainingNanos();
        if (remaining == 0 && grant.isUncertain() && waits.isConfirmed(grant)) {
            remaining = grant.remainingNanos();
        }
        if (remaining == 0 || remaining < least) {
            throw lost(null, null);
        }
    }

    @Override
    public boolean wasReleased() {
        return grant.isReleased() && grant.loss() == null;
    }

    @Override
    public boolean wasLost() {
        return grant.loss() != null;
    }

    @Override
    public LeaseLostException lost(@Nullable Object result, @Nullable Throwable failure) {
        LossCause cause = grant.loss();
        String why = cause != null
                ? "was lost: " + cause
                : grant.isReleased()
                        ? "was released"
                        : "lasts only another " + remaining().toMillis() + " ms";
        return Exceptions.get()
                .leaseLost(
                        "the lease of \"" + name() + "\" (token " + token() + ") " + why,
                        cause == null ? LossCause.EXPIRED : cause,
                        result,
                        failure);
    }

    private @Nullable Command ask(Duration atLeast) {
        Outbox out = new Outbox();
        Command command = engine.extend(grant, atLeast.toNanos(), out);
        out.flush(threads);
        return command;
    }

    private static void requireExtension(Duration atLeast) {
        if (atLeast.isNegative() || atLeast.isZero()) {
            throw new IllegalArgumentException("atLeast must be positive, but is " + atLeast);
        }
        Checks.requireAtMostLongest(atLeast, "atLeast");
    }

    @Override
    public boolean extend(Duration atLeast) {
        requireExtension(atLeast);
        // What the store keeps counts from the sending, and a slow answer takes nothing from that.
        long end = grant.timeIn(atLeast.toNanos());
        Command command = ask(atLeast);
        if (command != null) {
            StoreFailure failure = threads.perform(command, command.timeoutNanos());
            if (failure != null) {
                throw StoreExceptions.of(
                        "whether the lease of \"" + name() + "\" was extended is unknown: " + failure.getMessage(),
                        failure);
            }
        }
        return grant.lastsUntil(end);
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration atLeast) {
        requireExtension(atLeast);
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        // The store may be slow, and so may the code that continues the future.
        threads.follow(() -> {
            try {
                boolean extended = extend(atLeast);
                threads.complete(() -> future.complete(extended));
            } catch (Throwable unknown) {
                threads.complete(() -> future.completeExceptionally(unknown));
            }
        });
        return future;
    }

    @Override
    public Lease onLost(Consumer<LossCause> action) {
        LossActions mine = lossActions;
        mine.add(action);
        WeakReference<LossActions> weak = new WeakReference<>(mine);
        Outbox out = new Outbox();
        engine.onLoss(
                grant,
                cause -> {
                    LossActions actions = weak.get();
                    if (actions != null) {
                        actions.runNext(cause);
                    }
                },
                out);
        out.flush(threads);
        return this;
    }

    @Override
    public Optional<byte[]> note() {
        return waits.notes().read(this);
    }

    @Override
    public void writeNote(byte[] note) {
        waits.notes().write(this, note);
    }

    @Override
    public void downgrade() {
        ensureHeld(Duration.ZERO);
        if (!grant.isWriter()) {
            throw new UnsupportedOperationException("only the writer of a read-write lock can become a reader, but \""
                    + name() + "\" is held otherwise");
        }
        if (!becomeReader()) {
            throw lost(null, null);
        }
    }

    @Override
    public ReleaseOutcome release() {
        return release(new Releasing(null));
    }

    /** Refuses a time that {@link #releaseAndKeep} refuses. */
    void requireKeepable(Duration keepFor) {
        long unused = Checks.keepNanos(grant, keepFor);
    }

    @Override
    public ReleaseOutcome releaseAndKeep(Duration keepFor) {
        return release(new Releasing(null, Checks.keepNanos(grant, keepFor)));
    }

    private ReleaseOutcome release(Releasing releasing) {
        Outbox out = new Outbox();
        ReleaseOutcome known = engine.release(grant, releasing, out);
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
    public void giveBack() {
        releaseBehind(Releasing.ofUnused());
    }

    /** Releases it on another thread. */
    private void releaseBehind(Releasing releasing) {
        Outbox out = new Outbox();
        ReleaseOutcome unused = engine.release(grant, releasing, out);
        out.flush(threads);
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> future = new CompletableFuture<>();
        Outbox out = new Outbox();
        ReleaseOutcome known = engine.release(grant, new Releasing(future), out);
        if (known != null) {
            future.complete(known);
        }
        out.flush(threads);
        return future;
    }

    @Override
    public void close() {
        Releasing releasing = new Releasing(null);
        if (waits.releasesInBackground()) {
            releaseBehind(releasing);
        } else {
            release(releasing);
        }
    }

    @Override
    public String toString() {
        return "Lease[" + name() + ", token " + token() + ", "
                + (isHeld() ? "held for " + remaining().toMillis() + " ms" : "not held") + ']';
    }
}
