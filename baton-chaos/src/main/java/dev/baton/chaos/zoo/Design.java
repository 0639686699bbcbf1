package dev.baton.chaos.zoo;

import java.time.Duration;

/** The steps of a lock: a record, each of whose components is one step. */
interface Design {
    /** The beginning of the names of locks that are not Baton's. */
    String PREFIX = "zoo:";

    /** Returns the beginning of the names of such locks. */
    default String prefix() {
        return PREFIX;
    }

    /** Returns the store that it needs. */
    default String store() {
        return "redis";
    }

    /** Returns the lease time with which its animals are hunted. */
    default Duration lease() {
        return Duration.ofMillis(300);
    }
}
