package dev.baton.internal.engine;

import dev.baton.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * The end of one attempt at the store: a release, or an undo. An unanswered one is undone again and again, until the
 * store answers or cannot have the attempt any more. The release of a failed holder is repeated as such, because an undo
 * would end its lock-delay; and so is one that keeps the resource for a time. Guarded by its resource's lock.
 */
final class Ending {
    /** A release that must be repeated as such. */
    private record Released(Hold hold, boolean failed) {}

    private sealed interface Step {}

    private record Sent(Command command) implements Step {}

    private record Resting(long untilNanos) implements Step {}

    private final Surroundings around;
    private final Resource resource;
    private final long attempt;
    private final @Nullable Released released;
    private final long turnNanos;
    private final long untilNanos;
    private Step step;

    private Ending(
            Surroundings around,
            Resource resource,
            long attempt,
            @Nullable Released released,
            HoldRequest request,
            long storeEndNanos,
            long turnNanos,
            Command first,
            long now) {
        this.around = around;
        this.resource = resource;
        this.attempt = attempt;
        this.released = released;
        this.turnNanos = turnNanos;
        // An extended hold may live longer than its lease; a fiftieth allows for drift.
        long extended = Math.max(0, storeEndNanos - now);
        EngineSettings settings = around.settings();
        long life = Math.max(extended + extended / 50, Math.max(request.leaseNanos(), settings.presenceNanos()));
        life = Math.max(life, settings.longestSessionNanos());
        this.untilNanos = now + life + settings.claimNanos();
        this.step = new Sent(first);
    }

    /** Releases a hold. */
    static Ending ofHold(
            Surroundings around, Resource resource, Hold hold, @Nullable Releasing releasing, long now, Outbox out) {
        Released kept = hold.keepNanos(now) > 0 ? new Released(hold, false) : null;
        return ofHold(around, resource, hold, kept, around.free(resource, hold, false, releasing, now), now, out);
    }

    /** Ends a hold that this client has lost, at a store that does not end it by itself. */
    static Ending ofFailedHold(Surroundings around, Resource resource, Hold hold, long now, Outbox out) {
        Command first = around.free(resource, hold, true, null, now);
        return ofHold(around, resource, hold, new Released(hold, true), first, now, out);
    }

    private static Ending ofHold(
            Surroundings around,
            Resource resource,
            Hold hold,
            @Nullable Released released,
            Command first,
            long now,
            Outbox out) {
        out.send(first);
        return new Ending(
                around,
                resource,
                hold.attempt,
                released,
                hold.request,
                hold.belief.storeEndNanos(),
                now - hold.grantedNanos,
                first,
                now);
    }

    /** Undoes an attempt; if it became a hold, this releases it too. */
    static Ending ofAttempt(Surroundings around, Command.Ask asked, long now, Outbox out) {
        Command first = around.undo(asked.resource(), asked.attempt());
        out.send(first);
        return new Ending(around, asked.resource(), asked.attempt(), null, asked.request, now, 0, first, now);
    }

    long attempt() {
        return attempt;
    }

    /** How long this client had the hold; 0 for an attempt that is undone. */
    long turnNanos() {
        return turnNanos;
    }

    /** Whether this command is the one whose answer is awaited. */
    boolean awaits(Command command) {
        return step instanceof Sent sent && sent.command() == command;
    }

    /** Rests before the attempt is undone again; false if the store cannot have it any more. */
    boolean restAfterFailure(long pauseNanos, long now) {
        step = new Resting(now + pauseNanos);
        return now - untilNanos < 0;
    }

    void tick(long now, Outbox out) {
        if (step instanceof Resting resting && now - resting.untilNanos() >= 0) {
            Command again = released == null
                    ? around.undo(resource, attempt)
                    : around.free(resource, released.hold(), released.failed(), null, now);
            step = new Sent(again);
            out.send(again);
        }
    }

    /** Leaves it to the closing client. */
    void close(Closing closing, long now) {
        if (released == null) {
            closing.cancel(around.cancel(resource, attempt));
        } else {
            closing.release(around.release(resource, released.hold(), released.failed(), now));
        }
    }

    /** When {@link #tick} has something to do; far away while a command is on its way. */
    long nextNanos(long now) {
        return step instanceof Resting resting ? resting.untilNanos() : now + EngineSettings.FAR_NANOS;
    }
}
