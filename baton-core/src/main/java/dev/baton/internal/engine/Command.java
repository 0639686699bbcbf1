package dev.baton.internal.engine;

import dev.baton.ReleaseOutcome;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command to the store, and the handling of its answer. It is sent once, and is then answered or fails, once; later
 * results have no effect.
 */
public abstract sealed class Command {
    /** 1 s without an answer counts against the store, even if the caller's own limit has run out. */
    private static final long TELLING_NANOS = 1_000_000_000;

    final Engine engine;
    private final long timeoutNanos;
    private long sentNanos;
    private long sentWallMillis;
    private long hurryNanos = Long.MAX_VALUE;

    private Command(Engine engine, long timeoutNanos) {
        this.engine = engine;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Sets the caller's own limit, which is shorter than the store's: if it runs out, the store need not be at fault.
     */
    public void hurry(long limitNanos) {
        hurryNanos = limitNanos;
    }

    /**
     * Whether it failed because its caller's own limit ran out, which is no evidence against the store. A refusal would
     * come long before that.
     */
    final boolean ranOutOfHurry() {
        return hurryNanos < TELLING_NANOS && engine.clock().nanos() - sentNanos >= hurryNanos / 2;
    }

    final long sentNanos() {
        return sentNanos;
    }

    /** Returns the time limit of this command. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Whether it keeps holds or tickets alive, and so must not wait behind other commands. */
    public boolean isHeartbeat() {
        return this instanceof Beat;
    }

    /** Records the time of sending. Must be called before the store is called, because belief counts from this time. */
    public void sending() {
        sentNanos = engine.clock().nanos();
        sentWallMillis = engine.clock().wallMillis();
        engine.outage().sent(sentNanos);
    }

    /** Sends the command to a store, in one blocking attempt. */
    public abstract Object perform(Store store, long limitNanos) throws StoreFailure;

    /** Takes the answer. */
    public abstract void answered(Object reply, Outbox out);

    /** Takes the failure. */
    public abstract void failed(StoreFailure failure, Outbox out);

    final Belief.Sync sync(Stamp stamp, Outbox out) {
        return engine.synced(sentNanos, sentWallMillis, stamp, out);
    }

    /** Asks for a hold. */
    static final class Ask extends Command {
        private final LocalResource resource;
        final Acquire acquire;
        final HoldRequest request;

        Ask(Engine engine, LocalResource resource, Acquire acquire, HoldRequest request) {
            super(
                    engine,
                    Math.min(engine.settings().silenceNanos(), engine.settings().storeTimeoutNanos()));
            this.resource = resource;
            this.acquire = acquire;
            this.request = request;
        }

        /** A new attempt on behalf of a caller. */
        static Ask of(Engine engine, LocalResource resource, Waiter head, Acquire.Mode mode) {
            HoldRequest request = head.request;
            Acquire acquire = new Acquire(
                    resource.id(),
                    engine.nextNumber(),
                    1,
                    request.firstLeaseNanos() / 1_000,
                    request.lockDelayNanos() / 1_000,
                    head.description(),
                    mode,
                    mode == Acquire.Mode.QUEUE ? engine.nextSecret() : 0);
            return new Ask(engine, resource, acquire, request);
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.acquire(acquire, limitNanos);
        }

        @Override
        public void answered(Object reply, Outbox out) {
            Acquire.Reply answer = (Acquire.Reply) reply;
            resource.onAcquireReply(this, answer, sync(answer.stamp(), out), out);
        }

        @Override
        public void failed(StoreFailure failure, Outbox out) {
            resource.onAcquireFailed(this, failure, out);
        }
    }

    /** Ends a hold. */
    static final class Free extends Command {
        private final LocalResource resource;
        private final Release release;
        private final @Nullable Releasing releasing;

        Free(Engine engine, LocalResource resource, Release release, @Nullable Releasing releasing) {
            super(engine, engine.settings().silenceNanos());
            this.resource = resource;
            this.release = release;
            this.releasing = releasing;
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.release(release, limitNanos);
        }

        @Override
        public void answered(Object reply, Outbox out) {
            Release.Reply answer = (Release.Reply) reply;
            sync(answer.stamp(), out);
            engine.removeStray(release);
            if (releasing != null) {
                releasing.settle(answer.released() ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD, out);
            }
            resource.onFreed(this, out);
        }

        @Override
        public void failed(StoreFailure failure, Outbox out) {
            if (releasing != null) {
                releasing.settle(ReleaseOutcome.UNKNOWN, out);
            }
            engine.removeStray(release);
            resource.onUndoFailed(this, failure, out);
        }
    }

    /** Undoes an attempt. */
    static final class Undo extends Command {
        private final LocalResource resource;
        private final Cancel cancel;

        Undo(Engine engine, LocalResource resource, Cancel cancel) {
            super(engine, engine.settings().silenceNanos());
            this.resource = resource;
            this.cancel = cancel;
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.cancel(cancel, limitNanos);
        }

        @Override
        public void answered(Object reply, Outbox out) {
            sync((Stamp) reply, out);
            resource.onFreed(this, out);
        }

        @Override
        public void failed(StoreFailure failure, Outbox out) {
            resource.onUndoFailed(this, failure, out);
        }
    }

    /** Checks whether the store answers at all. */
    static final class Ping extends Command {
        Ping(Engine engine) {
            super(engine, engine.settings().silenceNanos());
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.ping(limitNanos);
        }

        @Override
        public void answered(Object reply, Outbox out) {
            engine.outage().asked("");
            sync((Stamp) reply, out);
        }

        @Override
        public void failed(StoreFailure failure, Outbox out) {
            String message = failure.getMessage();
            engine.outage().asked(message == null ? failure.toString() : message);
        }
    }

    /** Sends a heartbeat for many resources at once. */
    static final class Beat extends Command {
        /** A user's request for a longer lease. */
        record Extending(Grant grant, long atLeastNanos) {}

        private final Heartbeat heartbeat;
        private final List<LocalResource> holders;
        private final List<LocalResource> waiters;
        private final @Nullable Extending extending;

        Beat(
                Engine engine,
                Heartbeat heartbeat,
                List<LocalResource> holders,
                List<LocalResource> waiters,
                long timeoutNanos,
                @Nullable Extending extending) {
            super(engine, timeoutNanos);
            this.heartbeat = heartbeat;
            this.holders = holders;
            this.waiters = waiters;
            this.extending = extending;
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.heartbeat(heartbeat, limitNanos);
        }

        @Override
        public void answered(Object reply, Outbox out) {
            Heartbeat.Reply answer = (Heartbeat.Reply) reply;
            Belief.Sync sync = sync(answer.stamp(), out);
            if (extending != null) {
                extending.grant().extended(sync.sentNanos() + extending.atLeastNanos(), out);
            }
            for (int i = 0; i < holders.size(); i++) {
                holders.get(i)
                        .onHoldReply(heartbeat.holds().get(i), answer.holds().get(i), sync, out);
            }
            for (int i = 0; i < waiters.size(); i++) {
                waiters.get(i)
                        .onTicketReply(
                                heartbeat.tickets().get(i).attempt(),
                                answer.tickets().get(i),
                                sync,
                                out);
            }
        }

        @Override
        public void failed(StoreFailure failure, Outbox out) {
            holders.forEach(resource -> resource.onBeatFailed(failure, out));
            waiters.forEach(resource -> resource.onBeatFailed(failure, out));
        }
    }
}
