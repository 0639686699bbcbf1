package dev.baton;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a lock, or of the store, in this client. Immutable.
 *
 * @param type the type of the event
 * @param name the lock's name; empty if the event is not about a lock
 * @param token the fencing token of the lease; 0 if there is none
 * @param elapsed how long the caller waited (ACQUIRED, HANDED_OFF, GAVE_UP), how long the store did not answer
 *     (STORE_SILENT, STORE_BACK), how long the grace period has lasted (GRACE_BEGAN, GRACE_ENDED), how
 *     long the job ran (JOB_RAN, JOB_FAILED), or how long the lease was held (all others)
 * @param reason why the caller did not get the lock; null for all types but GAVE_UP
 * @param lossCause why the lease was lost; null for all types but LOST
 * @param detail a readable text with more details; may be empty
 * @since 0.1
 */
public record BatonEvent(
        Type type,
        String name,
        long token,
        Duration elapsed,
        @Nullable Reason reason,
        @Nullable LossCause lossCause,
        String detail) {
    /** Why a caller did not get the lock. */
    public enum Reason {
        /** The caller did not wait, and another held the lock. */
        BUSY,
        /** The caller's time ended while another held the lock. */
        TIMED_OUT,
        /** The caller was interrupted, or cancelled its future. */
        CANCELLED,
        /** The caller got an exception: the store did not answer in time, or refused, or the client was closed. */
        FAILED
    }

    /** The types of events. */
    public enum Type {
        /** The store granted a lease to a caller. */
        ACQUIRED,
        /** A caller of this client handed its lock to another one, without the store. */
        HANDED_OFF,
        /** A caller did not get the lock; {@link #reason} says why. */
        GAVE_UP,
        /** The store renewed or confirmed a hold. */
        RENEWED,
        /** A lease was lost; {@link #lossCause} says why. */
        LOST,
        /** A lease was released. */
        RELEASED,
        /** A lease was garbage-collected without having been released; the client no longer renews it. */
        ABANDONED,
        /** A thread has waited for one second for a lease that it acquired itself and that is not released. */
        SELF_WAIT,
        /** The store has not answered anything for two seconds, not even a ping. */
        STORE_SILENT,
        /** The store answers again, after it fell silent. */
        STORE_BACK,
        /**
         * The store may have forgotten its last writes, because it restarted or another server took over, and has begun
         * a grace period: holders put their locks back and keep them, and nothing else is granted; callers wait. The
         * detail says for how long.
         */
        GRACE_BEGAN,
        /** The store's grace period is over: it grants locks again. */
        GRACE_ENDED,
        /** A job has ended here, and its success is recorded. The name is that of the job. */
        JOB_RAN,
        /** A job has failed here, or its outcome could not be recorded; the detail says why. */
        JOB_FAILED,
        /** Fire times of a job have passed without a run; the detail begins with their number. */
        JOB_MISSED,
        /**
         * Events were dropped, because the listener did not keep up: the detail begins with their number. The name is
         * empty; {@code elapsed} is the time since the first of them.
         */
        EVENTS_DROPPED
    }
}
