package dev.baton.internal.engine;

import dev.baton.LossCause;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import java.lang.ref.PhantomReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One caller's grant: its token, and whether the caller still has it. It ends once, by release or by loss. Both are
 * decided under the lock of its resource, by the {@link Engine}; any thread reads the result without the lock.
 */
public final class Grant {
    private final Resource resource;
    private final Hold hold;
    private final Clock clock;
    private final long token;
    private final long grantedNanos;
    private final @Nullable Thread thread;
    private final String description;
    private boolean interruptOnLoss;
    private final @Nullable Throwable takenAt;
    private final boolean limited;
    private final long lastNanos;
    private volatile long limitNanos;
    private volatile boolean released;
    private volatile @Nullable LossCause loss;
    private List<Consumer<LossCause>> lossActions = List.of();

    /** Its event for the Flight Recorder; null if none is recorded. */
    private final Flight.@Nullable Hold flight = Flight.holding();

    private boolean abandoned;

    /** Keeps the watch over the user's handle reachable for as long as the grant. */
    private @Nullable PhantomReference<?> watch;

    /**
     * Creates a grant.
     *
     * @param request the caller's terms
     * @param thread the thread to interrupt on loss; null for asynchronous callers
     * @param description who has it, as text for users
     * @param takenAt stack of the request; null if not traced
     */
    Grant(
            Resource resource,
            Hold hold,
            HoldRequest request,
            @Nullable Thread thread,
            String description,
            @Nullable Throwable takenAt,
            Clock clock,
            long nowNanos) {
        this.resource = resource;
        this.hold = hold;
        this.clock = clock;
        this.token = hold.nextToken();
        this.grantedNanos = nowNanos;
        this.thread = thread;
        this.description = description;
        this.interruptOnLoss = request.interruptOnLoss();
        this.takenAt = takenAt;
        this.limited = request.explicit() || request.maxHoldNanos() > 0;
        this.lastNanos = nowNanos + (request.maxHoldNanos() > 0 ? request.maxHoldNanos() : EngineSettings.FAR_NANOS);
        this.limitNanos = request.explicit() ? Math.min(nowNanos + request.leaseNanos(), lastNanos) : lastNanos;
    }

    /** Returns the public fencing token. */
    public long token() {
        return token;
    }

    /** Returns who has it, as text for users. */
    String description() {
        return description;
    }

    /** Returns the lock's name. */
    public String name() {
        return resource.name();
    }

    /** Returns how much of the resource's capacity its hold takes. */
    public int weight() {
        return hold.request.weight();
    }

    /** Returns the capacity of the resource. */
    public int capacity() {
        return resource.capacity();
    }

    /** Returns whether others may hold the same name at the same time, by its kind. */
    public boolean isShared() {
        return resource.isSharedAt(weight());
    }

    /** Returns whether it is the writer of a read-write lock. */
    public boolean isWriter() {
        return resource.kind() == Kind.READ_WRITE && !isShared();
    }

    /** Returns the stack of the request, or null if not traced. */
    public @Nullable Throwable takenAt() {
        return takenAt;
    }

    /** Returns whether it is certainly held now. */
    public boolean isHeld() {
        return remainingNanos() > 0;
    }

    /** Returns how long {@link #isHeld} stays true without another answer of the store; 0 if it is not held. */
    public long remainingNanos() {
        if (released || loss != null) {
            return 0;
        }
        long now = clock.nanos();
        long left = hold.belief.remainingNanos(now, clock.wallMillis());
        return limited ? Math.max(0, Math.min(left, limitNanos - now)) : left;
    }

    /**
     * Returns whether only the wall clock says that it is over: the machine slept or its clock was set, and only the
     * store knows whether the hold still exists.
     */
    public boolean isUncertain() {
        long now = clock.nanos();
        return !released
                && loss == null
                && !isOverLimit(now)
                && !hold.belief.isOver(now)
                && !hold.belief.holdsAt(now, clock.wallMillis());
    }

    /** Returns why it was lost, or null if it was not. */
    public @Nullable LossCause loss() {
        return loss;
    }

    /** Returns whether it ended because the time that its holder set is over. */
    public boolean hasRunOut() {
        return limited && loss == LossCause.EXPIRED;
    }

    /** Returns whether its holder released it. */
    public boolean isReleased() {
        return released;
    }

    /** Returns the time that it is after so long from now, for {@link #lastsUntil}. */
    public long timeIn(long nanos) {
        return clock.nanos() + nanos;
    }

    /** Returns whether it is held, and the store keeps it until then without another renewal. */
    public boolean lastsUntil(long timeNanos) {
        return isHeld() && endsNotBefore(timeNanos);
    }

    /** Keeps a reference object reachable. */
    public void watchedBy(PhantomReference<?> reference) {
        watch = reference;
    }

    /** Returns the reference object, for the code that stops the watch. */
    public @Nullable PhantomReference<?> watch() {
        return watch;
    }

    Resource resource() {
        return resource;
    }

    Hold hold() {
        return hold;
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    long grantedNanos() {
        return grantedNanos;
    }

    Flight.@Nullable Hold flight() {
        return flight;
    }

    /** Whether it was neither released nor lost. */
    boolean isOpen() {
        return !released && loss == null;
    }

    /** When {@code maxHold} ends it, even if it is renewed or extended. */
    long lastNanos() {
        return lastNanos;
    }

    boolean isOverLimit(long now) {
        return limited && now - limitNanos >= 0;
    }

    long earlierLimit(long nanos) {
        return limited && limitNanos - nanos < 0 ? limitNanos : nanos;
    }

    boolean endsNotBefore(long nanos) {
        return hold.belief.storeEndNanos() - nanos >= 0 && (!limited || limitNanos - nanos >= 0);
    }

    /** Takes a longer deadline of the store: an explicit lease goes on. {@code maxHold} stays a limit. */
    void extendTo(long nanos) {
        if (hold.request.explicit() && nanos - limitNanos > 0) {
            limitNanos = Math.min(nanos, lastNanos);
        }
    }

    /** Ends it by release. A thread that releases its lease need not be interrupted any more. */
    void markReleased() {
        interruptOnLoss = false;
        released = true;
        lossActions = List.of();
    }

    /** Takes the terms that count once its caller has all that it asked for; returns false if it has ended already. */
    boolean begin(long atLeastNanos, long now) {
        if (isOpen()) {
            hold.keptFor(atLeastNanos, now);
        }
        return isOpen();
    }

    /** Lets its loss interrupt its thread. */
    void interruptOnLoss() {
        interruptOnLoss = isOpen();
    }

    /** Spares its thread the interrupt of a loss. */
    void doNotInterrupt() {
        interruptOnLoss = false;
    }

    /** Ends it by loss, and returns the actions to run. */
    List<Consumer<LossCause>> markLost(LossCause cause) {
        loss = cause;
        List<Consumer<LossCause>> actions = lossActions;
        lossActions = List.of();
        boolean closesItself = cause == LossCause.CLIENT_CLOSED && thread == Thread.currentThread();
        if (interruptOnLoss && thread != null && !closesItself) {
            // Under the resource's lock: once the thread has released, an interrupt would hit other work.
            thread.interrupt();
        }
        return actions;
    }

    /** Records that its caller can no longer reach it; returns whether this is new. */
    boolean abandon() {
        boolean isNew = !abandoned;
        abandoned = true;
        return isNew;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    void addLossAction(Consumer<LossCause> action) {
        List<Consumer<LossCause>> longer = new ArrayList<>(lossActions);
        longer.add(action);
        lossActions = longer;
    }
}
