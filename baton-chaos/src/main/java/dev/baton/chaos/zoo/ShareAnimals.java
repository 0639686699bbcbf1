package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.CONTENTION;
import static dev.baton.chaos.zoo.Animal.LIVENESS;
import static dev.baton.chaos.zoo.Animal.PAUSE;
import static dev.baton.chaos.zoo.Animal.TWO_HOLDERS;
import static dev.baton.chaos.zoo.Animal.UPGRADE;

import dev.baton.chaos.lock.NameKind;
import java.util.List;

/** Broken read-write locks, semaphores and groups of names on one Redis. */
final class ShareAnimals {
    private static final ShareDesign READ_WRITE = ShareDesign.sound(NameKind.READ_WRITE);
    private static final ShareDesign SEMAPHORE = ShareDesign.sound(NameKind.SEMAPHORE);
    private static final ShareDesign ALL_OF = ShareDesign.sound(NameKind.ALL_OF);

    static final List<Animal> ALL = List.of(
            new Animal(
                    "reader-forgets-writer",
                    "A reader gets in although there is a writer.",
                    "read-write locks made of a lock for writers and a counter of readers; no library is known",
                    CONTENTION,
                    TWO_HOLDERS,
                    READ_WRITE.with(Entry.READERS_ALWAYS),
                    READ_WRITE),
            new Animal(
                    "permit-comes-back-twice",
                    "The release gives back permits that came back when the lease was over.",
                    "java.util.concurrent.Semaphore: who releases need not have acquired; so does Redisson's RSemaphore",
                    PAUSE,
                    TWO_HOLDERS,
                    SEMAPHORE.with(Giving.WHAT_WAS_TAKEN),
                    SEMAPHORE),
            new Animal(
                    "group-keeps-a-name",
                    "A request for several names ends without them, and its watchdog renews those that it had.",
                    "Redisson RedissonMultiLock: after a cancel some locks may be kept",
                    CONTENTION,
                    List.of(LIVENESS),
                    ALL_OF.with(Failing.KEEPS),
                    ALL_OF),
            new Animal(
                    "upgrade-waits-for-itself",
                    "A reader that asks to write goes on reading, and waits until no reader is left.",
                    "Redisson RReadWriteLock, Curator InterProcessReadWriteLock: the caller waits for itself",
                    UPGRADE,
                    List.of(LIVENESS),
                    READ_WRITE.with(Upgrade.WHILE_READING),
                    READ_WRITE));

    private ShareAnimals() {}
}
