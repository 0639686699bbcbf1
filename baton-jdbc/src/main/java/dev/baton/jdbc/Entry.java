package dev.baton.jdbc;

import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One name inside a transaction: loaded, worked on by the abstract machine, and written back as far as it changed.
 * Not thread-safe.
 */
final class Entry {
    private record Key(String client, long attempt) {}

    private final Tables tables;
    private final Session session;
    private final String name;
    private final Timings timings;
    private final Snapshot loaded;
    private final Moment moment;
    private ResourceState state;

    private Entry(Tables tables, Session session, Resource asked, Timings timings, Snapshot loaded, Moment moment) {
        this.tables = tables;
        this.session = session;
        this.name = asked.name();
        this.timings = timings;
        this.loaded = loaded;
        this.moment = moment;
        this.state = loaded.state(asked, timings, moment.stamp().nowMicros());
    }

    /** Loads a name. */
    static Entry load(Tables tables, Session session, Resource asked, Timings timings, Stamp stamp)
            throws SQLException {
        Snapshot loaded = tables.load(session, asked.name());
        Moment moment = new Moment(tables, session, asked.name(), stamp, loaded.lastToken());
        return new Entry(tables, session, asked, timings, loaded, moment);
    }

    /** Whether the tables know anything of the name. */
    boolean isKnown() {
        return !loaded.isEmpty();
    }

    /** The state to run a command on; a name that became free stands for what is asked now. */
    ResourceState stateFor(Resource asked) {
        if (state.isIdle(now())) {
            state = new ResourceState(asked, timings);
        }
        return state;
    }

    /** The state, as it is. */
    ResourceState state() {
        return state;
    }

    Moment moment() {
        return moment;
    }

    /** Deletes the name's rows if all that they say is over. */
    void forgetIfOver() throws SQLException {
        boolean waitedFor = state.tickets().stream().anyMatch(ticket -> ticket.presentUntilMicros() > now());
        if (!waitedFor) {
            state.advance(moment);
            if (state.isIdle(now())) {
                forget();
            }
        }
    }

    /** Writes what changed. */
    void save() throws SQLException {
        if (state.isIdle(now())) {
            forget();
            return;
        }
        boolean fresh = !state.resource().equals(loaded.resource());
        if (fresh && loaded.resource() != null) {
            tables.deleteLeases(session, name);
        }
        saveTickets();
        saveLeases(fresh);
    }

    private long now() {
        return moment.stamp().nowMicros();
    }

    private void forget() throws SQLException {
        boolean drewToken = moment.lastToken() != loaded.lastToken();
        if (moment.lastToken() > 0 && (drewToken || loaded.resource() != null)) {
            tables.raiseHighWater(session, name, moment.lastToken());
        }
        if (loaded.resource() != null) {
            tables.deleteLeases(session, name);
        }
        for (long place : loaded.places()) {
            tables.deleteTicket(session, name, place);
        }
    }

    private void saveTickets() throws SQLException {
        List<Ticket> tickets = state.tickets();
        if (tickets.equals(loaded.tickets())) {
            return;
        }
        Map<Key, Integer> before = new HashMap<>();
        long last = 0;
        for (int i = 0; i < loaded.tickets().size(); i++) {
            before.put(key(loaded.tickets().get(i)), i);
            last = loaded.places().get(i);
        }
        for (Ticket ticket : tickets) {
            Integer at = before.remove(key(ticket));
            if (at == null) {
                tables.saveTicket(session, name, ++last, ticket);
            } else if (!ticket.equals(loaded.tickets().get(at))) {
                tables.saveTicket(session, name, loaded.places().get(at), ticket);
            }
        }
        for (int gone : before.values()) {
            tables.deleteTicket(session, name, loaded.places().get(gone));
        }
    }

    private void saveLeases(boolean fresh) throws SQLException {
        boolean single = state.resource().capacity() == 1;
        if (fresh
                || !loaded.matchesName(state)
                || moment.lastToken() != loaded.lastToken()
                || (single && !state.holds().equals(loaded.holds()))) {
            @Nullable
            Hold hold = single && !state.holds().isEmpty() ? state.holds().get(0) : null;
            tables.saveLease(session, 0, state, moment.lastToken(), hold, now());
        }
        if (!single && (fresh || !state.holds().equals(loaded.holds()))) {
            saveShares(fresh);
        }
    }

    /** Holds of a larger capacity: each has its row, in the order in which they were granted. */
    private void saveShares(boolean fresh) throws SQLException {
        Map<Key, Integer> before = new HashMap<>();
        long last = 0;
        for (int i = 0; !fresh && i < loaded.holds().size(); i++) {
            before.put(key(loaded.holds().get(i)), i);
            last = loaded.seats().get(i);
        }
        for (Hold hold : state.holds()) {
            Integer at = before.remove(key(hold));
            if (at == null) {
                tables.saveLease(session, ++last, state, hold.token(), hold, now());
            } else if (!hold.equals(loaded.holds().get(at))) {
                tables.saveLease(session, loaded.seats().get(at), state, hold.token(), hold, now());
            }
        }
        for (int gone : before.values()) {
            tables.deleteLease(session, name, loaded.seats().get(gone));
        }
    }

    private static Key key(Hold hold) {
        return new Key(hold.client(), hold.attempt());
    }

    private static Key key(Ticket ticket) {
        return new Key(ticket.client(), ticket.attempt());
    }
}
