package dev.baton.internal.client;

import dev.baton.internal.engine.Closing;
import dev.baton.spi.Cancel;
import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The last commands of a closing client: the releases of all its holds in one batch, then its cancels. A command
 * without an answer is retried until the time for closing is over, because a lock that stays held delays other clients
 * for a whole lease. All commands are idempotent. Belongs to one thread.
 */
final class LastCommands {
    private static final long PAUSE_MIN_NANOS = 10_000_000;
    private static final long PAUSE_MAX_NANOS = 200_000_000;
    private static final int NAMES_SHOWN = 3;

    /** Sends one command. */
    private interface Sending {
        void send(Store store, long timeoutNanos) throws StoreFailure;
    }

    /** One command without its answer. */
    private record Last(String name, boolean frees, Sending sending) {
        static Last of(Release release) {
            return new Last(release.resource().name(), true, (store, limit) -> store.release(release, limit));
        }

        static Last of(Cancel cancel) {
            return new Last(cancel.resource().name(), false, (store, limit) -> store.cancel(cancel, limit));
        }
    }

    private final Store store;
    private final Closing closing;
    private final long silenceNanos;
    private Deque<Last> left = new ArrayDeque<>();

    /** Commands that the store refuses for a permanent reason. */
    private final List<Last> refused = new ArrayList<>();

    private @Nullable Exception lastFailure;

    /**
     * Creates the last commands of a client.
     *
     * @param store receives them
     * @param closing the holds and attempts to end
     * @param silenceNanos how long one command may take
     */
    LastCommands(Store store, Closing closing, long silenceNanos) {
        this.store = store;
        this.closing = closing;
        this.silenceNanos = silenceNanos;
    }

    /**
     * Sends the commands.
     *
     * @param limitNanos time for all of them together
     * @return text for users on the locks that stay at the store; empty if none stays
     */
    String run(long limitNanos) {
        Deadline deadline = Deadline.in(limitNanos);
        if (!releaseTogether(deadline)) {
            closing.releases().forEach(release -> left.add(Last.of(release)));
        }
        closing.cancels().forEach(cancel -> left.add(Last.of(cancel)));
        long pause = PAUSE_MIN_NANOS;
        while (sendEach(deadline) && deadline.leftNanos() > pause) {
            idle(pause);
            pause = Math.min(2 * pause, PAUSE_MAX_NANOS);
        }
        left.addAll(refused);
        return left.isEmpty() ? "" : whatIsLeft();
    }

    private boolean releaseTogether(Deadline deadline) {
        List<Release> releases = closing.releases();
        if (releases.isEmpty()) {
            return true;
        }
        try {
            // The limit of one command, or half of the time if that is longer: a server that swallows this must be
            // asked again.
            store.releaseAll(
                    releases, Math.max(Math.min(silenceNanos, deadline.leftNanos()), deadline.leftNanos() / 2));
            return true;
        } catch (StoreFailure | RuntimeException unanswered) {
            lastFailure = unanswered;
            return false;
        }
    }

    /** Sends each remaining command once, and keeps those without an answer; returns whether any is left. */
    private boolean sendEach(Deadline deadline) {
        Deque<Last> unanswered = new ArrayDeque<>();
        boolean reachable = true;
        while (!left.isEmpty()) {
            Last command = left.poll();
            long time = Math.min(silenceNanos, deadline.leftNanos());
            if (!reachable || time <= 0) {
                unanswered.add(command);
            } else if (!isAnswered(command, time)) {
                (isFinal() ? refused : unanswered).add(command);
                reachable = !isUnreachable();
            }
        }
        left = unanswered;
        return !left.isEmpty();
    }

    private boolean isAnswered(Last command, long timeNanos) {
        try {
            command.sending().send(store, timeNanos);
            return true;
        } catch (StoreFailure | RuntimeException failure) {
            lastFailure = failure;
            return false;
        }
    }

    /** If one command finds no server, the next will not either, and would only use up the time of a later retry. */
    private boolean isUnreachable() {
        return lastFailure instanceof StoreFailure failure && failure.reason() == StoreFailure.Reason.UNREACHABLE;
    }

    private boolean isFinal() {
        return lastFailure instanceof StoreFailure failure
                && failure.effect() == StoreFailure.Effect.NONE
                && (failure.reason() == StoreFailure.Reason.UNFIT || failure.reason() == StoreFailure.Reason.DENIED);
    }

    private String whatIsLeft() {
        List<String> names = new ArrayList<>();
        left.stream().limit(NAMES_SHOWN).forEach(command -> names.add('"' + command.name() + '"'));
        String more = left.size() > NAMES_SHOWN ? " and " + (left.size() - NAMES_SHOWN) + " more" : "";
        long holds = left.stream().filter(Last::frees).count();
        return "closed without an answer to the release of " + holds + " locks and the withdrawal of "
                + (left.size() - holds) + " requests (" + String.join(", ", names) + more
                + "): those that remain end with their leases ("
                + (lastFailure == null ? "no time was left" : lastFailure.getMessage()) + ")";
    }

    /** Pauses in real time. Ignores interrupts, which are for the caller of {@code close}. */
    private static void idle(long nanos) {
        Deadline end = Deadline.in(nanos);
        boolean interrupted = false;
        while (end.leftNanos() > 0) {
            LockSupport.parkNanos(end.leftNanos());
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
