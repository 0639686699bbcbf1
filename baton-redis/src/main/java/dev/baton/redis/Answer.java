package dev.baton.redis;

import dev.baton.redis.RespReader.Nil;
import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.WriteNote;
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

    private static final int GRANTED_BEFORE = 5;

    private static final int VIEW_REST = 2;
    private static final int VIEW_HOLDS = 3;
    private static final int VIEW_GRACE = 4;
    private static final int VIEW_NOT_GRANTED = 5;
    private static final int VIEW_ENTRIES = 6;

    /** Where a list with a time has the rest of the grace period. */
    private static final int GRACE_BEHIND_TIME = 1;

    /** Where the answer about a note has the note, or what became of it. */
    private static final int NOTE = 2;

    private final List<?> values;
    private final String runId;

    Answer(List<?> values, String runId) {
        this.values = values;
        this.runId = runId;
    }

    /** Returns what a server answered: a list, or a list of one. */
    static List<?> list(Call call, String target) throws StoreFailure {
        Object answer = call.answer();
        if (answer instanceof RespError error) {
            throw ServerErrors.failure(error.message(), target, null);
        }
        if (answer instanceof List<?> values) {
            return values;
        }
        if (answer instanceof Long || answer instanceof byte[]) {
            return List.of(answer);
        }
        throw new StoreFailure(Effect.UNKNOWN, target + " gave an answer of another kind: " + answer, null);
    }

    String runId() {
        return runId;
    }

    long number(int index) {
        return (Long) values.get(index);
    }

    /** Returns the server, the time, and behind it the rest of the grace period. */
    Stamp stamp(int index) {
        return new Stamp(runId, number(index), number(index + GRACE_BEHIND_TIME));
    }

    Acquire.Reply acquire(long leaseMicros) {
        if (values.get(0) instanceof byte[] granted) {
            ByteBuffer numbers = ByteBuffer.wrap(granted).order(ByteOrder.LITTLE_ENDIAN);
            long now = (long) numbers.getDouble();
            return new Acquire.Granted(new Stamp(runId, now, 0), (long) numbers.getDouble(), now + leaseMicros);
        }
        Stamp stamp = stamp(1);
        return switch ((int) number(0)) {
            case 1 -> new Acquire.Queued(stamp, (int) number(3), number(4));
            case 2 -> new Acquire.Held(stamp, texts(5), number(3), (int) number(4));
            case 3 -> new Acquire.Stale(stamp);
            case 4 -> new Acquire.Mismatch(stamp, Stored.kind(number(3)), (int) number(4));
            case GRANTED_BEFORE -> new Acquire.Granted(stamp, number(3), number(4));
            case 6 -> new Acquire.Recovering(stamp);
            case 7 -> new Acquire.Unfit(stamp, (int) number(3));
            default -> throw new IllegalStateException("no answer to an acquire: " + values);
        };
    }

    /** Returns whether an acquire was answered with a grant that its attempt got before. */
    boolean repeatsAGrant() {
        return values.get(0) instanceof Long kind && kind == GRANTED_BEFORE;
    }

    /** Reads the answer to a release: the time, negative if there was no such hold. */
    Release.Reply release() {
        long now = number(0);
        return new Release.Reply(new Stamp(runId, Math.abs(now), 0), now > 0);
    }

    NoteView note() {
        Optional<Note> note = values.get(NOTE) instanceof byte[] raw ? Optional.of(Stored.note(raw)) : Optional.empty();
        return new NoteView(stamp(0), note);
    }

    /** Reads the answer to a change of a note. */
    WriteNote.Reply noteChange() {
        Stamp stamp = stamp(0);
        return switch ((int) number(NOTE)) {
            case 0 -> new WriteNote.Refused(stamp);
            case 1 -> new WriteNote.Written(stamp);
            default -> new WriteNote.Recovering(stamp);
        };
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
        int at = 2;
        for (int i = 0; i < part.holds().size(); i++, at += 2) {
            holds.add(hold(number(at), number(at + 1) == 1));
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

    private static Heartbeat.HoldReply hold(long deadline, boolean contended) {
        return deadline >= 0
                ? new Heartbeat.Renewed(deadline, contended)
                : switch ((int) deadline) {
                    case -1 -> new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
                    case -2 -> new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
                    default -> new Heartbeat.AskAgain();
                };
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
        for (int i = VIEW_ENTRIES; i < parts.size(); i++) {
            Answer entry = new Answer((List<?>) parts.get(i), runId);
            if (i < VIEW_ENTRIES + holds) {
                held.add(entry.hold());
            } else {
                queue.add(entry.ticket());
            }
        }
        Resource resource = new Resource(name, Stored.kind((Long) parts.get(0)), (int) (long) (Long) parts.get(1));
        Stamp stamp = new Stamp(runId, number(0), (Long) parts.get(VIEW_GRACE));
        return Optional.of(new ResourceView(resource, stamp, held, queue, (Long) parts.get(VIEW_NOT_GRANTED)));
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
