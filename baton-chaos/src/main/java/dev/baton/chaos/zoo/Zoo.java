package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.NameKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All broken locks. */
public final class Zoo {
    /** The beginning of the keys of locks on Redis. */
    public static final String LOCKS = Redis.LOCKS;

    private static final List<Animal> ANIMALS = Stream.of(
                    KeyAnimals.ALL,
                    QueueAnimals.ALL,
                    ShareAnimals.ALL,
                    MajorityAnimals.ALL,
                    FailoverAnimals.ALL,
                    SessionAnimals.ALL,
                    BatonAnimals.ALL)
            .flatMap(List::stream)
            .toList();

    private Zoo() {}

    /** Returns all animals. */
    public static List<Animal> animals() {
        return ANIMALS;
    }

    /** Returns the names of all locks, broken and repaired. */
    public static List<String> subjects() {
        List<String> subjects = new ArrayList<>();
        ANIMALS.forEach(animal -> subjects.addAll(List.of(animal.subject(), animal.repairedSubject())));
        return subjects;
    }

    /**
     * Returns the address under which Baton opens a store that breaks one of its rules, or the repaired twin of that
     * store; empty if the subject is no lock of Baton's.
     *
     * @param subject the name of a lock
     * @param uri the store behind
     */
    public static Optional<String> addressForBaton(String subject, String uri) {
        return subject.startsWith(BatonDesign.PREFIX) && subjects().contains(subject)
                ? Optional.of(BatonStores.address(subject, uri))
                : Optional.empty();
    }

    /** Whether a subject has locks of its own, and not Baton's. */
    public static boolean hasOwnLocks(String subject) {
        return subject.startsWith(Design.PREFIX);
    }

    /**
     * Opens locks.
     *
     * @param subject the name of a lock
     * @param uri the store
     * @param lease the lease time
     * @param client the number of the client
     * @throws IllegalArgumentException if there are no such locks
     */
    public static Locker open(String subject, String uri, Duration lease, int client) {
        Design design = design(subject);
        if (design instanceof Protocol protocol) {
            return new RedisLocker(protocol, uri, lease, client);
        }
        if (design instanceof ShareDesign share) {
            return new ShareLocker(share, uri, lease, client);
        }
        if (design instanceof MajorityDesign majority) {
            return new MajorityLocker(majority, MajorityDesign.addresses(uri), lease, client);
        }
        if (design instanceof FailoverDesign failover) {
            return new FailoverLocker(failover, uri, lease, client);
        }
        if (design instanceof SessionDesign session) {
            return new SessionLocker(session, uri, lease, client);
        }
        throw new IllegalArgumentException("Baton opens " + subject + ": see addressForBaton");
    }

    /** Returns the store that locks of a name need. */
    public static String store(String subject) {
        return design(subject).store();
    }

    /** Returns the kinds of names that locks of a name have. */
    public static List<NameKind> kinds(String subject) {
        return design(subject).kinds();
    }

    private static Design design(String subject) {
        return Animal.design(ANIMALS, subject)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no lock is called " + subject + ": there are baton, " + String.join(", ", subjects())));
    }

    /** Returns what locks of a name have left behind in a store. */
    public static List<String> rest(String subject, String uri) {
        Design design = design(subject);
        if (design instanceof SessionDesign) {
            return SessionLocker.rest(uri);
        }
        if (design instanceof FailoverDesign) {
            return FailoverLocker.rest(uri);
        }
        return MajorityDesign.addresses(uri).stream()
                .flatMap(each -> Redis.rest(each).stream())
                .toList();
    }
}
