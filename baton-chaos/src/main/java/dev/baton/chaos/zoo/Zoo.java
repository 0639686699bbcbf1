package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.CONTENTION;

import dev.baton.chaos.lock.Locker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All broken locks. */
public final class Zoo {
    private static final String BELIEF = "belief";
    private static final String COUNTER = "counter";
    private static final String ORDER = "order";
    private static final String FENCE = "fence";
    private static final String LIVENESS = "liveness";
    private static final String RESIDUE = "residue";
    private static final String LOSS = "loss";
    private static final String EXCEPTIONS = "exceptions";

    private static final String PAUSE = "client-pause";
    private static final String KILL = "client-kill";

    private static final Protocol SOUND = Protocol.SOUND;
    private static final Protocol FENCED = SOUND.with(Tokens.CLOCKED);

    /** What two believers do. */
    private static final List<String> TWO_HOLDERS = List.of(BELIEF, COUNTER);

    private static final List<Animal> ANIMALS = List.of(
            new Animal(
                    "check-then-set",
                    "It looks whether the lock is free, and takes it in a second command.",
                    "Redis documentation, SETNX: \"GET, then SET\" is no lock",
                    CONTENTION,
                    List.of(COUNTER, BELIEF),
                    SOUND.with(Acquire.CHECK_THEN_SET),
                    SOUND),
            new Animal(
                    "owner-is-client",
                    "Its owner is the client and not the attempt, so a second thread finds its own lock.",
                    "locks that store a host name or a JVM's number as their owner",
                    CONTENTION,
                    TWO_HOLDERS,
                    SOUND.with(Acquire.ONE_STEP_OR_OWN).with(Owner.CLIENT),
                    SOUND.with(Acquire.ONE_STEP_OR_OWN)),
            new Animal(
                    "token-before-lock",
                    "It draws the token before it has the lock.",
                    "applications that call nextval of a sequence, and lock then",
                    CONTENTION,
                    List.of(FENCE, ORDER),
                    SOUND.with(Tokens.DRAWN_BEFORE),
                    FENCED),
            new Animal(
                    "never-expires",
                    "The lock has no expiry, so it outlives its holder.",
                    "Redis documentation, SETNX; Redlock article, \"Correct implementation with a single instance\"",
                    KILL,
                    List.of(LIVENESS, RESIDUE),
                    SOUND.with(Acquire.FOR_EVER),
                    SOUND),
            new Animal(
                    "expires-later",
                    "The expiry is a second command, which a fault prevents.",
                    "Redis documentation, SET: \"SETNX, then EXPIRE\" is replaced by SET NX PX",
                    "wire-cut",
                    List.of(LIVENESS, RESIDUE),
                    SOUND.with(Acquire.LIMITED_LATER),
                    SOUND),
            new Animal(
                    "release-of-any-owner",
                    "The release deletes the lock of the next holder.",
                    "Redlock article, \"removing a lock that was created by another client\"",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Release.ANY_OWNER),
                    SOUND),
            new Animal(
                    "owner-is-constant",
                    "Every owner has the same name, so the release compares and proves nothing.",
                    "locks whose value is \"1\" or \"locked\"",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Owner.ALL),
                    SOUND),
            new Animal(
                    "release-in-two-steps",
                    "The release compares the owner, and deletes in a second command.",
                    "Redlock article, the Lua script of the release; many articles leave it out",
                    "wire-delay",
                    TWO_HOLDERS,
                    SOUND.with(Release.TWO_STEPS),
                    SOUND),
            new Animal(
                    "no-deadline",
                    "The holder believes until it releases.",
                    "M. Kleppmann, \"How to do distributed locking\", figure of the paused client",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Belief.UNTIL_RELEASED),
                    SOUND),
            new Animal(
                    "believes-its-watchdog",
                    "The holder believes until its watchdog is refused, so a pause that stops both goes unnoticed.",
                    "watchdogs that clear a flag, as in leases of Redisson and ShedLock's KeepAlive",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Belief.UNTIL_REFUSED),
                    SOUND),
            new Animal(
                    "deadline-from-reply",
                    "The lease is counted from the arrival of the answer.",
                    "C. Gray and D. Cheriton, \"Leases\" (SOSP 1989): the term begins when the request is sent",
                    "wire-late-replies",
                    TWO_HOLDERS,
                    SOUND.with(Belief.FROM_REPLY),
                    SOUND),
            new Animal(
                    "watchdog-of-any-owner",
                    "The watchdog prolongs the lock of the next holder, and takes it for its own.",
                    "watchdogs that call PEXPIRE without a script",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Renewal.ANY_OWNER),
                    SOUND),
            new Animal(
                    "watchdog-revives",
                    "The watchdog sets the lock anew, also if it is lost.",
                    "watchdogs that call SET PX again",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Renewal.SET_ANEW),
                    SOUND),
            new Animal(
                    "counted-token",
                    "The token is a counter at the server, which begins again when the server forgets.",
                    "fencing tokens by INCR; M. Kleppmann, \"making the lock safe with fencing\", asks for more",
                    "server-kill",
                    List.of(ORDER, FENCE),
                    SOUND.with(Tokens.COUNTED),
                    FENCED),
            new Animal(
                    "loss-after-release",
                    "A renewal that the release overtook is told as a loss.",
                    "watchdogs that are cancelled, and whose answers count all the same",
                    "wire-delay",
                    List.of(LOSS),
                    SOUND.with(Notice.REFUSED_AT_ANY_TIME),
                    SOUND),
            new Animal(
                    "silence-is-loss",
                    "A renewal without an answer is told as a loss, although the lease still runs.",
                    "Curator's recipes: SUSPENDED is told like LOST",
                    "wire-cut",
                    List.of(LOSS),
                    SOUND.with(Notice.UNANSWERED),
                    SOUND),
            new Animal(
                    "release-throws",
                    "The release of a lost lock throws IllegalMonitorStateException.",
                    "Redisson, RLock.unlock: \"attempt to unlock lock, not locked by current thread\"",
                    PAUSE,
                    List.of(EXCEPTIONS),
                    SOUND.with(Errors.OF_THE_RELEASE),
                    SOUND),
            new Animal(
                    "exceptions-of-the-driver",
                    "Callers get the exceptions of the driver.",
                    "locks that pass JedisConnectionException on",
                    "wire-cut",
                    List.of(EXCEPTIONS),
                    SOUND.with(Errors.OF_THE_DRIVER),
                    SOUND),
            new Animal(
                    "waiters-stay",
                    "A waiter that dies stays in the list of waiters for ever.",
                    "ghosts in queues: Redisson's fair lock, whose waiters have a time limit for this reason",
                    KILL,
                    List.of(RESIDUE),
                    SOUND.with(Waiters.LISTED),
                    SOUND.with(Waiters.LISTED_FOR_A_TIME)));

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
     * Opens locks.
     *
     * @param subject the name of a lock
     * @param uri the Redis
     * @param lease the lease time
     * @param client the number of the client
     * @throws IllegalArgumentException if there are no such locks
     */
    public static Locker open(String subject, String uri, Duration lease, int client) {
        return new RedisLocker(protocol(subject), uri, lease, client);
    }

    private static Protocol protocol(String subject) {
        for (Animal animal : ANIMALS) {
            if (animal.subject().equals(subject)) {
                return animal.protocol();
            }
            if (animal.repairedSubject().equals(subject)) {
                return animal.repaired();
            }
        }
        throw new IllegalArgumentException(
                "no lock is called " + subject + ": there are baton, " + String.join(", ", subjects()));
    }

    /** Returns what locks have left behind in a Redis. */
    public static List<String> rest(String uri) {
        try (Redis redis = new Redis(uri)) {
            return redis.rest();
        }
    }
}
