package dev.baton.chaos.check;

import dev.baton.LeaseLostException;
import dev.baton.StoreException;
import dev.baton.chaos.history.Trouble;
import dev.baton.chaos.lock.UnansweredException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Callers get no other exceptions than they are told of, and those only if there was a fault. */
final class TroubleChecker implements Checker {
    private static final Set<String> EXPECTED = Set.of(
            StoreException.class.getName(), LeaseLostException.class.getName(), UnansweredException.class.getName());

    /** How long after a fault its exceptions may come: the store timeout of the clients, and a second. */
    private static final Duration LATE = Duration.ofSeconds(5);

    @Override
    public String promise() {
        return "exceptions";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return evidence.history().troubles().stream()
                .filter(each -> !EXPECTED.contains(each.type())
                        || evidence.isQuiet(each.atNanos() - LATE.toNanos(), each.atNanos()))
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
