package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Heartbeat.TicketReply;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers that need no write transaction: the command is run on what one statement read, and if the machine changes
 * nothing by it, what it said is the answer. Waiting clients ask often; writers are not held up by them.
 */
final class Reading {
    private final Tables tables;
    private final Timings timings;
    private final String runId;

    Reading(Tables tables, Timings timings, String runId) {
        this.tables = tables;
        this.timings = timings;
        this.runId = runId;
    }

    /** A refused try; null where it would change something. */
    Acquire.@Nullable Reply tryAcquire(Session session, String client, Acquire command) throws SQLException {
        Snapshot snapshot = tables.load(session, command.resource().name());
        if (snapshot.isEmpty()) {
            return null;
        }
        ResourceState state = snapshot.state(command.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        Acquire.Reply reply = state.acquire(client, command, probe);
        return !probe.wouldGrant() && snapshot.matches(state) ? reply : null;
    }

    /** A poll whose tickets are all where they were; empty where something has to be written. */
    Optional<Heartbeat.Reply> poll(Session session, String client, List<Heartbeat.Ticket> tickets) throws SQLException {
        List<TicketReply> replies = new ArrayList<>(tickets.size());
        @Nullable Stamp first = null;
        for (Heartbeat.Ticket ticket : tickets) {
            Snapshot snapshot = tables.load(session, ticket.resource().name());
            TicketReply reply = snapshot.isEmpty() ? null : poll(session, client, ticket, snapshot);
            if (reply == null) {
                return Optional.empty();
            }
            // The earliest moment: with it the client expects the least of all deadlines.
            first = first == null ? stamp(snapshot) : first;
            replies.add(reply);
        }
        return Optional.ofNullable(first).map(stamp -> new Heartbeat.Reply(stamp, List.of(), replies));
    }

    private @Nullable TicketReply poll(Session session, String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        ResourceState state = snapshot.state(ticket.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        TicketReply reply = state.heartbeat(client, ticket.attempt(), probe);
        if (probe.wouldGrant()) {
            return null;
        }
        if (reply instanceof Heartbeat.Waiting waiting) {
            return isFresh(snapshot, waiting.position())
                            && snapshot.matchesName(state)
                            && snapshot.holds().equals(state.holds())
                            && snapshot.tickets().size() == state.tickets().size()
                    ? reply
                    : null;
        }
        return snapshot.matches(state) ? reply : null;
    }

    /** While most of its presence is left, showing it once more can wait for a later poll. */
    private boolean isFresh(Snapshot snapshot, int position) {
        Ticket ticket = snapshot.tickets().get(position);
        return ticket.presentUntilMicros() - snapshot.nowMicros() > timings.presenceMicros() / 3 * 2;
    }

    private Stamp stamp(Snapshot snapshot) {
        return new Stamp(runId, snapshot.nowMicros(), 0);
    }
}
