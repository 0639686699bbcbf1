package dev.baton.chaos.fault;

import dev.baton.chaos.client.ClientJvm;
import dev.baton.chaos.client.ClientTeam;
import dev.baton.chaos.history.Witness;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The clients, as faults find them.
 *
 * @param team all clients
 * @param leaseTime of all locks
 * @param witness what the clients have counted
 */
public record Stage(ClientTeam team, Duration leaseTime, Witness witness) {
    ClientJvm any(SplittableRandom random) {
        return team.members().get(random.nextInt(team.members().size()));
    }

    /** Returns a part of the lease time. */
    public Duration leases(double least, double most, SplittableRandom random) {
        return Duration.ofNanos((long) (leaseTime.toNanos() * random.nextDouble(least, most)));
    }
}
