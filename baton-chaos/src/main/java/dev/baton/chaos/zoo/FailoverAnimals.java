package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.OLDER_HOLDER;

import java.time.Duration;
import java.util.List;

/** Broken locks on a Redis whose replicas take over. */
final class FailoverAnimals {
    private static final FailoverDesign SOUND = FailoverDesign.SOUND;

    /** An old primary goes on for ten seconds: leases that are renewed no more have to end long before. */
    private static final FailoverDesign REPLICATED =
            SOUND.with(FailoverDesign.Writes.AT_A_REPLICA).with(Duration.ofSeconds(2));

    static final List<Animal> ALL = List.of(
            new Animal(
                    "last-comer-puts-back",
                    "After a failover whoever puts a lock back has it, also if its token is older than another's.",
                    "Baton's model Failover: Reclaim without the comparison of tokens",
                    "failover-late-clients",
                    OLDER_HOLDER,
                    SOUND.with(FailoverDesign.PutBack.LAST_COMER),
                    SOUND),
            new Animal(
                    "trusts-the-process",
                    "A server that is the same process as before is trusted, although it was a replica in between.",
                    "Redis documentation, replication: a replica that synchronizes replaces its data and keeps its run id",
                    "failback",
                    OLDER_HOLDER,
                    SOUND.with(FailoverDesign.Evidence.PROCESS),
                    SOUND),
            new Animal(
                    "believes-an-old-primary",
                    "A pushed grant is believed at once, also that of an old primary that no replica follows any more.",
                    "Redis documentation, Sentinel: an old primary goes on to accept writes, which are lost",
                    "switch-over",
                    OLDER_HOLDER,
                    REPLICATED.with(FailoverDesign.Pushes.BELIEVED),
                    REPLICATED));

    private FailoverAnimals() {}
}
