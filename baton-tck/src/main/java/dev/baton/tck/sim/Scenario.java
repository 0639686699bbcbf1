package dev.baton.tck.sim;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a simulation.
 *
 * @param faults the faults that may happen
 * @param broken the rule to switch off; null for none
 * @param clients how many clients
 * @param callers how many callers each client has
 * @param names how many locks they compete for
 * @param faultMillis virtual time with faults; afterwards everything must come to rest
 * @param queue whether the server has a queue
 * @param shares whether semaphores and read-write locks are among the names
 * @param shards how many servers have the names between them; faults of servers meet the first
 * @param sessions whether holds and tickets end with the sessions of their clients, and by nothing else
 * @param confirms whether a server answers a write only when its replica has it
 * @param notes whether holders write and read the notes of their names
 */
public record Scenario(
        Set<Fault> faults,
        @Nullable BrokenRule broken,
        int clients,
        int callers,
        int names,
        int faultMillis,
        boolean queue,
        boolean shares,
        int shards,
        boolean sessions,
        boolean confirms,
        boolean notes) {
    static final int LEASE_MILLIS = 100;

    /** Checks that the first server, which alone has a replica, is the only one if servers wait for it. */
    public Scenario {
        if (confirms && shards > 1) {
            throw new IllegalArgumentException("only the first of " + shards + " servers has a replica");
        }
    }

    /**
     * Returns a scenario with three clients of two callers each, one lock, and two virtual seconds of the given faults.
     */
    public static Scenario of(Fault... faults) {
        Set<Fault> set = EnumSet.noneOf(Fault.class);
        set.addAll(Set.of(faults));
        return new Scenario(set, null, 3, 2, 1, 2_000, true, false, 1, false, false, false);
    }

    /** Returns the same scenario with a rule switched off. */
    public Scenario without(BrokenRule rule) {
        return new Scenario(
                faults, rule, clients, callers, names, faultMillis, queue, shares, shards, sessions, confirms, notes);
    }

    /** Returns the same scenario with a server that has no queue: a waiter asks again. */
    public Scenario withoutQueue() {
        return new Scenario(
                faults, broken, clients, callers, names, faultMillis, false, shares, shards, sessions, confirms, notes);
    }

    /** Returns the same scenario with a semaphore, a read-write lock and a lock, and three callers in each client. */
    public Scenario withShares() {
        return new Scenario(faults, broken, clients, 3, 3, faultMillis, queue, true, shards, sessions, confirms, notes);
    }

    /** Returns the same scenario with four locks on two servers. */
    public Scenario onTwoShards() {
        return new Scenario(
                faults, broken, clients, callers, 4, faultMillis, queue, shares, 2, sessions, confirms, notes);
    }

    /** Returns the same scenario with a server that keeps no deadlines: what ends there ends with its client's session. */
    public Scenario withSessions() {
        return new Scenario(
                faults, broken, clients, callers, names, faultMillis, queue, shares, shards, true, confirms, notes);
    }

    /**
     * Returns the same scenario with servers that answer a write only when their replica has it. What they push leaves
     * before, so a client has to confirm each hand-off by a write of its own.
     */
    public Scenario withConfirmation() {
        return new Scenario(
                faults, broken, clients, callers, names, faultMillis, queue, shares, shards, sessions, true, notes);
    }

    /** Returns the same scenario with holders that write and read notes, and users who remove some. */
    public Scenario withNotes() {
        return new Scenario(
                faults, broken, clients, callers, names, faultMillis, queue, shares, shards, sessions, confirms, true);
    }

    /** Returns the server that has a name. */
    int shardOf(String name) {
        return (name.charAt(name.length() - 1) - '0') % shards;
    }

    /** Returns whether the time with faults is over. */
    boolean isOver(World world) {
        return world.nanos() > faultMillis * World.MILLI;
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** Returns whether no server forgets a write, and the clock of none is set. */
    boolean serversRemember() {
        return Collections.disjoint(
                faults,
                EnumSet.of(
                        Fault.FAILOVER,
                        Fault.LOST_TAIL,
                        Fault.OLD_PRIMARY,
                        Fault.SERVER_CLOCK_BACK,
                        Fault.SERVER_CLOCK_FORWARD));
    }

    boolean isBroken(BrokenRule rule) {
        return broken == rule;
    }
}
