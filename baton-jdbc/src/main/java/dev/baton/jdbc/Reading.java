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
        String name = command.resource().name();
        Snapshot snapshot = tables.loadHeads(
                        session,
                        List.of(name),
                        client,
                        Map.of(name, List.of(command.attempt().value())),
                        Transactions.HEAD)
                .getOrDefault(name, Snapshot.NOTHING);
        if (snapshot.isEmpty()) {
            return null;
        }
        ResourceState state = snapshot.state(command.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        Acquire.Reply reply = state.acquire(client, command, probe);
        return !probe.wouldGrant() && snapshot.matches(state) ? snapshot.queue().told(reply, state) : null;
    }

    /** A heartbeat of a hold that changes nothing, as of an explicit lease that was confirmed before; null otherwise. */
    Heartbeat.@Nullable HoldReply confirm(
            Session session, String client, Heartbeat.Hold hold, long number, Snapshot snapshot) {
        ResourceState state = snapshot.state(hold.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        Heartbeat.HoldReply reply = state.heartbeat(client, hold, number, probe);
        return !probe.wouldGrant() && snapshot.matches(state) ? reply : null;
    }

    /**
     * A poll of a ticket that is where it was; null where something else has to be written than that it is waited for.
     */
    @Nullable
    TicketReply poll(Session session, String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        ResourceState state = snapshot.state(ticket.resource(), timings, snapshot.nowMicros());
        Probe probe = new Probe(tables, session, stamp(snapshot));
        TicketReply reply = state.heartbeat(client, ticket.attempt(), probe);
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

    /** The answer for a ticket whose name cannot be worked on now: it is where it was. */
    TicketReply stillWaiting(String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        int at = snapshot.queue().find(client, ticket.attempt());
        // 0 stands for not known: the row is locked, and may be changing.
        return new Heartbeat.Waiting(at < 0 ? 0 : snapshot.queue().position(at), 0);
    }

    /** While most of its presence is left, showing it once more can wait for a later poll. */
    boolean isFresh(String client, Heartbeat.Ticket ticket, Snapshot snapshot) {
        int at = snapshot.queue().find(client, ticket.attempt());
        return at >= 0
                && snapshot.queue().tickets().get(at).presentUntilMicros() - snapshot.nowMicros()
                        > timings.presenceMicros() / 3 * 2;
    }

    private Stamp stamp(Snapshot snapshot) {
        return new Stamp(runId, snapshot.nowMicros(), 0);
    }
}
