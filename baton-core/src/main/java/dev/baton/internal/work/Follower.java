package dev.baton.internal.work;

import dev.baton.BatonException;
import dev.baton.Election;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells a follower who leads, on a thread of its own. Thread-safe. */
final class Follower extends ThreadDuty {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Election election;
    private final Host host;
    private final Consumer<Optional<Election.Leader>> follower;
    private boolean isFirst = true;
    private Optional<Election.Leader> told = Optional.empty();

    Follower(Election election, Host host, Consumer<Optional<Election.Leader>> follower) {
        super(host, "baton-follower-" + election.name());
        this.election = election;
        this.host = host;
        this.follower = follower;
    }

    @Override
    void work() {
        try {
            while (!isOver()) {
                look();
                host.rest(PERIOD);
            }
        } catch (InterruptedException ended) {
            // By close.
        }
    }

    private void look() {
        try {
            Optional<Election.Leader> now = election.leader();
            if (isFirst || !isSame(told, now)) {
                isFirst = false;
                told = now;
                follower.accept(now);
            }
        } catch (BatonException unknown) {
            // While it is unknown who leads, the follower hears nothing.
        } catch (RuntimeException thrown) {
            host.log(System.Logger.Level.ERROR, "a follower of \"" + election.name() + "\" failed", thrown);
        }
    }

    private static boolean isSame(Optional<Election.Leader> one, Optional<Election.Leader> other) {
        return one.map(Election.Leader::description).equals(other.map(Election.Leader::description))
                && one.map(Election.Leader::clientId).equals(other.map(Election.Leader::clientId))
                && Arrays.equals(
                        one.flatMap(Election.Leader::note).orElse(null),
                        other.flatMap(Election.Leader::note).orElse(null));
    }
}
