package dev.baton.redis;

import dev.baton.internal.store.VirtualThreads;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One command on its way through the pipeline, and its answer. Created by the thread that waits for it. */
final class Call {
    /** Writes a command once its place on the wire is fixed. */
    interface Encoder {
        void encode(RespWriter out, Wire wire);

        /** Returns the command that carries this one's part together with others; null if it travels alone. */
        default @Nullable Joint joint() {
            return null;
        }

        /** Returns whether the caller gets the answer only when replicas have what the command wrote. */
        default boolean needsConfirmation() {
            return false;
        }

        /** Returns how long the caller can wait for the replicas, if it needs confirmation. */
        default long confirmNanos() {
            return 0;
        }
    }

    /**
     * One command that carries the requests of several callers, so that the fixed cost of a command (a script to start,
     * a clock to read, an answer to frame) is paid once. Its answer is an error for all of them, or a list with one
     * answer for each. Only the leader uses it.
     */
    interface Joint {
        /** Begins a new command. */
        RespWriter begin();

        /** Returns the number of bytes written so far, without the fixed part of a command. */
        int size();

        /** Returns how many requests it carries at most. */
        int most();

        /** Writes the command that carries everything written since it began. */
        void end(RespWriter out, Wire wire, int count);
    }

    private static final AtomicIntegerFieldUpdater<Call> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Call.class, "state");
    private static final int QUEUED = 0;
    private static final int SENT = 1;
    private static final int ABANDONED = 2;

    private final Encoder encoder;
    private final Thread owner = Thread.currentThread();
    private final boolean mayLead;
    private volatile int state = QUEUED;
    private @Nullable String runId;
    private volatile @Nullable Object outcome;
    private int size;
    private int together = 1;
    private @Nullable Deadline patience;

    Call(Encoder encoder) {
        this(encoder, true);
    }

    /**
     * Creates a call.
     *
     * @param waits whether its owner waits for this one alone, and so may lead
     */
    Call(Encoder encoder, boolean waits) {
        this.encoder = encoder;
        this.mayLead = waits && !VirtualThreads.isVirtual(owner);
    }

    // ---- the owner ------------------------------------------------------------------------------------------------

    boolean mayLead() {
        return mayLead;
    }

    boolean isDone() {
        return outcome != null;
    }

    /**
     * Gives up waiting.
     *
     * @return whether it is certain that the command is never sent
     */
    boolean abandon() {
        if (STATE.compareAndSet(this, QUEUED, ABANDONED)) {
            return true;
        }
        state = ABANDONED;
        return false;
    }

    /** Makes sure that it is never sent; returns false, and does nothing, if it has been sent. */
    boolean withdraw() {
        return STATE.compareAndSet(this, QUEUED, ABANDONED);
    }

    /** Returns the answer, which may be an error of the server. */
    Object answer() throws StoreFailure {
        Object result = outcome;
        if (result instanceof Failed failed) {
            // A new exception: its stack trace is of the waiting thread.
            throw new StoreFailure(failed.effect(), failed.reason(), failed.message(), failed.cause());
        }
        if (result == null) {
            throw new IllegalStateException("not answered yet");
        }
        return result;
    }

    /** Returns the identity of the server that answered. */
    String runId() {
        String id = runId;
        if (id == null) {
            throw new IllegalStateException("not answered yet");
        }
        return id;
    }

    // ---- the leader -----------------------------------------------------------------------------------------------

    /** Returns whether a caller waits for it. */
    boolean isLive() {
        return outcome == null && state != ABANDONED;
    }

    /** Returns a live call, one that may lead if there is one. */
    static @Nullable Call first(Iterable<Call> calls) {
        Call first = null;
        for (Call call : calls) {
            if (call.isLive()) {
                if (call.mayLead()) {
                    return call;
                }
                first = call;
            }
        }
        return first;
    }

    /** Returns whether its owner has given up. */
    boolean isAbandoned() {
        return state == ABANDONED;
    }

    /** Writes the command, unless its owner has gone; returns false if there is nothing to send. */
    boolean encode(RespWriter out, Wire wire, Deadline newPatience) {
        if (!STATE.compareAndSet(this, QUEUED, SENT)) {
            return false;
        }
        int before = out.size();
        try {
            encoder.encode(out, wire);
        } catch (RuntimeException defect) {
            out.truncate(before);
            fail(Effect.NONE, Reason.OTHER, "a command could not be written: " + defect, defect);
            return false;
        }
        size = out.size() - before;
        patience = newPatience;
        return true;
    }

    @Nullable
    Joint joint() {
        return encoder.joint();
    }

    boolean needsConfirmation() {
        return encoder.needsConfirmation();
    }

    long confirmNanos() {
        return encoder.confirmNanos();
    }

    /** Marks this call as the first of several that share one answer. */
    void speakFor(int count, int bytesBesideParts) {
        together = count;
        size += bytesBesideParts;
    }

    /** Returns how many calls, from this one on, share one answer. */
    int together() {
        return together;
    }

    /** Returns its number of bytes on the wire. */
    int size() {
        return size;
    }

    /** Returns how long an answer may take before the server counts as silent. */
    Deadline patience() {
        return Objects.requireNonNull(patience, "not sent yet");
    }

    void complete(Object answer, String server) {
        runId = server;
        outcome = answer;
        wake();
    }

    void fail(Effect effect, Reason reason, String message, @Nullable Throwable cause) {
        outcome = new Failed(effect, reason, message, cause);
        wake();
    }

    /** Wakes the owner, to check for the answer or to take the lead. */
    void wake() {
        if (owner != Thread.currentThread()) {
            LockSupport.unpark(owner);
        }
    }

    private record Failed(
            Effect effect,
            Reason reason,
            String message,
            @Nullable Throwable cause) {}
}
