package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Heartbeat.TicketReply;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
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

    /** A heartbeat of a hold that changes nothing, as of an explicit lease that was confirmed before; null otherwise. */
    Heartbeat.@Nullable HoldReply confirm(
            Session session, String client, Heartbeat.Hold hold, long number, Snapshot snapshot) {
        ResourceState state = snapshot.state(hold.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        Heartbeat.HoldReply reply = state.heartbeat(client, hold, number, probe);
        return !probe.wouldGrant() && snapshot.matches(state) ? reply : null;
    }

    /** A poll of a ticket that is where it was; null where something has to be written. */
    @Nullable
    TicketReply poll(Session session, String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
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

    /** The answer for a ticket whose name cannot be worked on now: it is where it was. */
    TicketReply stillWaiting(String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        int position = 0;
        for (int i = 0; i < snapshot.tickets().size(); i++) {
            Ticket there = snapshot.tickets().get(i);
            if (there.attempt() == ticket.attempt() && there.client().equals(client)) {
                position = i;
            }
        }
        // 0 stands for not known: the row is locked, and may be changing.
        return new Heartbeat.Waiting(position, 0);
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
