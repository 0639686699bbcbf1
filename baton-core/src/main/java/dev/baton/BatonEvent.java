package dev.baton;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a lock, or to the store, in this client.
 *
 * @param type what happened
 * @param lock the lock's name; empty where the event is not about one
 * @param token the fencing token concerned; 0 where there is none
 * @param elapsed how long the waiting took (ACQUIRED, HANDED_OFF, GAVE_UP), how long the store has been silent
 *     (STORE_SILENT, STORE_BACK), or how long the holding lasted (the others)
 * @param reason why a caller went away with nothing; null for all types but GAVE_UP
 * @param lossCause why a lease was lost; null for all types but LOST
 * @param detail more, for people; may be empty
 */
public record BatonEvent(
        Type type,
        String lock,
        long token,
        Duration elapsed,
        @Nullable Reason reason,
        @Nullable LossCause lossCause,
        String detail) {
    /** Why a caller went away with nothing. */
    public enum Reason {
        /** It would not wait, and another held the lock. */
        BUSY,
        /** Its time was over while another held the lock. */
        TIMED_OUT,
        /** It was interrupted, or its future was cancelled. */
        CANCELLED,
        /** It got an exception: the store did not answer in time, or refused, or the client was closed. */
        FAILED
    }

    /** What can happen. */
    public enum Type {
        /** A caller got a lease from the store. */
        ACQUIRED,
        /** A caller got a lease from another caller of this client, without the store. */
        HANDED_OFF,
        /** A caller went away with nothing; {@link #reason} says why. */
        GAVE_UP,
        /** A hold was renewed or confirmed. */
        RENEWED,
        /** A lease was lost; {@link #lossCause} says why. */
        LOST,
        /** A lease was released. */
        RELEASED,
        /** A lease became unreachable without having been released; it is no longer renewed. */
        ABANDONED,
        /** A thread has waited for a second for a lease that it took itself and that nobody has released. */
        SELF_WAIT,
        /** The store has answered nothing for two seconds, a question of its own included. */
        STORE_SILENT,
        /** The store answers again, after it fell silent. */
        STORE_BACK,
        /**
         * Events were dropped, because the listener did not keep up: the detail says how many. The lock's name is empty;
         * {@code elapsed} is the time since the first of them.
         */
        EVENTS_DROPPED
    }
}
