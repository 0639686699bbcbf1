package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockInfo;
import dev.baton.StoreException;
import dev.baton.cli.DurationConverter;
import dev.baton.cli.Printable;
import dev.baton.cli.Terminal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for a lock, and says for whom. */
final class Wait {
    /** Who waits shorter needs no explanation. */
    private static final long FIRST_LOOK_MILLIS = 300;

    private static final long NEXT_LOOK_MILLIS = 1_000;

    private final Baton baton;
    private final String name;
    private final Terminal err;
    private final boolean told;
    private boolean lineOpen;
    private String said = "";

    /**
     * A wait.
     *
     * @param told whether to say who holds the lock
     */
    Wait(Baton baton, String name, Terminal err, boolean told) {
        this.baton = baton;
        this.name = name;
        this.err = err;
        this.told = told;
    }

    /**
     * Waits.
     *
     * @param limit how long, or null for as long as it takes
     * @return the lease, or empty if somebody else has it all the time
     * @throws StoreException if the store does not answer
     */
    Optional<Lease> forLease(@Nullable Duration limit) throws InterruptedException {
        DistributedLock lock = baton.lock(name);
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
                throw e.getCause() instanceof StoreException failure
                        ? failure
                        : new IllegalStateException("waiting failed", e.getCause());
            }
        }
    }

    private void look() {
        try {
            baton.admin().inspect(name).ifPresent(info -> say(describe(info)));
        } catch (StoreException unknown) {
            say("waiting for '" + name + "'; the store does not answer");
        }
    }

    private String describe(LockInfo info) {
        String holder = info.holders().stream()
                .findFirst()
                .map(held -> ", held by " + held.description()
                        + (err.live() ? ", for another " + DurationConverter.text(held.remaining()) : ""))
                .orElse("");
        int others = info.waiters().size() - 1;
        return "waiting for '" + name + '\'' + holder + (others > 0 ? "; " + others + " more waiting" : "");
    }

    private void say(String text) {
        String line = "baton: " + Printable.of(text);
        if (err.live()) {
            err.out().print("\r\u001b[K" + (line.length() < err.width() ? line : line.substring(0, err.width() - 1)));
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
        }
    }
}
