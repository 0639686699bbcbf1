package dev.baton.jdbc;

import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the rows of one name from {@link Sql#LOAD} and similar statements; it knows their columns by number. */
final class Rows {
    private static final int LEASE = 0;
    private static final int HEAD = 1;

    private final List<Hold> holds = new ArrayList<>(1);
    private final List<Long> seats = new ArrayList<>(1);
    private final List<Ticket> tickets = new ArrayList<>(0);
    private final List<Long> places = new ArrayList<>(0);
    private @Nullable Resource resource;
    private int head;
    private int waiters;
    private long notBefore;
    private long lastToken;
    private Moment moment = new Moment(0, 0);

    /** Reads the next row. */
    void read(String name, ResultSet rows) throws SQLException {
        moment = new Moment(rows.getLong(17), rows.getLong(19));
        int part = rows.getInt(2);
        if (part != LEASE) {
            readTicket(rows, part == HEAD);
            return;
        }
        if (resource == null) {
            resource = new Resource(name, Kind.valueOf(rows.getString(4)), rows.getInt(5));
            // Row 0 may have been deleted by hand: then no number of tickets matches, and it is written again.
            waiters = rows.getInt(3) == 0 ? rows.getInt(6) : -1;
            notBefore = rows.getLong(7);
        }
        lastToken = Math.max(lastToken, rows.getLong(8));
        String client = Utf8.text(rows, 9);
        if (client != null) {
            readHold(client, rows);
        }
    }

    /**
     * Returns everything that was read.
     *
     * @param limit how many tickets of the queue's head were requested
     */
    Snapshot snapshot(int limit) {
        Queue queue = new Queue(tickets, places, head, head < limit, waiters);
        return new Snapshot(resource, waiters, notBefore, lastToken, holds, seats, queue, moment);
    }

    private void readHold(String client, ResultSet rows) throws SQLException {
        seats.add(rows.getLong(3));
        holds.add(new Hold(
                client,
                rows.getLong(10),
                rows.getInt(11),
                rows.getLong(8),
                rows.getLong(12),
                rows.getLong(13),
                rows.getInt(14) != 0,
                rows.getInt(15) != 0,
                Objects.requireNonNullElse(Utf8.text(rows, 16), "")));
    }

    /** Reads a ticket. Tickets come in their order, so one that is not behind the last one was already read. */
    private void readTicket(ResultSet rows, boolean isHead) throws SQLException {
        long place = rows.getLong(3);
        if (!places.isEmpty() && place <= places.get(places.size() - 1)) {
            return;
        }
        head += isHead ? 1 : 0;
        places.add(place);
        tickets.add(new Ticket(
                Objects.requireNonNull(Utf8.text(rows, 9), "client"),
                rows.getLong(10),
                rows.getInt(11),
                rows.getLong(13),
                rows.getLong(12),
                Objects.requireNonNullElse(Utf8.text(rows, 16), ""),
                rows.getLong(18)));
    }
}
