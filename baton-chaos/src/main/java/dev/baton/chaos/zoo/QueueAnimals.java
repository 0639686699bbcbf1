package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.CONTENTION;
import static dev.baton.chaos.zoo.Animal.PAUSE;
import static dev.baton.chaos.zoo.Animal.TWO_HOLDERS;

import java.util.List;

/** Broken locks on one Redis that keep their waiters in a queue, and push a grant to the first of them. */
final class QueueAnimals {
    private static final Protocol SOUND = Protocol.QUEUED;

    static final List<Animal> ALL = List.of(
            new Animal(
                    "naive-push-deadline",
                    "The lease of a pushed grant is counted from the arrival of the push.",
                    "Baton's model HandOff without its rule SafeDeadline",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Handover.PUSHED_FROM_ARRIVAL),
                    SOUND),
            new Animal(
                    "push-ignores-attempt",
                    "A pushed grant is taken by any request of the client, also by one that it is not for.",
                    "Baton's model HandOff without its rule AttemptIds",
                    CONTENTION,
                    TWO_HOLDERS,
                    SOUND.with(Handover.PUSHED_TO_ANY_ATTEMPT),
                    SOUND),
            new Animal(
                    "release-shifts-queue",
                    "The release hands over to the first waiter, although its holder no longer has the lock.",
                    "Baton's model HandOff without its rule CheckRelTok",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Release.SHIFTED_BY_ANY_OWNER),
                    SOUND));

    private QueueAnimals() {}
}
