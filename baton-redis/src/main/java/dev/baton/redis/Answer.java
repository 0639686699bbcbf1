package dev.baton.redis;

import dev.baton.redis.RespReader.Nil;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The answer of a script, read in the format that the scripts write. */
final class Answer {
    /** The number of hexadecimal digits in every server's identity. */
    static final int RUN_ID_LENGTH = 40;

    /** A number from here down means that the ticket waits; the distance below it is the longest remaining time. */
    private static final long WAITS = -3;

    private static final int VIEW_REST = 2;
    private static final int VIEW_HOLDS = 3;

    private final List<?> values;
    private final String runId;

    Answer(List<?> values, String runId) {
        this.values = values;
        this.runId = runId;
    }

    String runId() {
        return runId;
    }

    long number(int index) {
        return (Long) values.get(index);
    }

    /** Returns the server and the time. */
    Stamp stamp(int index) {
        return new Stamp(runId, number(index), 0);
    }

    Acquire.Reply acquire(long leaseMicros) {
        if (values.get(0) instanceof byte[] granted) {
            ByteBuffer numbers = ByteBuffer.wrap(granted).order(ByteOrder.LITTLE_ENDIAN);
            long now = (long) numbers.getDouble();
            return new Acquire.Granted(new Stamp(runId, now, 0), (long) numbers.getDouble(), now + leaseMicros);
        }
        Stamp stamp = stamp(1);
        return switch ((int) number(0)) {
            case 1 -> new Acquire.Queued(stamp, (int) number(2), number(3));
            case 2 -> new Acquire.Held(stamp, texts(4), number(2), (int) number(3));
            case 3 -> new Acquire.Stale(stamp);
            case 4 -> new Acquire.Mismatch(stamp, Stored.kind(number(2)), (int) number(3));
            case 5 -> new Acquire.Granted(stamp, number(2), number(3));
            default -> throw new IllegalStateException("no answer to an acquire: " + values);
        };
    }

    /** Reads the answer to a release: the time, negative if there was no such hold. */
    Release.Reply release() {
        long now = number(0);
        return new Release.Reply(new Stamp(runId, Math.abs(now), 0), now > 0);
    }

    private List<String> texts(int from) {
        List<String> texts = new ArrayList<>();
        for (Object value : values.subList(from, values.size())) {
            texts.add(RespReader.text(value));
        }
        return texts;
    }

    /** Adds the answers to one part of a heartbeat. */
    void addTo(List<Heartbeat.HoldReply> holds, List<Heartbeat.TicketReply> tickets, Heartbeat part) {
        int at = 1;
        for (int i = 0; i < part.holds().size(); i++, at += 2) {
            long deadline = number(at);
            holds.add(
                    deadline >= 0
                            ? new Heartbeat.Renewed(deadline, number(at + 1) == 1)
                            : new Heartbeat.Lost(deadline == -1 ? Heartbeat.Reason.EXPIRED : Heartbeat.Reason.REVOKED));
        }
        for (int i = 0; i < part.tickets().size(); i++, at += 2) {
            long token = number(at);
            if (token >= 0) {
                tickets.add(new Heartbeat.TicketGranted(token, number(at + 1)));
            } else {
                tickets.add(
                        token <= WAITS
                                ? new Heartbeat.Waiting((int) number(at + 1), WAITS - token)
                                : new Heartbeat.Gone());
            }
        }
    }

    /** Returns one of the inspected names; of a long queue only a part. */
    Optional<ResourceView> view(String name, int index) {
        Object view = values.get(1 + index);
        if (view == Nil.NIL) {
            return Optional.empty();
        }
        List<?> parts = (List<?>) view;
        int holds = (int) (long) (Long) parts.get(VIEW_HOLDS);
        List<ResourceView.Hold> held = new ArrayList<>();
        List<ResourceView.Ticket> queue = new ArrayList<>();
        for (int i = VIEW_HOLDS + 1; i < parts.size(); i++) {
            Answer entry = new Answer((List<?>) parts.get(i), runId);
            if (i <= VIEW_HOLDS + holds) {
                held.add(entry.hold());
            } else {
                queue.add(entry.ticket());
            }
        }
        Resource resource = new Resource(name, Stored.kind((Long) parts.get(0)), (int) (long) (Long) parts.get(1));
        return Optional.of(new ResourceView(resource, stamp(0), held, queue));
    }

    /** Returns the number from which to request the rest of a queue; 0 if there is no rest. */
    long rest(int index) {
        return values.get(1 + index) instanceof List<?> view ? (Long) view.get(VIEW_REST) : 0;
    }

    private ResourceView.Hold hold() {
        return new ResourceView.Hold(
                RespReader.text(values.get(0)),
                number(1),
                (int) number(2),
                number(3),
                number(4),
                number(5),
                number(6) == 1,
                number(7) == 1,
                RespReader.text(values.get(8)));
    }

    private ResourceView.Ticket ticket() {
        return new ResourceView.Ticket(
                RespReader.text(values.get(0)),
                number(1),
                (int) number(2),
                number(3),
                number(4),
                RespReader.text(values.get(5)),
                0);
    }
}
