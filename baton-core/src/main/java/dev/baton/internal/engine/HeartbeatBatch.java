package dev.baton.internal.engine;

import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects heartbeats into commands, each for the names of one shard. A command's number is drawn with its first entry,
 * under the lock of that entry's resource, so every later release of a listed hold has a greater one.
 */
final class HeartbeatBatch {
    private final Surroundings around;
    private final Outbox out;
    private final Map<Integer, Part> parts = new HashMap<>();

    /** One command in the making. */
    private static final class Part {
        final CommandNumber number;
        final List<Heartbeat.Hold> holds = new ArrayList<>();
        final List<Heartbeat.Ticket> tickets = new ArrayList<>();
        long timeoutNanos;

        Part(CommandNumber number, long timeoutNanos) {
            this.number = number;
            this.timeoutNanos = timeoutNanos;
        }
    }

    HeartbeatBatch(Surroundings around, Outbox out) {
        this.around = around;
        this.out = out;
    }

    void add(Heartbeat.Hold hold, long limitNanos) {
        int shard = around.settings().shardOf(hold.resource().name());
        Part part = part(shard);
        part.holds.add(hold);
        added(shard, part, limitNanos);
    }

    void add(Heartbeat.Ticket ticket) {
        int shard = around.settings().shardOf(ticket.resource().name());
        Part part = part(shard);
        part.tickets.add(ticket);
        // A slow poll must not delay a renewal behind it for longer than a ticket's period.
        added(shard, part, EngineSettings.TICKET_BEAT_NANOS);
    }

    private Part part(int shard) {
        return parts.computeIfAbsent(
                shard, first -> new Part(around.drawnNumber(), around.settings().silenceNanos()));
    }

    private void added(int shard, Part part, long limitNanos) {
        part.timeoutNanos = Math.min(part.timeoutNanos, limitNanos);
        if (part.holds.size() + part.tickets.size() >= EngineSettings.BEAT_BATCH) {
            parts.remove(shard);
            send(part);
        }
    }

    /** Sends what is left. */
    void send() {
        parts.values().forEach(this::send);
        parts.clear();
    }

    private void send(Part part) {
        out.send(new Command.Beat(new Heartbeat(part.number, part.holds, part.tickets), null, part.timeoutNanos));
    }
}
