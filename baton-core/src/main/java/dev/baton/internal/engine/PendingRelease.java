package dev.baton.internal.engine;

import dev.baton.spi.Cancel;
import org.jspecify.annotations.Nullable;

/** A release or an undo that is retried until the store answers, or cannot have the attempt any more. */
final class PendingRelease {
    final long attempt;
    /** How long this client had the hold; 0 for an attempt that is undone. */
    final long turnNanos;

    private final long untilNanos;
    private @Nullable Command onItsWay;

    PendingRelease(
            long attempt, HoldRequest request, EngineSettings settings, long now, long storeEndNanos, long turnNanos) {
        this.attempt = attempt;
        this.turnNanos = turnNanos;
        // An extended hold may live longer than its lease; a fiftieth allows for drift.
        long extended = Math.max(0, storeEndNanos - now);
        long life = Math.max(extended + extended / 50, Math.max(request.leaseNanos(), settings.presenceNanos()));
        this.untilNanos = now + life + settings.claimNanos();
    }

    void send(Command command, Outbox out) {
        onItsWay = command;
        out.send(command);
    }

    /** Undoes the attempt; if it became a hold, this releases it too. */
    void sendUndo(Engine engine, LocalResource resource, Outbox out) {
        send(new Command.Undo(engine, resource, new Cancel(resource.id(), attempt, engine.nextNumber())), out);
    }

    boolean isOnItsWay() {
        return onItsWay != null;
    }

    /** Records that a command got its answer, or failed; false if it is another command. */
    boolean returned(Command command) {
        boolean mine = onItsWay == command;
        if (mine) {
            onItsWay = null;
        }
        return mine;
    }

    /** Whether the store cannot have the attempt any more. */
    boolean isOver(long now) {
        return now - untilNanos >= 0;
    }
}
