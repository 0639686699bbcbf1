package dev.baton.tck;

import dev.baton.spi.Heartbeat;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends the names of each shard in a heartbeat of their own, as the engine does: see {@link Store#shardOf}. */
final class ByShard {
    /** The entries of one shard, and where their answers belong. */
    private static final class Part {
        private final List<Heartbeat.Hold> holds = new ArrayList<>();
        private final List<Integer> holdsAt = new ArrayList<>();
        private final List<Heartbeat.Ticket> tickets = new ArrayList<>();
        private final List<Integer> ticketsAt = new ArrayList<>();
    }

    private ByShard() {}

    /** Returns the answers in the order of the entries, with the stamp of the first shard. */
    static Heartbeat.Reply heartbeat(Store store, Heartbeat command, long timeoutNanos) throws StoreFailure {
        Map<Integer, Part> parts = new TreeMap<>();
        for (int i = 0; i < command.holds().size(); i++) {
            Heartbeat.Hold hold = command.holds().get(i);
            Part part = parts.computeIfAbsent(store.shardOf(hold.resource().name()), shard -> new Part());
            part.holds.add(hold);
            part.holdsAt.add(i);
        }
        for (int i = 0; i < command.tickets().size(); i++) {
            Heartbeat.Ticket ticket = command.tickets().get(i);
            Part part = parts.computeIfAbsent(store.shardOf(ticket.resource().name()), shard -> new Part());
            part.tickets.add(ticket);
            part.ticketsAt.add(i);
        }
        if (parts.size() <= 1) {
            return store.heartbeat(command, timeoutNanos);
        }
        @Nullable Stamp stamp = null;
        Map<Integer, Heartbeat.HoldReply> holds = new TreeMap<>();
        Map<Integer, Heartbeat.TicketReply> tickets = new TreeMap<>();
        for (Part part : parts.values()) {
            Heartbeat.Reply reply =
                    store.heartbeat(new Heartbeat(command.number(), part.holds, part.tickets), timeoutNanos);
            stamp = stamp == null ? reply.stamp() : stamp;
            for (int i = 0; i < part.holdsAt.size(); i++) {
                holds.put(part.holdsAt.get(i), reply.holds().get(i));
            }
            for (int i = 0; i < part.ticketsAt.size(); i++) {
                tickets.put(part.ticketsAt.get(i), reply.tickets().get(i));
            }
        }
        return new Heartbeat.Reply(
                Objects.requireNonNull(stamp), List.copyOf(holds.values()), List.copyOf(tickets.values()));
    }
}
