package dev.baton.jdbc;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Heartbeat.TicketReply;
import dev.baton.spi.ResourceState;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers commands that need no write transaction: it runs the command on the rows that one statement read, and if the
 * state machine changes nothing, its answer is final. Waiting clients poll often; this way they do not delay writers.
 */
final class Reading {
    private final Tables tables;
    private final Timings timings;
    private final Stamps stamps;

    Reading(Tables tables, Timings timings, Stamps stamps) {
        this.tables = tables;
        this.timings = timings;
        this.stamps = stamps;
    }

    /** Returns the answer to a refused try; null if the try would change something. */
    Acquire.@Nullable Reply tryAcquire(Session session, String client, Acquire command) throws SQLException {
        String name = command.resource().name();
        Snapshot snapshot = tables.loadHeads(
                        session,
                        List.of(name),
                        client,
                        Map.of(name, List.of(command.attempt().value())),
                        Transactions.HEAD)
                .getOrDefault(name, Snapshot.NOTHING);
        if (snapshot.isEmpty() || !stamps.isRecorded(snapshot.moment())) {
            return null;
        }
        ResourceState state = snapshot.state(command.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        Acquire.Reply reply = state.acquire(client, command, probe);
        return !probe.wouldGrant() && snapshot.matches(state) ? snapshot.queue().told(reply, state) : null;
    }

    /** Returns the answer if the heartbeat changes nothing, as for a confirmed explicit lease; otherwise null. */
    Heartbeat.@Nullable HoldReply confirm(
            Session session, String client, Heartbeat.Hold hold, long number, Snapshot snapshot) {
        if (mayReclaim(snapshot) && snapshot.heldUntil(client, hold) == null) {
            return null;
        }
        ResourceState state = snapshot.state(hold.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        Heartbeat.HoldReply reply = state.heartbeat(client, hold, number, probe);
        return !probe.wouldGrant() && snapshot.matches(state) ? reply : null;
    }

    /**
     * Returns the answer to a poll of an unmoved ticket; null if anything except the ticket's presence has to be
     * written, as a new description.
     */
    @Nullable
    TicketReply poll(Session session, String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        if (!stamps.isRecorded(snapshot.moment()) || !snapshot.queue().isDescribed(client, ticket)) {
            return null;
        }
        ResourceState state = snapshot.state(ticket.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        TicketReply reply = state.heartbeat(client, ticket, probe);
        if (probe.wouldGrant()) {
            return null;
        }
        if (reply instanceof Heartbeat.Waiting) {
            return snapshot.matchesName(state)
                            && snapshot.holds().equals(state.holds())
                            && snapshot.queue().tickets().size()
                                    == state.tickets().size()
                    ? snapshot.queue().told(reply, state)
                    : null;
        }
        return snapshot.matches(state) ? reply : null;
    }

    /** Returns the answer for a ticket whose name cannot be worked on now: its position is unchanged. */
    TicketReply stillWaiting(String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        int at = snapshot.queue().find(client, ticket.attempt());
        // 0 means unknown: the row is locked, and may be changing.
        return new Heartbeat.Waiting(at < 0 ? 0 : snapshot.queue().position(at), 0);
    }

    /** Returns whether most of the ticket's presence is left, so that a later poll can renew it. */
    boolean isFresh(String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        int at = snapshot.queue().find(client, ticket.attempt());
        return at >= 0
                && snapshot.queue().tickets().get(at).presentUntilMicros() - snapshot.nowMicros()
                        > timings.presenceMicros() / 3 * 2;
    }

    /** Returns whether a missing hold may have been forgotten: a grace period is on, or has to begin. */
    private static boolean mayReclaim(Snapshot snapshot) {
        return snapshot.moment().graceMicros() != 0;
    }

    private Stamp stamp(Snapshot snapshot) {
        return stamps.of(snapshot.moment());
    }
}
