package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.PAUSE;
import static dev.baton.chaos.zoo.Animal.TWO_HOLDERS;

import java.util.List;

/** Broken locks on ZooKeeper, whose holds are nodes of a session. */
final class SessionAnimals {
    static final List<Animal> ALL = List.of(new Animal(
            "still-mine-by-memory",
            "A map of the client's own says who holds, so a holder whose session is over asks again and gets the lock.",
            "Curator 5.9, InterProcessMutex: acquire() of a holder looks only into its own map; CURATOR-206",
            PAUSE,
            TWO_HOLDERS,
            new SessionDesign(Belief.UNTIL_RELEASED),
            new SessionDesign(Belief.FROM_REQUEST)));

    private SessionAnimals() {}
}
