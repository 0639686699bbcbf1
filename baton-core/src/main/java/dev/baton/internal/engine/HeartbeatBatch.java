package dev.baton.internal.engine;

import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects heartbeats into commands. A command's number is drawn before its first entry, so later releases have greater
 * ones.
 */
final class HeartbeatBatch {
    private final Surroundings around;
    private final Outbox out;
    private List<Heartbeat.Hold> holds = new ArrayList<>();
    private List<Heartbeat.Ticket> tickets = new ArrayList<>();
    private CommandNumber number;
    private long timeoutNanos;

    HeartbeatBatch(Surroundings around, Outbox out) {
        this.around = around;
        this.out = out;
        this.number = around.drawnNumber();
        this.timeoutNanos = around.settings().silenceNanos();
    }

    void add(Heartbeat.Hold hold, long limitNanos) {
        holds.add(hold);
        timeoutNanos = Math.min(timeoutNanos, limitNanos);
        sendIfFull();
    }

    void add(Heartbeat.Ticket ticket) {
        tickets.add(ticket);
        // A slow poll must not delay a renewal behind it for longer than a ticket's period.
        timeoutNanos = Math.min(timeoutNanos, EngineSettings.TICKET_BEAT_NANOS);
        sendIfFull();
    }

    private void sendIfFull() {
        if (holds.size() + tickets.size() >= EngineSettings.BEAT_BATCH) {
            send();
        }
    }

    void send() {
        if (holds.isEmpty() && tickets.isEmpty()) {
            return;
        }
        out.send(new Command.Beat(new Heartbeat(number, holds, tickets), null, timeoutNanos));
        holds = new ArrayList<>();
        tickets = new ArrayList<>();
        number = around.drawnNumber();
        timeoutNanos = around.settings().silenceNanos();
    }
}
