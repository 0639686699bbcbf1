package dev.baton.internal.engine;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One command to the store, as data. It is sent once, and is then answered or fails, once: who performs it reports
 * this to the {@link Engine}, which finds the resource by the command's name and the attempt by its number.
 */
public abstract sealed class Command {
    /** 1 s without an answer counts against the store, even if the caller's own limit has run out. */
    private static final long TELLING_NANOS = 1_000_000_000;

    /** 100 ms: a caller that waited for less cannot tell whether the store works. */
    static final long TOO_SHORT_TO_KNOW_NANOS = 100_000_000;

    private final long timeoutNanos;
    private long sentNanos;
    private long sentWallMillis;
    private boolean sent;
    private long hurryNanos = Long.MAX_VALUE;

    private Command(long timeoutNanos) {
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
    final boolean ranOutOfHurry(long now) {
        return hurryNanos < TELLING_NANOS && now - sentNanos >= hurryNanos / 2;
    }

    /** Whether the store has enough time to answer. If so, the lack of an answer says something about the store. */
    final boolean leavesTimeToAnswer() {
        return hurryNanos >= TOO_SHORT_TO_KNOW_NANOS;
    }

    /** Records the time of sending, from which belief counts. */
    final void sentAt(long nanos, long wallMillis) {
        sentNanos = nanos;
        sentWallMillis = wallMillis;
        sent = true;
    }

    /** Whether it was sent; one that was not may fail, too. */
    final boolean isSent() {
        return sent;
    }

    final long sentNanos() {
        return sentNanos;
    }

    final Belief.Sync answeredAs(Stamp stamp) {
        return new Belief.Sync(sentNanos, sentWallMillis, stamp);
    }

    /** Returns the time limit of this command. */
    public final long timeoutNanos() {
        return timeoutNanos;
    }

    /** Whether it keeps holds or tickets alive, and so must not wait behind other commands. */
    public final boolean isHeartbeat() {
        return this instanceof Beat;
    }

    /** The name that it is about, or one of those names, which are all of one shard; null for a ping. */
    public abstract @Nullable String name();

    /** Calls an action with every name that it is about. */
    void forEachName(Consumer<String> action) {
        String name = name();
        if (name != null) {
            action.accept(name);
        }
    }

    /** Sends the command to a store, in one blocking attempt. */
    public abstract Object perform(Store store, long limitNanos) throws StoreFailure;

    /** Asks for a hold. */
    static final class Ask extends Command {
        final Acquire acquire;
        final HoldRequest request;

        Ask(Acquire acquire, HoldRequest request, long timeoutNanos) {
            super(timeoutNanos);
            this.acquire = acquire;
            this.request = request;
        }

        Resource resource() {
            return acquire.resource();
        }

        @Override
        public String name() {
            return acquire.resource().name();
        }

        long attempt() {
            return acquire.attempt().value();
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.acquire(acquire, limitNanos);
        }
    }

    /** Ends a hold. */
    static final class Free extends Command {
        final Release release;
        final @Nullable Releasing releasing;

        Free(Release release, @Nullable Releasing releasing, long timeoutNanos) {
            super(timeoutNanos);
            this.release = release;
            this.releasing = releasing;
        }

        @Override
        public String name() {
            return release.resource().name();
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.release(release, limitNanos);
        }
    }

    /** Undoes an attempt. */
    static final class Undo extends Command {
        final Cancel cancel;

        Undo(Cancel cancel, long timeoutNanos) {
            super(timeoutNanos);
            this.cancel = cancel;
        }

        @Override
        public String name() {
            return cancel.resource().name();
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.cancel(cancel, limitNanos);
        }
    }

    /** Checks whether the store answers at all. */
    static final class Ping extends Command {
        Ping(long timeoutNanos) {
            super(timeoutNanos);
        }

        @Override
        public @Nullable String name() {
            return null;
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.ping(limitNanos);
        }
    }

    /** Writes a note. */
    public static final class Write extends Command {
        final WriteNote write;

        /** Whether the store has refused it; null while it is unknown whether the note was written. */
        private @Nullable Boolean refused;

        Write(WriteNote write, long timeoutNanos) {
            super(timeoutNanos);
            this.write = write;
        }

        void settle(WriteNote.Reply reply) {
            refused = reply instanceof WriteNote.Recovering ? null : reply instanceof WriteNote.Refused;
        }

        /** Returns the same write, to be sent again. */
        public Write again() {
            return new Write(write, timeoutNanos());
        }

        /** Returns whether the note is written, to the thread that has performed this command. */
        public boolean isWritten() {
            return Boolean.FALSE.equals(refused);
        }

        /** Returns whether the store has refused it, to the thread that has performed this command. */
        public boolean isRefused() {
            return Boolean.TRUE.equals(refused);
        }

        @Override
        public String name() {
            return write.resource().name();
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.writeNote(write, limitNanos);
        }
    }

    /** Puts back a note that the store may have forgotten. */
    static final class Restore extends Command {
        final String name;
        final Note note;

        Restore(String name, Note note, long timeoutNanos) {
            super(timeoutNanos);
            this.name = name;
            this.note = note;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.restoreNote(name, note, limitNanos);
        }
    }

    /** Sends a heartbeat for many resources at once. */
    static final class Beat extends Command {
        /** A user's request for a longer lease. */
        record Extending(Grant grant, long atLeastNanos) {}

        final Heartbeat heartbeat;
        final @Nullable Extending extending;

        Beat(Heartbeat heartbeat, @Nullable Extending extending, long timeoutNanos) {
            super(timeoutNanos);
            this.heartbeat = heartbeat;
            this.extending = extending;
        }

        @Override
        public String name() {
            List<Heartbeat.Hold> holds = heartbeat.holds();
            return (holds.isEmpty()
                            ? heartbeat.tickets().get(0).resource()
                            : holds.get(0).resource())
                    .name();
        }

        @Override
        void forEachName(Consumer<String> action) {
            heartbeat.holds().forEach(hold -> action.accept(hold.resource().name()));
            heartbeat
                    .tickets()
                    .forEach(ticket -> action.accept(ticket.resource().name()));
        }

        @Override
        public Object perform(Store store, long limitNanos) throws StoreFailure {
            return store.heartbeat(heartbeat, limitNanos);
        }
    }
}
