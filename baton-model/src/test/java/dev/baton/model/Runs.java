package dev.baton.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/** All runs of the model checker. The configuration files and the tables of docs/model.md are generated from here. */
final class Runs {
    /** Without the rules that only a failover needs: a client may believe for longer here. */
    private static final Run HAND_OFF = new Run("HandOff", Model.HAND_OFF, new LinkedHashMap<>(), List.of())
            .with("MaxT", 1, "Lease", 1, "MaxPoll", 2, "MaxAtt", 2, "MaxGrants", 3)
            .with("FailoverOn", false, "FailoverTicks", 0)
            .with("SafeDeadline", true, "CheckRelTok", true, "AttemptIds", true, "Hlc", true)
            .with("Tombstone", true, "OnceRule", true, "MarksStay", true, "CancelAtomic", true)
            .with("GraceOn", false, "GraceLen", 1, "GraceIfNew", true, "CapG", false)
            .checking(
                    "Mutex",
                    "TokenMono",
                    "TokenUnique",
                    "NoIdleQueue",
                    "HoldIsGrant",
                    "NoGhost",
                    "AttemptOnce",
                    "LostIsOver");

    private static final Run NO_GRACE = HAND_OFF.named("HandOff-failover-without-grace")
            .with("MaxT", 3, "MaxPoll", 1, "MaxAtt", 1, "MaxGrants", 2)
            .with("FailoverOn", true, "FailoverTicks", 1)
            .checking("TokenMono", "TokenUnique", "NoIdleQueue");

    private static final Run FAILOVER = new Run("Failover", Model.FAILOVER, HAND_OFF.constants(), HAND_OFF.invariants())
            .with("MaxT", 2, "MaxPoll", 1, "MaxAtt", 1, "MaxGrants", 2, "MaxRenew", 1)
            .with("FailoverOn", true, "GraceOn", true, "CapG", true, "Reclaim", true)
            .checking("Mutex", "TokenMono", "TokenUnique", "LostIsOver");

    private static final Run LONG_LEASE =
            FAILOVER.named("Failover-lease-longer-than-grace").with("Lease", 2);

    /** The runs of each build. */
    static final List<Complete> BY_DAY = List.of(
            new Complete(HAND_OFF, 975_533),
            new Complete(HAND_OFF.named("HandOff-longer").with("MaxT", 2, "MaxAtt", 1, "MaxGrants", 2), 123_540),
            new Complete(NO_GRACE, 213_755),
            new Complete(FAILOVER, 325_407),
            new Complete(LONG_LEASE, 340_404));

    /** Runs of many minutes, or nearly the same as those of the day. */
    static final List<Complete> BY_NIGHT = List.of(
            new Complete(HAND_OFF.named("HandOff-3-ticks").with("MaxT", 3, "MaxAtt", 1), 1_377_103),
            new Complete(HAND_OFF.named("HandOff-2-ticks").with("MaxT", 2), 8_253_072),
            new Complete(FAILOVER.named("Failover-without-renewal").with("MaxT", 3, "MaxRenew", 0), 445_887),
            new Complete(FAILOVER.named("Failover-3-ticks").with("MaxT", 3), 1_082_138),
            new Complete(FAILOVER.named("Failover-lease-of-2").with("MaxT", 3, "Lease", 2, "GraceLen", 2), 2_065_712));

    /** One for each rule. */
    static final List<Mutation> MUTATIONS = List.of(
            mutation(
                    "A client counts its belief from the sending of the last request that was answered, not from the arrival"
                            + " of a push",
                    HAND_OFF,
                    "Mutex",
                    12,
                    "SafeDeadline",
                    false),
            mutation(
                    "A release frees a hold only if it names its attempt and its token",
                    HAND_OFF,
                    "HoldIsGrant",
                    10,
                    "CheckRelTok",
                    false),
            mutation(
                    "A client ignores pushes for other attempts than its present one",
                    HAND_OFF,
                    "HoldIsGrant",
                    11,
                    "AttemptIds",
                    false),
            mutation(
                    "The server refuses late requests of finished attempts",
                    HAND_OFF,
                    "NoGhost",
                    7,
                    "Tombstone",
                    false),
            mutation("A grant finishes its attempt", HAND_OFF, "AttemptOnce", 6, "OnceRule", false),
            mutation(
                    "The marks of finished attempts belong to client and bucket, and stay when the lock is idle",
                    HAND_OFF,
                    "AttemptOnce",
                    7,
                    "MarksStay",
                    false),
            mutation(
                    "A waiter that gives up tells the server, which also frees a hold of that attempt",
                    HAND_OFF,
                    "NoGhost",
                    6,
                    "CancelAtomic",
                    false),
            mutation("A token is no smaller than the clock: their order", NO_GRACE, "TokenMono", 6, "Hlc", false),
            mutation("The same: no two holders have one token", NO_GRACE, "TokenUnique", 8, "Hlc", false),
            mutation(
                    "An assumption: without a grace period, a failover takes longer than the servers' clocks differ",
                    NO_GRACE,
                    "TokenMono",
                    6,
                    "FailoverTicks",
                    0),
            mutation("After a failover the server grants nothing at first", FAILOVER, "Mutex", 8, "GraceOn", false),
            mutation("The same without renewal", FAILOVER, "Mutex", 8, "GraceOn", false, "MaxRenew", 0),
            mutation(
                    "The grace period is as long as the longest belief",
                    FAILOVER,
                    "Mutex",
                    8,
                    "GraceLen",
                    0,
                    "CapG",
                    false),
            mutation(
                    "No client believes for longer than the grace period after the last answered request",
                    LONG_LEASE,
                    "Mutex",
                    9,
                    "CapG",
                    false),
            mutation(
                    "A replica without any record also begins a grace period",
                    FAILOVER,
                    "Mutex",
                    8,
                    "GraceIfNew",
                    false),
            mutation(
                    "In the grace period a renewal restores a hold that the server forgot",
                    FAILOVER,
                    "LostIsOver",
                    8,
                    "Reclaim",
                    false));

    private Runs() {}

    private static Mutation mutation(String rule, Run whole, String invariant, int trace, Object... namesAndValues) {
        Run broken = whole.with(namesAndValues).checking(invariant);
        String name = (whole.name() + "-" + broken.differenceTo(whole)).replaceAll("[ =,]+", "-");
        return new Mutation(rule, whole, broken.named(name + "-" + invariant), trace);
    }

    static Stream<Complete> complete() {
        return Stream.of(BY_DAY, BY_NIGHT).flatMap(List::stream);
    }
}
