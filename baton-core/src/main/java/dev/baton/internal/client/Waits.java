package dev.baton.internal.client;

import dev.baton.BatonEvent;
import dev.baton.BatonOptions;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.Releasing;
import dev.baton.internal.engine.Waiter;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks a client's engine for grants, waits for them, and checks that they still stand. Thread-safe. */
final class Waits {
    /**
     * 1 s, or a fifth of the command's time limit if that is longer: how long an interruptible caller waits for an
     * answer on its own thread, without reacting to interrupts. After that another thread asks for it.
     */
    private static final long HEAR_INTERRUPT_NANOS = 1_000_000_000;

    /** For callers without a deadline. */
    static final long FOREVER = Long.MAX_VALUE;

    private final Engine engine;
    private final ClientThreads threads;
    private final Clock clock;
    private final BatonOptions options;
    private final Supplier<String> namespaceId;
    private final Description description;
    private final Notes notes;

    Waits(
            Engine engine,
            ClientThreads threads,
            Clock clock,
            BatonOptions options,
            Supplier<String> namespaceId,
            Notes notes) {
        this.engine = engine;
        this.threads = threads;
        this.clock = clock;
        this.options = options;
        this.namespaceId = namespaceId;
        this.description = new Description(options.applicationName());
        this.notes = notes;
    }

    Engine engine() {
        return engine;
    }

    /** Returns the identity of the client's namespace, as its store has it now. */
    String namespaceId() {
        return namespaceId.get();
    }

    boolean isOfNamespaceOf(Waits other) {
        return this == other || namespaceId().equals(other.namespaceId());
    }

    Notes notes() {
        return notes;
    }

    Description description() {
        return description;
    }

    ClientThreads threads() {
        return threads;
    }

    Clock clock() {
        return clock;
    }

    /** Returns the caller's stack, for the reports that need it; null if not traced. */
    @Nullable
    Throwable trace() {
        return options.traceAcquisitions() ? new Trace(Thread.currentThread().getName()) : null;
    }

    boolean releasesInBackground() {
        return options.releaseInBackground();
    }

    long storeTimeoutNanos() {
        return options.storeTimeout().toNanos();
    }

    /**
     * Waits on this thread, which performs the first command itself.
     *
     * @param waitNanos the longest wait; {@link #FOREVER} to let the engine decide
     * @param interruptible whether an interrupt ends the wait; otherwise the flag is kept
     */
    Waiter.Outcome await(Resource id, Waiter waiter, long waitNanos, boolean interruptible)
            throws InterruptedException {
        if (interruptible && Thread.interrupted()) {
            throw new InterruptedException();
        }
        long start = clock.nanos();
        Outbox out = new Outbox();
        waiter.waitsFor(waitNanos);
        engine.acquire(id, waiter, out);
        Command own = out.flushButFirst(threads);
        if (own != null) {
            long time = own.timeoutNanos();
            long heard = interruptible ? Math.max(HEAR_INTERRUPT_NANOS, time / 5) : time;
            threads.perform(own, Math.min(Math.min(time, heard), waitNanos));
        }
        boolean interrupted = park(waiter, start, waitNanos, interruptible);
        Waiter.Outcome outcome = waiter.outcome();
        if (outcome == null) {
            boolean cancelled = interrupted && interruptible;
            outcome = giveUp(waiter, cancelled ? BatonEvent.Reason.CANCELLED : BatonEvent.Reason.TIMED_OUT);
        }
        if (interrupted) {
            if (interruptible && !(outcome instanceof Waiter.Got)) {
                throw new InterruptedException();
            }
            Thread.currentThread().interrupt();
        }
        return outcome;
    }

    /** Parks until there is an outcome, the time is over or an interrupt ends the wait; true if interrupted. */
    private boolean park(Waiter waiter, long start, long waitNanos, boolean interruptible) {
        boolean interrupted = false;
        while (waiter.outcome() == null) {
            interrupted |= Thread.interrupted();
            if (interrupted && interruptible) {
                return true;
            }
            if (waitNanos == FOREVER) {
                LockSupport.park(waiter);
                continue;
            }
            long left = waitNanos - (clock.nanos() - start);
            if (left <= 0) {
                return interrupted;
            }
            LockSupport.parkNanos(waiter, threads.realNanos(left));
        }
        return interrupted;
    }

    /**
     * Returns how long a grant is certainly held; 0 if it is not. If only the wall clock says that it is over, has the
     * store asked.
     */
    long remainingNanos(Grant grant) {
        long left = grant.remainingNanos();
        if (left == 0 && grant.isUncertain()) {
            Outbox out = new Outbox();
            engine.confirmSoon(grant, out);
            out.flush(threads);
        }
        return left;
    }

    /**
     * Returns whether a grant is held now that its caller gets it: the thread may be late, and the machine may have
     * slept. If only the wall clock says that it is over, asks the store.
     */
    boolean stands(Grant grant) {
        return grant.isHeld() || isConfirmed(grant);
    }

    /** Asks the store, on this thread, about a grant whose two clocks disagree. */
    boolean isConfirmed(Grant grant) {
        if (!grant.isUncertain()) {
            return false;
        }
        Outbox out = new Outbox();
        Command question = engine.confirmation(grant, out);
        out.flush(threads);
        StoreFailure unanswered = threads.perform(question, question.timeoutNanos());
        return unanswered == null && grant.isHeld();
    }

    /** Releases at the store, on this thread, a grant that is over before its caller could use it: nothing is kept. */
    void discardUnused(Grant grant) {
        discard(grant, Releasing.ofUnused());
    }

    /** Releases at the store, on this thread, a grant that was used and is over, because its caller asks again. */
    void discardUsed(Grant grant) {
        discard(grant, new Releasing(null));
    }

    private void discard(Grant grant, Releasing releasing) {
        Outbox out = new Outbox();
        engine.release(grant, releasing, out);
        Command own = out.flushButFirst(threads);
        if (own != null) {
            StoreFailure unusedFailure = threads.perform(own, own.timeoutNanos());
        }
    }

    private Waiter.Outcome giveUp(Waiter waiter, BatonEvent.Reason reason) {
        withdraw(waiter, reason);
        Waiter.Outcome outcome = waiter.outcome();
        if (outcome == null) {
            throw new IllegalStateException("a caller that gave up has no outcome");
        }
        return outcome;
    }

    void withdraw(Waiter waiter, BatonEvent.Reason reason) {
        Outbox out = new Outbox();
        engine.giveUp(waiter, reason, out);
        out.flush(threads);
    }

    /** Begins a wait without a thread. */
    void begin(Resource id, Waiter waiter) {
        Outbox out = new Outbox();
        engine.acquire(id, waiter, out);
        out.flush(threads);
    }
}
