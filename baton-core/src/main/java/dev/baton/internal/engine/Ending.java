package dev.baton.internal.engine;

import org.jspecify.annotations.Nullable;

/** An attempt that is being released or undone, again and again until the store answers or has forgotten it anyway. */
final class Ending {
    final long attempt;
    private final long untilNanos;
    private @Nullable Command onItsWay;

    Ending(long attempt, Want want, EngineSettings settings, long now) {
        this.attempt = attempt;
        this.untilNanos = now + Math.max(want.leaseNanos(), settings.presenceNanos()) + settings.claimNanos();
    }

    void send(Command command, Outbox out) {
        onItsWay = command;
        out.send(command);
    }

    boolean isOnItsWay() {
        return onItsWay != null;
    }

    /** Takes note of an answer, or of its lack; false if it belongs to another command. */
    boolean returned(Command command) {
        boolean mine = onItsWay == command;
        if (mine) {
            onItsWay = null;
        }
        return mine;
    }

    /** Whether the store cannot have anything of it any more. */
    boolean isOver(long now) {
        return now - untilNanos >= 0;
    }
}
