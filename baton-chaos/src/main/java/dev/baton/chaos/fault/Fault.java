package dev.baton.chaos.fault;

import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;

/** Something that goes wrong for a while, and is undone. Each proves that it had an effect. */
public interface Fault {
    /** Where a fault is. Two faults of different scopes can be there at once. */
    enum Scope {
        CLIENT,
        WIRE,
        SERVER
    }

    /** What a store may not promise after a fault. */
    enum Damage {
        /** All promises hold. */
        NONE,
        /**
         * The store forgets, and grants nothing until living clients have put back what is theirs. What a client left that has
         * gone since, as its note, is lost.
         */
        FORGETS_THE_GONE,
        /** The store forgets holds that it granted, so two clients may believe. Tokens still grow. */
        FORGETS,
        /** The store ends a session, whose client learns of it later: meanwhile two may believe. Tokens still grow. */
        ENDS_SESSIONS,
        /** The store ends leases before their time, so two clients may believe. Tokens still grow. */
        ENDS_LEASES;

        private static final Set<String> OF_WHAT_IS_LEFT = Set.of("note", "once");
        private static final Set<String> OF_ONE_HOLDER = Set.of("order", "belief", "fence", "counter");

        /** Whether a promise need not be kept while it is there. */
        public boolean excuses(String promise) {
            return switch (this) {
                case NONE -> false;
                case FORGETS_THE_GONE -> OF_WHAT_IS_LEFT.contains(promise);
                default -> OF_WHAT_IS_LEFT.contains(promise) || OF_ONE_HOLDER.contains(promise);
            };
        }
    }

    /**
     * What happened.
     *
     * @param where the client or the server
     * @param effects how often it had an effect; 0 if nothing was there to be disturbed
     * @param damagedNanos since when it did damage, of this machine's monotonic clock, if it had to be prepared
     */
    record Effects(String where, long effects, long damagedNanos) {
        /** Describes what needed no preparation. */
        public Effects(String where, long effects) {
            this(where, effects, Long.MIN_VALUE);
        }
    }

    /** Returns its name on the command line and in reports. */
    String id();

    /** Returns where it is. */
    Scope scope();

    /** Returns what it breaks. */
    default Damage damage() {
        return Damage.NONE;
    }

    /** Returns how long after its end it may still go on for those who have to find out by themselves. */
    default Duration aftermath() {
        return Duration.ZERO;
    }

    /**
     * Does it, for the time that it takes, and undoes it.
     *
     * @param stage the clients
     * @param random decides all that is random
     */
    Effects happen(Stage stage, SplittableRandom random) throws Exception;
}
