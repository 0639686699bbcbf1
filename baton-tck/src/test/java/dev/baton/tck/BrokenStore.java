package dev.baton.tck;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A store with one flaw: the contracts must tell each such twin from a sound store. */
final class BrokenStore extends ForwardingStore {
    /** The flaw. */
    enum Flaw {
        /** None: the sound twin. */
        NONE,
        /** P8: releases with any token. */
        RELEASE_IGNORES_TOKEN,
        /** P8: releases with any attempt. */
        RELEASE_IGNORES_ATTEMPT,
        /** A confirmation moves the deadline. */
        CONFIRMATION_EXTENDS,
        /** P9: a cancel undoes only an attempt that has arrived. */
        CANCEL_FORGETS_LATE_ACQUIRE,
        /** P9: a refused try stays in the queue. */
        TRY_LEAVES_TICKET,
        /** The next waiter follows a failed holder at once. */
        LOCK_DELAY_IS_LOST,
        /** P16: polls are answered, but do not count as presence. */
        POLL_SHOWS_NO_PRESENCE,
        /** Force does not wait, so a holder still believes in a removed hold. */
        FORCE_NEVER_WAITS,
        /** The client is told a later deadline than the store keeps. */
        DEADLINE_IS_LATE,
        /** A note is written without the hold: by the client that has it, with any token. */
        NOTE_IGNORES_TOKEN,
        /** A write that comes late takes the place of a later one. */
        LATE_NOTE_WINS,
        /** An offer of a note is answered as taken, at any time. */
        NOTE_IS_TAKEN_BACK,
        /** A note goes with the hold of its writer. */
        NOTE_GOES_WITH_ITS_HOLD
    }

    private static final long TIMEOUT_NANOS = StoreClient.TIMEOUT_NANOS;

    private final Flaw flaw;
    private final String client;
    private final Store sound;
    private long arrivals;

    BrokenStore(Flaw flaw, String client, Store sound) {
        this.flaw = flaw;
        this.client = client;
        this.sound = sound;
    }

    @Override
    protected Store inner() {
        return sound;
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        boolean queues = flaw == Flaw.TRY_LEAVES_TICKET;
        Acquire.Reply reply = sound.acquire(
                new Acquire(
                        command.resource(),
                        command.attempt(),
                        command.weight(),
                        command.leaseMicros(),
                        flaw == Flaw.LOCK_DELAY_IS_LOST ? 0 : command.lockDelayMicros(),
                        command.description(),
                        queues ? Acquire.Mode.QUEUE : command.mode(),
                        command.secret()),
                timeoutNanos);
        if (flaw == Flaw.DEADLINE_IS_LATE && reply instanceof Acquire.Granted granted) {
            return new Acquire.Granted(granted.stamp(), granted.token(), granted.deadlineMicros() + 1);
        }
        if (queues && command.mode() == Acquire.Mode.TRY && reply instanceof Acquire.Queued queued) {
            return new Acquire.Held(queued.stamp(), List.of(), queued.remainingMicros(), queued.position());
        }
        return reply;
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        if (flaw == Flaw.CONFIRMATION_EXTENDS) {
            List<Heartbeat.Hold> holds =
                    command.holds().stream().map(BrokenStore::extending).toList();
            return sound.heartbeat(new Heartbeat(command.number(), holds, command.tickets()), timeoutNanos);
        }
        return flaw == Flaw.POLL_SHOWS_NO_PRESENCE ? unseen(command) : sound.heartbeat(command, timeoutNanos);
    }

    private static Heartbeat.Hold extending(Heartbeat.Hold hold) {
        return new Heartbeat.Hold(
                hold.resource(),
                hold.attempt(),
                hold.token(),
                hold.weight(),
                hold.leaseMicros(),
                hold.lockDelayMicros(),
                true,
                hold.description());
    }

    private Heartbeat.Reply unseen(Heartbeat command) throws StoreFailure {
        Heartbeat.Reply reply =
                sound.heartbeat(new Heartbeat(command.number(), command.holds(), List.of()), TIMEOUT_NANOS);
        List<Heartbeat.TicketReply> tickets = new ArrayList<>();
        for (Heartbeat.Ticket ticket : command.tickets()) {
            tickets.add(look(ticket));
        }
        return new Heartbeat.Reply(reply.stamp(), reply.holds(), tickets);
    }

    private Heartbeat.TicketReply look(Heartbeat.Ticket ticket) throws StoreFailure {
        Optional<ResourceView> view = inspect(ticket.resource().name(), TIMEOUT_NANOS);
        if (view.isEmpty()) {
            return new Heartbeat.Gone();
        }
        for (ResourceView.Hold hold : view.get().holds()) {
            if (hold.client().equals(client) && hold.attempt() == ticket.attempt()) {
                return new Heartbeat.TicketGranted(hold.token(), hold.deadlineMicros());
            }
        }
        for (int i = 0; i < view.get().tickets().size(); i++) {
            ResourceView.Ticket queued = view.get().tickets().get(i);
            if (queued.client().equals(client) && queued.attempt() == ticket.attempt()) {
                return new Heartbeat.Waiting(i, 0);
            }
        }
        return new Heartbeat.Gone();
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        long token = command.token();
        long attempt = command.attempt();
        for (ResourceView.Hold hold : holds(command.resource().name())) {
            if (hold.client().equals(client)) {
                if (flaw == Flaw.RELEASE_IGNORES_TOKEN && hold.attempt() == attempt) {
                    token = hold.token();
                } else if (flaw == Flaw.RELEASE_IGNORES_ATTEMPT && hold.token() == token) {
                    attempt = hold.attempt();
                }
            }
        }
        if (flaw == Flaw.NOTE_GOES_WITH_ITS_HOLD) {
            sound.forgetNote(command.resource().name(), timeoutNanos);
        }
        return sound.release(
                new Release(
                        command.resource(), attempt, token, command.number(), command.failed(), command.keepMicros()),
                timeoutNanos);
    }

    private List<ResourceView.Hold> holds(String name) throws StoreFailure {
        return inspect(name, TIMEOUT_NANOS).map(ResourceView::holds).orElse(List.of());
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        if (flaw == Flaw.CANCEL_FORGETS_LATE_ACQUIRE
                && inspect(command.resource().name(), timeoutNanos).isEmpty()) {
            return sound.heartbeat(new Heartbeat(command.number(), List.of(), List.of()), timeoutNanos)
                    .stamp();
        }
        return sound.cancel(command, timeoutNanos);
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        long token = command.token();
        for (ResourceView.Hold hold : holds(command.resource().name())) {
            if (flaw == Flaw.NOTE_IGNORES_TOKEN && hold.client().equals(client)) {
                token = hold.token();
            }
        }
        Note note = command.note();
        if (flaw == Flaw.LATE_NOTE_WINS) {
            note = new Note(note.token(), ++arrivals, note.bytes());
        }
        return sound.writeNote(new WriteNote(command.resource(), command.attempt(), token, note), timeoutNanos);
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        WriteNote.Reply reply = sound.restoreNote(name, note, timeoutNanos);
        return flaw == Flaw.NOTE_IS_TAKEN_BACK ? new WriteNote.Written(reply.stamp()) : reply;
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return sound.forceRelease(name, token, now || flaw == Flaw.FORCE_NEVER_WAITS, timeoutNanos);
    }
}
