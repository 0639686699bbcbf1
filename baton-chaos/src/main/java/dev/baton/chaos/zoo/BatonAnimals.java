package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.CUT;
import static dev.baton.chaos.zoo.Animal.FENCE;
import static dev.baton.chaos.zoo.Animal.KILL;
import static dev.baton.chaos.zoo.Animal.LATE_REQUESTS;
import static dev.baton.chaos.zoo.Animal.LIVENESS;
import static dev.baton.chaos.zoo.Animal.NOTE;
import static dev.baton.chaos.zoo.Animal.OLDER_HOLDER;
import static dev.baton.chaos.zoo.Animal.ONCE;
import static dev.baton.chaos.zoo.Animal.ORDER;
import static dev.baton.chaos.zoo.Animal.PAUSE;
import static dev.baton.chaos.zoo.Animal.RESIDUE;
import static dev.baton.chaos.zoo.Animal.SILENCE;

import dev.baton.chaos.lock.NameKind;
import java.time.Duration;
import java.util.List;

/** Baton itself, with one of its rules broken between its engine and its store on Redis. */
final class BatonAnimals {
    private static final BatonDesign SOUND = BatonDesign.SOUND;

    /** As users have it: pauses outlast the claim window of a pushed grant, which is three seconds. */
    private static final BatonDesign LONG = SOUND.with(Duration.ofSeconds(2));

    private static final BatonDesign NOTES = SOUND.with(NameKind.NOTE);

    /** Shorter than the grace period, which limits how long a client believes without an answer. */
    private static final BatonDesign TERMS = SOUND.with(NameKind.TERM).with(Duration.ofSeconds(1));

    private static final BatonDesign JOBS = SOUND.with(NameKind.JOB);

    /** Deaths are further apart: a machine that is busy needs some seconds for a JVM. */
    private static final BatonDesign LONG_JOBS = LONG.with(NameKind.JOB);

    static final List<Animal> ALL = List.of(
            new Animal(
                    "belief-from-arrival",
                    "Belief counts from the arrival of an answer, and not from the sending of its request.",
                    "rule 1 of Baton's protocol, \"safe deadline\"",
                    "wire-late-replies",
                    OLDER_HOLDER,
                    SOUND.with(BatonDesign.Answers.FROM_ARRIVAL),
                    SOUND),
            new Animal(
                    "ignores-once",
                    "The driver repeats requests after a reconnect, and the store does not know that they are over.",
                    "rule 2 of Baton's protocol, \"once\"; Lettuce: commands can be executed more than once",
                    CUT,
                    List.of(LIVENESS),
                    SOUND.with(BatonDesign.Repeats.WITHOUT_MARKS),
                    SOUND.with(BatonDesign.Repeats.WITH_MARKS)),
            new Animal(
                    "tokens-begin-again",
                    "Tokens count from the start of the server, so they begin again when it forgets.",
                    "rule 3 of Baton's protocol, \"hybrid tokens\"",
                    "server-kill",
                    List.of(ORDER, FENCE),
                    LONG.with(BatonDesign.Numbers.FROM_SERVER_START),
                    LONG),
            new Animal(
                    "believes-pushes",
                    "A push is believed from its arrival, whichever server sent it.",
                    "rule 4 of Baton's protocol, \"a push is a hint\"",
                    PAUSE,
                    OLDER_HOLDER,
                    LONG.with(BatonDesign.Pushes.BELIEVED),
                    LONG),
            new Animal(
                    "keeps-the-dead",
                    "The store never ends a hold by itself, so the lock of a client that died is never free again.",
                    "unique rows in SQL without an expiry, the beginning of most articles on locks in databases",
                    KILL,
                    List.of(LIVENESS, RESIDUE),
                    SOUND.with(BatonDesign.Ends.NEVER),
                    SOUND),
            new Animal(
                    "believes-for-ever",
                    "The engine is told deadlines that never come, so a holder believes until it releases.",
                    "M. Kleppmann, \"How to do distributed locking\" (2016): the client that is paused by its garbage"
                            + " collector",
                    PAUSE,
                    OLDER_HOLDER,
                    LONG.with(BatonDesign.Answers.FOR_EVER),
                    LONG),
            new Animal(
                    "silence-is-consent",
                    "A request without an answer counts as granted, or as renewed.",
                    "clients that log the exception of a request and go on, as the watchdogs of most articles do",
                    SILENCE,
                    OLDER_HOLDER,
                    LONG.with(BatonDesign.Silence.GIVES_CONSENT),
                    LONG),
            new Animal(
                    "note-of-each-client",
                    "The store takes a note from each client, and not only from the present holder.",
                    "a row or key that the holder of a lock writes besides it, as most users of locks do",
                    LATE_REQUESTS,
                    List.of(NOTE),
                    NOTES.with(BatonDesign.Notes.OF_EACH_CLIENT),
                    NOTES),
            new Animal(
                    "record-of-each-client",
                    "The record of a job's runs is taken from each client, and not only from the present runner.",
                    "jobs that set a time of their last run in a table, beside a lock that may be over by then",
                    LATE_REQUESTS,
                    List.of(ONCE),
                    JOBS.with(BatonDesign.Notes.OF_EACH_CLIENT),
                    JOBS),
            new Animal(
                    "leads-after-its-session",
                    "A leader hears neither of a deadline nor of the end of its session, so it leads on.",
                    "Curator issue 1211: a LeaderLatch that cannot perceive that its node has been deleted",
                    SILENCE,
                    OLDER_HOLDER,
                    TERMS.with(BatonDesign.Answers.NEVER_OVER),
                    TERMS),
            new Animal(
                    "done-when-it-begins",
                    "A fire time is recorded as done when its run begins, so the run of a runner that died never happens.",
                    "ShedLock issue 322: the job of a machine that crashed is not run before its next time",
                    KILL,
                    List.of(ONCE),
                    LONG_JOBS.with(BatonDesign.Records.DONE_WHEN_IT_BEGINS),
                    LONG_JOBS),
            new Animal(
                    "outage-ends-schedule",
                    "A client that got no answer once never runs the job again.",
                    "ShedLock issue 1254: not fired again after the connection was lost; issue 898; issue 3145: an exception"
                            + " of a scheduled task ends its schedule",
                    CUT,
                    List.of(LIVENESS),
                    JOBS.with(BatonDesign.Outages.END_THE_SCHEDULE),
                    JOBS),
            new Animal(
                    "fire-time-by-own-clock",
                    "For which time a job ran is written by the runner's clock, and read by that of the next one, which runs it"
                            + " again.",
                    "ShedLock issue 6: a machine whose clock is behind runs a short job again",
                    "client-clock-step",
                    List.of(ONCE),
                    JOBS.with(BatonDesign.Records.BY_THE_CLIENTS_CLOCK),
                    JOBS));

    private BatonAnimals() {}
}
