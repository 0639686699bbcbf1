package dev.baton.demo;

import dev.baton.demo.BrokenLock.Free;
import dev.baton.demo.BrokenLock.Take;
import dev.baton.demo.Round.Expected;
import dev.baton.demo.Round.LockFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The locks of the demo, from none to Baton. */
public final class Rounds {
    /** The holder of a lock without expiry stays for milliseconds, if it lives. */
    private static final Duration SOON = Duration.ofMillis(2_500);

    /** Holders stay for milliseconds and expiries are at most half a second, but the machine may stall for seconds. */
    private static final Duration SURELY = Duration.ofSeconds(10);

    /** After a failover a store grants nothing for the grace period, and the failover itself takes some seconds. */
    private static final Duration LATER = BatonLock.PATIENCE.plusSeconds(10);

    public static final List<Round> ALL = List.of(
            new Round(
                    "none",
                    "no lock",
                    broken(BrokenLock::walkIn, BrokenLock::walkOut),
                    List.of(Fault.SLOW_HOLDER),
                    Expected.OVERSOLD,
                    SURELY,
                    "buyers read the same stock; each wrote it back one less"),
            new Round(
                    "check-then-set",
                    "check, then set",
                    broken(BrokenLock::checkThenSet, BrokenLock::delete),
                    List.of(Fault.SLOW_CALL),
                    Expected.OVERSOLD,
                    SURELY,
                    "two saw it free before either set it; both went in"),
            new Round(
                    "no-expiry",
                    "set if absent",
                    broken(BrokenLock::setIfAbsent, BrokenLock::delete),
                    List.of(Fault.KILLED_HOLDER),
                    Expected.STUCK,
                    SOON,
                    "its holder was killed; the lock stays, and nobody sells again"),
            new Round(
                    "delete-by-anyone",
                    "+ expiry",
                    broken(BrokenLock::setIfAbsentForAWhile, BrokenLock::delete),
                    List.of(Fault.SLOW_CALL),
                    Expected.OVERSOLD,
                    SURELY,
                    "a holder outlived its expiry, then deleted the next one's lock"),
            new Round(
                    "compare-then-delete",
                    "+ owner",
                    broken(BrokenLock::setIfAbsentForAWhile, BrokenLock::compareThenDelete),
                    List.of(Fault.SLOW_CALL),
                    Expected.OVERSOLD,
                    SURELY,
                    "it expired between compare and delete: the next one's was hit"),
            new Round(
                    "expiry-only",
                    "+ atomic delete",
                    broken(BrokenLock::setIfAbsentForAWhile, BrokenLock::compareAndDelete),
                    List.of(Fault.STOPPED_HOLDER),
                    Expected.OVERSOLD,
                    SURELY,
                    "a stopped holder outlived its expiry, woke up, wrote old news"),
            new Round(
                    "baton",
                    "Baton",
                    place -> new BatonLock(place.store(), place.lockName()),
                    List.of(Fault.SLOW_HOLDER, Fault.KILLED_HOLDER, Fault.STOPPED_HOLDER),
                    Expected.SAFE,
                    LATER,
                    "slow holder: renewed; killed: lease ended; stopped: refused"));

    private Rounds() {}

    public static Optional<Round> named(String name) {
        return ALL.stream().filter(round -> round.name().equals(name)).findFirst();
    }

    private static LockFactory broken(Take take, Free free) {
        return place -> new BrokenLock(place.keyValue(), take, free);
    }
}
