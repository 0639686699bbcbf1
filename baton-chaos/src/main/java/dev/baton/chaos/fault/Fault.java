package dev.baton.chaos.fault;

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
        /** The store forgets holds that it granted, so two clients may believe. Tokens still grow. */
        FORGETS
    }

    /**
     * What happened.
     *
     * @param where the client or the server
     * @param effects how often it had an effect; 0 if nothing was there to be disturbed
     */
    record Effects(String where, long effects) {}

    /** Returns its name on the command line and in reports. */
    String id();

    /** Returns where it is. */
    Scope scope();

    /** Returns what it breaks. */
    default Damage damage() {
        return Damage.NONE;
    }

    /**
     * Does it, for the time that it takes, and undoes it.
     *
     * @param stage the clients
     * @param random decides all that is random
     */
    Effects happen(Stage stage, SplittableRandom random) throws Exception;
}
