package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One name inside a transaction: its rows are loaded, the abstract state machine works on them, and the changes are
 * written back. Not thread-safe.
 */
final class ResourceRow {
    private record Key(String client, long attempt) {}

    private final Tables tables;
    private final Session session;
    private final String name;
    private final Timings timings;
    private final Snapshot loaded;
    private final StoreLedger ledger;
    private ResourceState state;
    private boolean touched;

    /** Creates a name from its loaded rows. */
    ResourceRow(Tables tables, Session session, Resource asked, Timings timings, Snapshot loaded, Stamp stamp) {
        this.tables = tables;
        this.session = session;
        this.name = asked.name();
        this.timings = timings;
        this.loaded = loaded;
        this.ledger = new StoreLedger(tables, session, asked.name(), stamp, loaded.lastToken());
        this.state = loaded.state(asked, timings, stamp.nowMicros());
    }

    /** Returns whether the tables know the name. */
    boolean isKnown() {
        return !loaded.isEmpty();
    }

    /** Returns the state to run a command on; a free name takes the kind and capacity that the command asks for. */
    ResourceState stateFor(Resource asked) {
        if (state.isIdle(now())) {
            state = new ResourceState(asked, timings);
        }
        return state;
    }

    /** Returns the state, unchanged. */
    ResourceState state() {
        return state;
    }

    StoreLedger ledger() {
        return ledger;
    }

    /** Returns whether enough of the queue was read for the machine's decision. */
    boolean sawEnough() {
        return !loaded.queue().isExhaustedBy(state);
    }

    /** Runs an acquire. */
    Acquire.Reply acquire(String client, Acquire command) {
        Acquire.Reply reply = stateFor(command.resource()).acquire(client, command, ledger);
        return loaded.queue().told(reply, state);
    }

    /**
     * Runs one hold of a heartbeat.
     *
     * <p>In a grace period it restores a missing hold, with two exceptions. If the end of the attempt was recorded, the
     * heartbeat was sent before its client released the hold, and the client must ask again. If a later token was drawn
     * for a name with one hold at a time, the named hold had ended before.
     */
    Heartbeat.HoldReply heartbeat(String client, Heartbeat.Hold named, long number) {
        if (ledger.stamp().graceMicros() > 0 && loaded.heldUntil(client, named) == null) {
            if (ledger.isFinished(client, named.attempt())) {
                return new Heartbeat.AskAgain();
            }
            if (named.resource().capacity() == 1 && named.token() < loaded.lastToken()) {
                return new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
            }
        }
        return stateFor(named.resource()).heartbeat(client, named, number, ledger);
    }

    /** Runs one ticket of a heartbeat. */
    Heartbeat.TicketReply heartbeat(String client, Heartbeat.Ticket ticket) {
        Heartbeat.TicketReply reply = stateFor(ticket.resource()).heartbeat(client, ticket, ledger);
        return loaded.queue().told(reply, state);
    }

    /** Writes the name's row in any case, so that a command that read the clock before sees a later time there. */
    void touch() {
        touched = true;
    }

    /** Frees the name if everything in its rows is over. */
    void freeIfOver() {
        boolean waitedFor = state.tickets().stream().anyMatch(ticket -> ticket.presentUntilMicros() > now());
        if (!waitedFor) {
            state.advance(ledger);
        }
    }

    /**
     * Writes the changes. The row of a free name stays, because it keeps the name's last token, and because another
     * transaction may wait for it; a sweep deletes it later.
     */
    void save() throws SQLException {
        ledger.tell();
        if (state.isIdle(now())) {
            state = new ResourceState(Resource.lock(name), timings);
        }
        saveTickets();
        saveLeases();
    }

    private long now() {
        return ledger.stamp().nowMicros();
    }

    private void saveTickets() throws SQLException {
        List<Ticket> tickets = state.tickets();
        if (tickets.equals(loaded.queue().tickets())) {
            return;
        }
        Queue queue = loaded.queue();
        Map<Key, Integer> before = new LinkedHashMap<>();
        for (int i = 0; i < queue.tickets().size(); i++) {
            before.put(key(queue.tickets().get(i)), i);
        }
        for (Ticket ticket : tickets) {
            Integer at = before.remove(key(ticket));
            if (at == null) {
                tables.addTicket(session, name, ticket);
            } else if (!ticket.equals(queue.tickets().get(at))) {
                tables.saveTicket(session, name, queue.places().get(at), ticket);
            }
        }
        tables.deleteTickets(
                session, name, before.values().stream().map(queue.places()::get).toList());
    }

    private void saveLeases() throws SQLException {
        boolean single = state.resource().capacity() == 1;
        boolean fresh = !state.resource().equals(loaded.resource());
        boolean known = loaded.resource() != null || !state.isIdle(now()) || ledger.lastToken() != loaded.lastToken();
        if (known
                && (fresh
                        || touched
                        || !loaded.matchesName(state)
                        || ledger.lastToken() != loaded.lastToken()
                        || (single && !state.holds().equals(loaded.holds())))) {
            @Nullable
            Hold hold = single && !state.holds().isEmpty() ? state.holds().get(0) : null;
            tables.saveLease(session, loaded.hasNameRow(), seat(0, ledger.lastToken()), state, hold, now());
        }
        saveShares(single ? List.of() : state.holds());
    }

    /** Writes the holds of a larger capacity: each has its own row, in the order of the grants. */
    private void saveShares(List<Hold> shares) throws SQLException {
        Map<Key, Integer> before = new HashMap<>();
        long last = 0;
        for (int i = 0; i < loaded.holds().size(); i++) {
            if (loaded.seats().get(i) > 0) {
                before.put(key(loaded.holds().get(i)), i);
                last = loaded.seats().get(i);
            }
        }
        for (Hold hold : shares) {
            Integer at = before.remove(key(hold));
            if (at == null) {
                tables.saveLease(session, false, seat(++last, hold.token()), state, hold, now());
            } else if (!hold.equals(loaded.holds().get(at)) || !state.resource().equals(loaded.resource())) {
                tables.saveLease(session, true, seat(loaded.seats().get(at), hold.token()), state, hold, now());
            }
        }
        for (int gone : before.values()) {
            tables.deleteLease(session, name, loaded.seats().get(gone));
        }
    }

    private Tables.Seat seat(long number, long token) {
        return new Tables.Seat(number, token, loaded.queue().size(state));
    }

    private static Key key(Hold hold) {
        return new Key(hold.client(), hold.attempt());
    }

    private static Key key(Ticket ticket) {
        return new Key(ticket.client(), ticket.attempt());
    }
}
