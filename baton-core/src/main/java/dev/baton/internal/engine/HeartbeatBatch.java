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
    private final Engine engine;
    private final Outbox out;
    private List<Heartbeat.Hold> holds = new ArrayList<>();
    private List<LocalResource> holders = new ArrayList<>();
    private List<Heartbeat.Ticket> tickets = new ArrayList<>();
    private List<LocalResource> waiters = new ArrayList<>();
    private CommandNumber number;
    private long timeoutNanos;

    HeartbeatBatch(Engine engine, Outbox out) {
        this.engine = engine;
        this.out = out;
        this.number = engine.drawnNumber();
        this.timeoutNanos = engine.settings().silenceNanos();
    }

    void add(LocalResource resource, Heartbeat.Hold hold, long limitNanos) {
        holders.add(resource);
        holds.add(hold);
        timeoutNanos = Math.min(timeoutNanos, limitNanos);
        sendIfFull();
    }

    void add(LocalResource resource, Heartbeat.Ticket ticket) {
        waiters.add(resource);
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
        out.send(new Command.Beat(engine, new Heartbeat(number, holds, tickets), holders, waiters, timeoutNanos, null));
        holds = new ArrayList<>();
        holders = new ArrayList<>();
        tickets = new ArrayList<>();
        waiters = new ArrayList<>();
        number = engine.drawnNumber();
        timeoutNanos = engine.settings().silenceNanos();
    }
}
