package dev.baton.internal.engine;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A resource's asking side: at most one attempt at the store, which no caller owns. When the caller for which it was
 * made gives up, the next one inherits it. Guarded by its resource's lock.
 *
 * <pre>
 *   Idle ──ask──▶ Asked ──queued──▶ Queued          Asked, Queued ──granted──▶ Idle, and a {@link Holding} begins
 *    ▲              │ no answer       │ unwanted
 *    │              ▼                 ▼
 *    ├── freed ── Undoing ◀───────────┘
 *    └── time ─── Paused ◀── refused, or another client's turn
 * </pre>
 *
 * <p>An answer is for the present attempt if it answers its command, or names its number. Others have no effect.
 */
final class Asking {
    private sealed interface State {}

    private record Idle() implements State {}

    /** The request is on its way; a push may overtake its answer. */
    private static final class Asked implements State {
        final Command.Ask command;

        /** The caller for which it was made. */
        final Waiter head;

        @Nullable
        Push early;

        Asked(Command.Ask command, Waiter head) {
            this.command = command;
            this.head = head;
        }
    }

    private record Queued(Command.Ask command, TicketBeat beat) implements State {}

    private record Undoing(Ending ending) implements State {}

    private record Paused(long untilNanos) implements State {}

    private static final State IDLE = new Idle();

    private final Surroundings around;
    private final Resource id;
    private State state = IDLE;

    Asking(Surroundings around, Resource id) {
        this.around = around;
        this.id = id;
    }

    boolean isIdle() {
        return state == IDLE;
    }

    /** Begins a new attempt on behalf of a caller. */
    void ask(Waiter head, Acquire.Mode mode, Outbox out) {
        EngineSettings settings = around.settings();
        HoldRequest request = head.request;
        Acquire acquire = new Acquire(
                id,
                around.nextNumber(),
                request.weight(),
                request.firstLeaseNanos() / 1_000,
                request.lockDelayNanos() / 1_000,
                head.description(),
                mode,
                mode == Acquire.Mode.QUEUE ? around.nextSecret() : 0);
        Command.Ask command =
                new Command.Ask(acquire, request, Math.min(settings.silenceNanos(), settings.storeTimeoutNanos()));
        state = new Asked(command, head);
        out.send(command);
    }

    /** Whether this command's answer is awaited. */
    boolean awaits(Command.Ask command) {
        return state instanceof Asked asked && asked.command == command;
    }

    @Nullable
    TicketBeat ticket() {
        return state instanceof Queued queued ? queued.beat() : null;
    }

    /** Whether the caller's attempt has a ticket for another part of the resource than a caller wants. */
    boolean isQueuedForOtherThan(HoldRequest wanted) {
        return state instanceof Queued queued && queued.command().request.weight() != wanted.weight();
    }

    /** Tells the store in time who waits with the ticket, if that is another caller than before. */
    void inherit(Waiter head, long now) {
        if (state instanceof Queued queued) {
            queued.beat().isFor(head, now);
        }
    }

    /** Takes a place in the store's queue; returns the push that came before, or null. */
    @Nullable
    Push queued(Command.Ask command, Acquire.Queued place, long now) {
        if (!(state instanceof Asked asked)) {
            throw new IllegalStateException("no request is on its way");
        }
        Push early = asked.early;
        TicketBeat beat = new TicketBeat(around.settings(), asked.head, now);
        beat.answered(now, place.position(), place.remainingMicros());
        state = new Queued(command, beat);
        return early;
    }

    /** Returns the attempt that a push grants now, or null: it is for none, forged, or came early and is kept. */
    Command.@Nullable Ask pushed(Push push, Outbox out) {
        Command.Ask command = attempt();
        if (command == null || command.attempt() != push.attempt()) {
            return null;
        }
        if (command.acquire.secret() != push.secret()) {
            around.countForged(out);
            return null;
        }
        if (state instanceof Asked asked) {
            asked.early = push;
            return null;
        }
        return command;
    }

    /** The attempt that may become a hold; null if there is none. */
    Command.@Nullable Ask attempt() {
        if (state instanceof Asked asked) {
            return asked.command;
        }
        return state instanceof Queued queued ? queued.command() : null;
    }

    /** Returns the queued attempt of that number; null if it is another, or is not queued. */
    Command.@Nullable Ask queuedAs(long attempt) {
        return state instanceof Queued queued && queued.command().attempt() == attempt ? queued.command() : null;
    }

    /** Has the store asked about the ticket at once, because it may have changed. */
    void askAgain() {
        if (state instanceof Queued queued) {
            queued.beat().beatNow();
        }
    }

    /** The attempt became a hold, or is gone. */
    void over() {
        state = IDLE;
    }

    /** Lets the store rest before the next attempt, or another client take its turn. */
    void pause(long nanos, long now) {
        state = nanos == 0 ? IDLE : new Paused(now + nanos);
    }

    /** Undoes the attempt: nobody waits for it, or it may have been granted by an answer that was lost. */
    void undo(long now, Outbox out) {
        Command.Ask attempt = attempt();
        if (attempt != null) {
            state = new Undoing(Ending.ofAttempt(around, attempt, now, out));
        }
    }

    /** No caller waits any more: a ticket is given back, and a pause ends. A request on its way decides itself. */
    void unwanted(long now, Outbox out) {
        if (state instanceof Queued) {
            undo(now, out);
        } else if (state instanceof Paused) {
            state = IDLE;
        }
    }

    /** The undoing whose answer this command brings; null if it is not awaited. */
    @Nullable
    Ending undoing(Command command) {
        return state instanceof Undoing undoing && undoing.ending().awaits(command) ? undoing.ending() : null;
    }

    void tick(long now, HeartbeatBatch batch, Outbox out) {
        if (state instanceof Undoing undoing) {
            undoing.ending().tick(now, out);
        } else if (state instanceof Paused paused && now - paused.untilNanos() >= 0) {
            state = IDLE;
        } else if (state instanceof Queued queued && queued.beat().isDue(now)) {
            queued.beat().sent();
            batch.add(new Heartbeat.Ticket(
                    id, queued.command().attempt(), queued.beat().untold()));
        }
    }

    /** When {@link #tick} has something to do. */
    long nextNanos(long now) {
        if (state instanceof Queued queued) {
            return queued.beat().dueNanos();
        }
        if (state instanceof Undoing undoing) {
            return undoing.ending().nextNanos(now);
        }
        return state instanceof Paused paused ? paused.untilNanos() : now + EngineSettings.FAR_NANOS;
    }

    /** Ends the attempt with the client, which undoes it itself. */
    void close(Closing closing, long now) {
        Command.Ask attempt = attempt();
        if (attempt != null) {
            closing.cancel(around.cancel(id, attempt.attempt()));
        } else if (state instanceof Undoing undoing) {
            undoing.ending().close(closing, now);
        }
        state = IDLE;
    }
}
