package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.KILL;
import static dev.baton.chaos.zoo.Animal.LIVENESS;
import static dev.baton.chaos.zoo.Animal.PAUSE;
import static dev.baton.chaos.zoo.Animal.RESIDUE;
import static dev.baton.chaos.zoo.Animal.TWO_HOLDERS;

import dev.baton.chaos.lock.NameKind;
import java.util.List;

/** Broken locks and elections on ZooKeeper, whose holds are nodes of a session. */
final class SessionAnimals {
    private static final SessionDesign SOUND = SessionDesign.SOUND;

    private static final SessionDesign TERMS = SOUND.with(NameKind.TERM);

    static final List<Animal> ALL = List.of(
            new Animal(
                    "still-mine-by-memory",
                    "A map of the client's own says who holds, so a holder whose session is over asks again and gets the lock.",
                    "Curator 5.9, InterProcessMutex: acquire() of a holder looks only into its own map; CURATOR-206",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Belief.UNTIL_RELEASED),
                    SOUND),
            new Animal(
                    "candidate-without-session",
                    "The node of a candidate does not end with its session, so one that died blocks all after it.",
                    "campaigns on etcd by a key without a lease; etcd's Campaign ties the key to the lease of a session",
                    KILL,
                    List.of(LIVENESS, RESIDUE),
                    TERMS.with(SessionDesign.Nodes.OF_THE_SERVER),
                    TERMS),
            new Animal(
                    "phantom-leader",
                    "A candidate leads when no earlier node is left, also if its own has gone with its session.",
                    "etcd issue 11777: Campaign waits until earlier keys are deleted, and does not look for its own",
                    PAUSE,
                    TWO_HOLDERS,
                    TERMS.with(SessionDesign.Turn.NO_NODE_IS_EARLIER),
                    TERMS));

    private SessionAnimals() {}
}
