package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.BELIEF;
import static dev.baton.chaos.zoo.Animal.CONTENTION;
import static dev.baton.chaos.zoo.Animal.COUNTER;
import static dev.baton.chaos.zoo.Animal.CUT;
import static dev.baton.chaos.zoo.Animal.EXCEPTIONS;
import static dev.baton.chaos.zoo.Animal.FENCE;
import static dev.baton.chaos.zoo.Animal.KILL;
import static dev.baton.chaos.zoo.Animal.LIVENESS;
import static dev.baton.chaos.zoo.Animal.LOSS;
import static dev.baton.chaos.zoo.Animal.ORDER;
import static dev.baton.chaos.zoo.Animal.PAUSE;
import static dev.baton.chaos.zoo.Animal.RESIDUE;
import static dev.baton.chaos.zoo.Animal.TWO_HOLDERS;

import java.util.List;

/** Broken locks that are a key of one Redis, which their callers ask for again and again. */
final class KeyAnimals {
    private static final Protocol SOUND = Protocol.SOUND;
    private static final Protocol FENCED = SOUND.with(Tokens.CLOCKED);

    static final List<Animal> ALL = List.of(
            new Animal(
                    "check-then-set",
                    "It looks whether the lock is free, and takes it in a second command.",
                    "Redis documentation, SETNX, \"Handling deadlocks\": two clients that look first and act then both get the lock",
                    CONTENTION,
                    List.of(COUNTER, BELIEF),
                    SOUND.with(Acquire.CHECK_THEN_SET),
                    SOUND),
            new Animal(
                    "owner-is-client",
                    "Its owner is the client and not the attempt, so a second thread finds its own lock.",
                    "ShedLock's JDBC provider, whose owner is the host name if no other is set",
                    CONTENTION,
                    TWO_HOLDERS,
                    SOUND.with(Acquire.ONE_STEP_OR_OWN).with(Owner.CLIENT),
                    SOUND.with(Acquire.ONE_STEP_OR_OWN)),
            new Animal(
                    "token-before-lock",
                    "It draws the token before it has the lock.",
                    "applications that call nextval of a sequence, and lock then; no library is known",
                    CONTENTION,
                    List.of(FENCE, ORDER),
                    SOUND.with(Tokens.DRAWN_BEFORE),
                    FENCED),
            new Animal(
                    "never-expires",
                    "The lock has no expiry, so it outlives its holder.",
                    "Redis documentation, SETNX, \"Handling deadlocks\": the holder crashes and cannot release",
                    KILL,
                    List.of(LIVENESS, RESIDUE),
                    SOUND.with(Acquire.FOR_EVER),
                    SOUND),
            new Animal(
                    "expires-later",
                    "The expiry is a second command, which a fault prevents.",
                    "ShedLock issue 65: setNX, then pExpire; the task never ran again",
                    CUT,
                    List.of(LIVENESS, RESIDUE),
                    SOUND.with(Acquire.LIMITED_LATER),
                    SOUND),
            new Animal(
                    "release-of-any-owner",
                    "The release deletes the lock of the next holder.",
                    "Redlock article, \"Correct Implementation with a Single Instance\"; ShedLock issue 2583",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Release.ANY_OWNER),
                    SOUND),
            new Animal(
                    "owner-is-constant",
                    "Every owner has the same name, so the release compares and proves nothing.",
                    "Redis documentation, SET, pattern: not a fixed string, but a random one",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Owner.ALL),
                    SOUND),
            new Animal(
                    "release-in-two-steps",
                    "The release compares the owner, and deletes in a second command.",
                    "Redlock article, \"Correct Implementation with a Single Instance\": the reason for its Lua script",
                    "wire-delay",
                    TWO_HOLDERS,
                    SOUND.with(Release.TWO_STEPS),
                    SOUND),
            new Animal(
                    "no-deadline",
                    "The holder believes until it releases.",
                    "M. Kleppmann, \"How to do distributed locking\" (2016): the client that is paused by its garbage collector",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Belief.UNTIL_RELEASED),
                    SOUND),
            new Animal(
                    "believes-its-watchdog",
                    "The holder believes until its watchdog is refused, so a pause that stops both goes unnoticed.",
                    "Curator, Tech Note 10: a pause of the JVM stops the holder and what watches over it",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Belief.UNTIL_REFUSED),
                    SOUND),
            new Animal(
                    "deadline-from-reply",
                    "The lease is counted from the arrival of the answer.",
                    "C. Gray and D. Cheriton, \"Leases\" (SOSP 1989): the holder's term is shorter by the time of the messages",
                    "wire-late-replies",
                    TWO_HOLDERS,
                    SOUND.with(Belief.FROM_REPLY),
                    SOUND),
            new Animal(
                    "watchdog-of-any-owner",
                    "The watchdog prolongs the lock of the next holder, and takes it for its own.",
                    "watchdogs that call PEXPIRE without a script, as Redisson's expire() of a lock does",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Renewal.ANY_OWNER),
                    SOUND),
            new Animal(
                    "watchdog-revives",
                    "The watchdog sets the lock anew, also if it is lost.",
                    "ShedLock issue 2583: extend() of its Redis providers was SET XX PX, which takes the lock of any owner",
                    PAUSE,
                    TWO_HOLDERS,
                    SOUND.with(Renewal.SET_ANEW),
                    SOUND),
            new Animal(
                    "counted-token",
                    "The token is a counter at the server, which begins again when the server forgets.",
                    "Redisson, RFencedLock: INCR, on a server that may forget; Kleppmann (2016) asks for a number that always grows",
                    "server-kill",
                    List.of(ORDER, FENCE),
                    SOUND.with(Tokens.COUNTED),
                    FENCED),
            new Animal(
                    "loss-after-release",
                    "A renewal that the release overtook is told as a loss.",
                    "watchdogs whose answers count after their end; no library is known",
                    "wire-delay",
                    List.of(LOSS),
                    SOUND.with(Notice.REFUSED_AT_ANY_TIME),
                    SOUND),
            new Animal(
                    "silence-is-loss",
                    "A renewal without an answer is told as a loss, although the lease still runs.",
                    "Curator, error policy: by default SUSPENDED is an error like LOST",
                    CUT,
                    List.of(LOSS),
                    SOUND.with(Notice.UNANSWERED),
                    SOUND),
            new Animal(
                    "release-throws",
                    "The release of a lost lock throws IllegalMonitorStateException.",
                    "Redisson documentation, RLock: \"otherwise IllegalMonitorStateException would be thrown\"",
                    PAUSE,
                    List.of(EXCEPTIONS),
                    SOUND.with(Errors.OF_THE_RELEASE),
                    SOUND),
            new Animal(
                    "exceptions-of-the-driver",
                    "Callers get the exceptions of the driver.",
                    "locks that pass JedisConnectionException on",
                    CUT,
                    List.of(EXCEPTIONS),
                    SOUND.with(Errors.OF_THE_DRIVER),
                    SOUND),
            new Animal(
                    "waiters-stay",
                    "A waiter that dies stays in the list of waiters for ever.",
                    "queues of waiters; Redisson's fair lock gives a dead waiter a time limit",
                    KILL,
                    List.of(RESIDUE),
                    SOUND.with(Waiters.LISTED),
                    SOUND.with(Waiters.LISTED_FOR_A_TIME)));

    private KeyAnimals() {}
}
