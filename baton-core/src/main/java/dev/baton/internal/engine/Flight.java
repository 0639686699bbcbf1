package dev.baton.internal.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The events for the JDK's Flight Recorder. A recording that is never made costs one read of a field: the classes of the
 * events are not even loaded before the recorder is used, because loading them takes milliseconds. So no method of this
 * class itself treats one as an event: checking the class would load it.
 *
 * <p>Waits and holds are recorded from 10 ms on, as the JDK does for its own monitors; a recording may set another
 * threshold. Other threads than the caller's may write an event, so a wait names its caller and has no stack.
 *
 * <p>The classes of events have no superclass of their own for their common code: the recorder rewrites {@code end} and
 * {@code commit} in the class of an event itself, and a superclass would call the empty ones.
 */
final class Flight {
    /** A runtime image may have been made without the recorder. */
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Flight() {}

    /** Whether there is a recorder. */
    static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }

    /** Begins the event of a wait; null if none is recorded. */
    static @Nullable Wait waiting() {
        return isOn() ? Wait.begun() : null;
    }

    /** Begins the event of a caller's hold; null if none is recorded. */
    static @Nullable Hold holding() {
        return isOn() ? Hold.begun() : null;
    }

    /** Only with a recorder, as those that follow. */
    static void handedOff(String lock, long token, long waitedNanos) {
        HandOff.write(lock, token, waitedNanos);
    }

    static void lost(String lock, long token, String cause, long heldNanos) {
        Lost.write(lock, token, cause, heldNanos);
    }

    static void silent(String store, long silentNanos, boolean isOver) {
        StoreSilent.write(store, silentNanos, isOver);
    }

    @Name("dev.baton.Wait")
    @Label("Lock Wait")
    @Category("Baton")
    @Description("A caller asked for a lock, until it got it or gave up")
    @StackTrace(false)
    @Threshold("10 ms")
    static final class Wait extends Event {
        @Label("Lock")
        @Nullable
        String lock;

        @Label("Caller")
        @Description("The thread that asked; empty if it asked for a future")
        @Nullable
        Thread caller;

        @Label("Outcome")
        @Nullable
        String outcome;

        @Label("Token")
        long token;

        static @Nullable Wait begun() {
            Wait event = new Wait();
            if (!event.isEnabled()) {
                return null;
            }
            event.begin();
            return event;
        }

        /**
         * Writes it, if it was long enough.
         *
         * @param granted the token; 0 if the caller gave up
         */
        void ended(String name, @Nullable Thread thread, String how, long granted) {
            end();
            if (shouldCommit()) {
                lock = name;
                caller = thread;
                outcome = how;
                token = granted;
                commit();
            }
        }
    }

    @Name("dev.baton.Hold")
    @Label("Lock Hold")
    @Category("Baton")
    @Description("A caller had a lease, until it released or lost it")
    @StackTrace(false)
    @Threshold("10 ms")
    static final class Hold extends Event {
        @Label("Lock")
        @Nullable
        String lock;

        @Label("Caller")
        @Description("The thread that acquired it; empty if it asked for a future")
        @Nullable
        Thread caller;

        @Label("Outcome")
        @Nullable
        String outcome;

        @Label("Token")
        long token;

        static @Nullable Hold begun() {
            Hold event = new Hold();
            if (!event.isEnabled()) {
                return null;
            }
            event.begin();
            return event;
        }

        void ended(String name, @Nullable Thread thread, String how, long granted) {
            end();
            if (shouldCommit()) {
                lock = name;
                caller = thread;
                outcome = how;
                token = granted;
                commit();
            }
        }
    }

    @Name("dev.baton.HandOff")
    @Label("Lock Hand-off")
    @Category("Baton")
    @Description("A caller got a lock from another caller of this client, without the store")
    @StackTrace(false)
    static final class HandOff extends Event {
        @Label("Lock")
        @Nullable
        String lock;

        @Label("Token")
        long token;

        @Label("Waited")
        @Timespan
        long waited;

        static void write(String lock, long token, long waitedNanos) {
            HandOff event = new HandOff();
            event.lock = lock;
            event.token = token;
            event.waited = waitedNanos;
            event.commit();
        }
    }

    @Name("dev.baton.Lost")
    @Label("Lease Lost")
    @Category("Baton")
    @Description("A lease ended before its holder released it")
    @StackTrace(false)
    static final class Lost extends Event {
        @Label("Lock")
        @Nullable
        String lock;

        @Label("Token")
        long token;

        @Label("Cause")
        @Nullable
        String cause;

        @Label("Held")
        @Timespan
        long held;

        static void write(String lock, long token, String cause, long heldNanos) {
            Lost event = new Lost();
            event.lock = lock;
            event.token = token;
            event.cause = cause;
            event.held = heldNanos;
            event.commit();
        }
    }

    @Name("dev.baton.StoreSilent")
    @Label("Store Silent")
    @Category("Baton")
    @Description("The store has answered nothing for two seconds, or answers again after such a silence")
    @StackTrace(false)
    static final class StoreSilent extends Event {
        @Label("Store")
        @Nullable
        String store;

        @Label("Silence")
        @Timespan
        long silence;

        @Label("Over")
        boolean isOver;

        static void write(String store, long silentNanos, boolean isOver) {
            StoreSilent event = new StoreSilent();
            event.store = store;
            event.silence = silentNanos;
            event.isOver = isOver;
            event.commit();
        }
    }
}
