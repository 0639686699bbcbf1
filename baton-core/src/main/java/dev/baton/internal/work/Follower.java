package dev.baton.internal.work;

import dev.baton.BatonException;
import dev.baton.Election;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a follower who leads, on a thread of its own. Thread-safe. */
final class Follower implements Duty {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Election election;
    private final Host host;
    private final Consumer<Optional<Election.Leader>> follower;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    Follower(Election election, Host host, Consumer<Optional<Election.Leader>> follower) {
        this.election = election;
        this.host = host;
        this.follower = follower;
    }

    @Override
    public void start(Runnable onEnd) {
        thread = host.start("baton-follower-" + election.name(), () -> {
            try {
                work();
            } finally {
                onEnd.run();
            }
        });
    }

    private void work() {
        Optional<Election.Leader> told = Optional.empty();
        boolean first = true;
        while (!closed && !host.isClosed()) {
            try {
                Optional<Election.Leader> now = election.leader();
                if (first || !isSame(told, now)) {
                    first = false;
                    told = now;
                    follower.accept(now);
                }
                host.rest(PERIOD);
            } catch (InterruptedException ended) {
                return;
            } catch (BatonException unknown) {
                rest();
            } catch (RuntimeException thrown) {
                host.log(System.Logger.Level.ERROR, "a follower of \"" + election.name() + "\" failed", thrown);
                rest();
            }
        }
    }

    private void rest() {
        try {
            host.rest(PERIOD);
        } catch (InterruptedException ended) {
            closed = true;
        }
    }

    private static boolean isSame(Optional<Election.Leader> one, Optional<Election.Leader> other) {
        return one.map(Election.Leader::description).equals(other.map(Election.Leader::description))
                && one.map(Election.Leader::clientId).equals(other.map(Election.Leader::clientId))
                && Arrays.equals(
                        one.flatMap(Election.Leader::note).orElse(null),
                        other.flatMap(Election.Leader::note).orElse(null));
    }

    @Override
    public void close() {
        closed = true;
        Thread working = thread;
        if (working != null && working != Thread.currentThread()) {
            working.interrupt();
        }
    }

    @Override
    public void join(Duration time) throws InterruptedException {
        Thread working = thread;
        if (working != null && working != Thread.currentThread()) {
            working.join(Math.max(1, time.toMillis()));
        }
    }
}
