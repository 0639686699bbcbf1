package dev.baton.chaos.zoo;

import java.time.Duration;

/**
 * The steps of a lock on ZooKeeper.
 *
 * @param belief how long a holder believes
 */
record SessionDesign(Belief belief) implements Design {
    @Override
    public String store() {
        return "zookeeper";
    }

    /** The shortest session that the server grants. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }
}
