package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.StoreException;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.Fit;
import dev.baton.cli.console.Grace;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Who;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for a lock, and reports its holder. */
final class Wait {
    /** A shorter wait needs no explanation. */
    private static final long FIRST_LOOK_MILLIS = 300;

    private static final long NEXT_LOOK_MILLIS = 1_000;

    private static final String PREFIX = "baton: ";

    /** The lock's name takes at most this part of a terminal's line. */
    private static final int NAME_SHARE = 4;

    private final Baton baton;
    private final DistributedLock lock;
    private final String name;
    private final Terminal err;
    private final boolean told;
    private boolean lineOpen;
    private String said = "";

    /**
     * Makes a wait.
     *
     * @param told whether to report the lock's holder
     */
    Wait(Baton baton, DistributedLock lock, Terminal err, boolean told) {
        this.baton = baton;
        this.lock = lock;
        this.name = lock.name();
        this.err = err;
        this.told = told;
    }

    /**
     * Waits for the lock.
     *
     * @param limit how long, or null for as long as it takes
     * @return the lease, or empty if another client holds it all the time
     * @throws StoreException if the store does not answer
     */
    Optional<Lease> forLease(@Nullable Duration limit) throws InterruptedException {
        if (!told) {
            return limit == null ? Optional.of(lock.acquire()) : lock.tryAcquire(limit);
        }
        CompletableFuture<Optional<Lease>> future =
                limit == null ? lock.acquireAsync().thenApply(Optional::of) : lock.tryAcquireAsync(limit);
        try {
            return await(future);
        } finally {
            closeLine();
        }
    }

    private Optional<Lease> await(CompletableFuture<Optional<Lease>> future) throws InterruptedException {
        long pause = FIRST_LOOK_MILLIS;
        while (true) {
            try {
                return future.get(pause, TimeUnit.MILLISECONDS);
            } catch (TimeoutException stillWaiting) {
                look();
                pause = NEXT_LOOK_MILLIS;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof BatonException failure
                        ? failure
                        : new IllegalStateException("waiting failed", e.getCause());
            }
        }
    }

    private void look() {
        try {
            lock.inspect()
                    .filter(info -> !isHeldHere(info))
                    .ifPresent(info -> say(waitingFor(info) + whyNobodyHasIt(info)));
        } catch (StoreException unknown) {
            say("waiting for '" + Printable.of(name) + "'; the store does not answer");
        }
    }

    /** The store has granted it, and the answer is on its way: nobody else is in the way. */
    private boolean isHeldHere(LockInfo info) {
        return info.holders().stream().anyMatch(held -> held.clientId().equals(baton.clientId()));
    }

    /** Waiting behind no holder is rare, so the store is asked about a grace period only then. */
    private String whyNobodyHasIt(LockInfo info) {
        return info.holders().isEmpty()
                ? Grace.of(baton.admin()).map(now -> "; " + now.words()).orElse("")
                : "";
    }

    /** Returns the message; on a terminal it fits in one line, and the holder is shortened first. */
    private String waitingFor(LockInfo info) {
        Optional<Who> holder = holder(info);
        int others = info.waiters().size() - 1;
        String end = holder.filter(who -> err.live() && who.since() != null)
                        .map(who -> " for " + who.age())
                        .orElse("")
                + (others > 0 ? "; " + others + " more waiting" : "");
        String beginning = "waiting for '" + shortName() + '\'' + (holder.isPresent() ? ", held by " : "");
        int room =
                err.live() ? err.width() - PREFIX.length() - beginning.length() - end.length() - 1 : Integer.MAX_VALUE;
        return beginning + holder.map(who -> Fit.middle(who.name(), room)).orElse("") + end;
    }

    private static Optional<Who> holder(LockInfo info) {
        return info.holders().stream().findFirst().map(held -> Who.of(held.description()));
    }

    private String shortName() {
        return Fit.middle(Printable.of(name), err.live() ? err.width() / NAME_SHARE : Integer.MAX_VALUE);
    }

    /**
     * Reports the lock's holder, since when it holds the lock and for how much longer at most. Used when this wait
     * gives up.
     *
     * @param waited how long this wait took
     */
    void sayWhoHasIt(Duration waited) {
        String after = waited.toMillis() < FIRST_LOOK_MILLIS ? "" : " after " + DurationConverter.text(waited);
        tell("somebody else has '" + shortName() + "'" + after + ": nothing was started");
        try {
            lock.inspect().flatMap(info -> info.holders().stream().findFirst()).ifPresent(held -> {
                Who who = Who.of(held.description());
                Duration left = held.remaining().isNegative() ? Duration.ZERO : held.remaining();
                tell("held by " + who.name());
                tell((who.since() == null ? "" : "since " + who.since() + ", for " + who.age() + "; ")
                        + "if not renewed, for another " + DurationConverter.text(left));
            });
        } catch (StoreException unknown) {
            tell("who that is the store does not tell at the moment");
        }
    }

    private void tell(String text) {
        String line = PREFIX + text;
        err.out().println(err.isTerminal() ? Fit.middle(line, err.width()) : line);
    }

    private void say(String text) {
        String line = PREFIX + text;
        if (err.live()) {
            err.out().print("\r\u001b[K" + Fit.middle(line, err.width() - 1));
            err.out().flush();
            lineOpen = true;
        } else if (!line.equals(said)) {
            err.out().println(line);
        }
        said = line;
    }

    private void closeLine() {
        if (lineOpen) {
            err.out().print("\r\u001b[K");
            err.out().flush();
            lineOpen = false;
        }
    }
}
