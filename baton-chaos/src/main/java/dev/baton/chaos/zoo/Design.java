package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.NameKind;
import java.time.Duration;
import java.util.List;

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

    /** Returns the kinds of names that it has. */
    default List<NameKind> kinds() {
        return List.of(NameKind.LOCK);
    }

    /** Returns the lease time with which its animals are hunted. */
    default Duration lease() {
        return Duration.ofMillis(300);
    }
}
