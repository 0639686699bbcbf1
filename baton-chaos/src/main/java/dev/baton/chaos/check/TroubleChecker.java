package dev.baton.chaos.check;

import dev.baton.LeaseLostException;
import dev.baton.StoreException;
import dev.baton.chaos.history.Trouble;
import dev.baton.chaos.lock.UnansweredException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Callers get no other exceptions than they are told of, and those only if there was a fault. A caller who waits for
 * milliseconds only may get one from a machine that is busy, too.
 */
final class TroubleChecker implements Checker {
    private static final Set<String> EXPECTED = Set.of(
            StoreException.class.getName(), LeaseLostException.class.getName(), UnansweredException.class.getName());

    /** How long after a fault its exceptions may come: the store timeout of the clients, and a second. */
    private static final Duration LATE = Duration.ofSeconds(5);

    /** Twice the time of a command: a busy machine may answer one of them too late. */
    private static final Duration BUSY = Duration.ofSeconds(2);

    @Override
    public String promise() {
        return "exceptions";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return evidence.history().troubles().stream()
                .filter(each -> !EXPECTED.contains(each.type())
                        || (each.waited().compareTo(BUSY) >= 0
                                && evidence.isQuietForAll(each.atNanos() - LATE.toNanos(), each.atNanos())))
                .map(each -> finding(evidence, each))
                .toList();
    }

    private Finding finding(Evidence evidence, Trouble trouble) {
        return evidence.finding(
                promise(),
                trouble.name(),
                trouble.atNanos(),
                trouble.atNanos(),
                "client " + trouble.client() + " got " + trouble.type() + ": " + trouble.message());
    }
}
