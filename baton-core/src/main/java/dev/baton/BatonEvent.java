package dev.baton;

import java.time.Duration;

/**
 * Something that happened to a lock in this client.
 *
 * @param type what happened
 * @param lock the lock's name
 * @param token the fencing token concerned; 0 where there is none
 * @param elapsed how long the waiting took (ACQUIRED, HANDED_OFF, GAVE_UP) or the holding lasted (the others)
 * @param detail more, for people; may be empty
 */
public record BatonEvent(Type type, String lock, long token, Duration elapsed, String detail) {
    /** What can happen. */
    public enum Type {
        /** A caller got a lease from the store. */
        ACQUIRED,
        /** A caller got a lease from another caller of this client, without the store. */
        HANDED_OFF,
        /** A caller went away with nothing: busy, interrupted, cancelled or out of time. */
        GAVE_UP,
        /** A hold was renewed or confirmed. */
        RENEWED,
        /** A lease was lost. */
        LOST,
        /** A lease was released. */
        RELEASED,
        /** A lease became unreachable without having been released; it is no longer renewed. */
        ABANDONED,
        /** A thread waits for a lease that it holds itself. */
        SELF_WAIT,
        /**
         * Events were dropped, because the listener did not keep up: the detail says how many. The lock's name is empty;
         * {@code elapsed} is the time since the first of them.
         */
        EVENTS_DROPPED
    }
}
