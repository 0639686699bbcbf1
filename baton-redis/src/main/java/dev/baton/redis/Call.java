package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.VirtualThreads;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One command on its way through the pipeline, and its answer. Created by the thread that waits for it. */
final class Call {
    /** Writes a command when its place on the wire is fixed. */
    interface Encoder {
        void encode(RespWriter out, Wire wire);
    }

    private static final AtomicIntegerFieldUpdater<Call> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Call.class, "state");
    private static final int QUEUED = 0;
    private static final int SENT = 1;
    private static final int ABANDONED = 2;

    private final Encoder encoder;
    private final Thread owner = Thread.currentThread();
    private final boolean mayLead = !VirtualThreads.isVirtual(owner);
    private volatile int state = QUEUED;
    private @Nullable String runId;
    private volatile @Nullable Object outcome;
    private int size;
    private @Nullable Deadline patience;

    Call(Encoder encoder) {
        this.encoder = encoder;
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

    /** The answer, which may be an error of the server. */
    Object answer() throws StoreFailure {
        Object result = outcome;
        if (result instanceof Failed failed) {
            // A new one: the trace is of the thread that waits.
            throw new StoreFailure(failed.effect(), failed.reason(), failed.message(), failed.cause());
        }
        if (result == null) {
            throw new IllegalStateException("not answered yet");
        }
        return result;
    }

    /** Who answered. */
    String runId() {
        String id = runId;
        if (id == null) {
            throw new IllegalStateException("not answered yet");
        }
        return id;
    }

    // ---- the leader -----------------------------------------------------------------------------------------------

    /** Whether somebody waits for it. */
    boolean isLive() {
        return outcome == null && state != ABANDONED;
    }

    /** Whether its owner has given up. */
    boolean isAbandoned() {
        return state == ABANDONED;
    }

    /** Writes it, unless its owner has gone; false if there is nothing to send. */
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

    /** How many bytes it is on the wire. */
    int size() {
        return size;
    }

    /** How long an answer may take before the server counts as silent. */
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

    /** Its owner is to look: at the answer, or for the lead. */
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
