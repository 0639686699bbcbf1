package dev.baton.tck;

import dev.baton.spi.Acquire;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.NoteView;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers without the values that two servers cannot share: their identity and, if holds belong to sessions, token
 * numbers and the deadlines of other clients. Tokens are then compared by where they appear: each token of the
 * reference corresponds to one token of the store. If one token of the reference is greater than another, so must be
 * the store's.
 */
final class DifferentialAnswers {
    private final boolean sessions;
    private final boolean ownTokens;
    private final Map<String, Pair> last = new HashMap<>();

    /** A token of the reference, and the store's token that corresponds to it. */
    private record Pair(long reference, long actual) {}

    private final Map<Token, Long> toActual = new HashMap<>();
    private final Map<Token, Long> toReference = new HashMap<>();

    /** A token of one name: other names may use the same number. */
    private record Token(String name, long number) {}

    DifferentialAnswers(Capabilities capabilities) {
        this.sessions = capabilities.session() != null;
        this.ownTokens = capabilities.tokens() != Capabilities.TokenOrder.HYBRID;
    }

    boolean keepsDeadlinesApart() {
        return sessions;
    }

    // ---- tokens --------------------------------------------------------------------------------------------------

    private void learn(String name, long reference, long actual) {
        if (!ownTokens || toReference.containsKey(new Token(name, actual))) {
            return;
        }
        Pair before = last.getOrDefault(name, new Pair(0, 0));
        if (reference > before.reference()) {
            if (actual <= before.actual()) {
                throw new AssertionError("the tokens of " + name + " do not grow: " + before.actual() + ", " + actual);
            }
            last.put(name, new Pair(reference, actual));
        }
        toReference.put(new Token(name, actual), reference);
        toActual.putIfAbsent(new Token(name, reference), actual);
    }

    void learn(String name, Acquire.Reply expected, Acquire.Reply actual) {
        if (expected instanceof Acquire.Granted reference && actual instanceof Acquire.Granted own) {
            learn(name, reference.token(), own.token());
        }
    }

    void learn(Heartbeat command, Heartbeat.Reply expected, Heartbeat.Reply actual) {
        for (int i = 0; i < expected.tickets().size(); i++) {
            if (expected.tickets().get(i) instanceof Heartbeat.TicketGranted reference
                    && actual.tickets().get(i) instanceof Heartbeat.TicketGranted own) {
                learn(command.tickets().get(i).resource().name(), reference.token(), own.token());
            }
        }
    }

    void learn(List<ResourceView> expected, List<ResourceView> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            String name = expected.get(i).resource().name();
            List<ResourceView.Hold> references = holds(expected.get(i));
            List<ResourceView.Hold> own = holds(actual.get(i));
            for (int at = 0; at < Math.min(references.size(), own.size()); at++) {
                if (references.get(at).attempt() == own.get(at).attempt()) {
                    learn(name, references.get(at).token(), own.get(at).token());
                }
            }
        }
    }

    /** Returns a view's holds in the order of their grants. Where a store lists the permits of no client says nothing. */
    private static List<ResourceView.Hold> holds(ResourceView view) {
        return view.holds().stream()
                .sorted(Comparator.comparing(ResourceView.Hold::isWithheld))
                .toList();
    }

    /** Returns the reference's token for a token of the store. An unknown token becomes one that neither side knows. */
    long toReference(String name, long token) {
        return ownTokens ? toReference.getOrDefault(new Token(name, token), -token) : token;
    }

    Release toReference(Release command) {
        return new Release(
                command.resource(),
                command.attempt(),
                toReference(command.resource().name(), command.token()),
                command.number(),
                command.failed(),
                command.keepMicros());
    }

    WriteNote toReference(WriteNote command) {
        String name = command.resource().name();
        return new WriteNote(command.resource(), command.attempt(), toReference(name, command.token()), command.note());
    }

    Heartbeat toReference(Heartbeat command) {
        return new Heartbeat(
                command.number(),
                command.holds().stream()
                        .map(hold -> new Heartbeat.Hold(
                                hold.resource(),
                                hold.attempt(),
                                toReference(hold.resource().name(), hold.token()),
                                hold.weight(),
                                hold.leaseMicros(),
                                hold.lockDelayMicros(),
                                hold.extend(),
                                hold.description(),
                                hold.restorable()))
                        .toList(),
                command.tickets());
    }

    private long toActual(String name, long token) {
        return ownTokens ? toActual.getOrDefault(new Token(name, token), -token) : token;
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    Object expected(String name, Acquire.Reply reply) {
        return reply instanceof Acquire.Granted granted
                ? new Acquire.Granted(
                        anonymous(granted.stamp()), toActual(name, granted.token()), granted.deadlineMicros())
                : actual(reply);
    }

    Object actual(Acquire.Reply reply) {
        Stamp stamp = anonymous(reply.stamp());
        if (reply instanceof Acquire.Granted granted) {
            return new Acquire.Granted(stamp, granted.token(), granted.deadlineMicros());
        } else if (reply instanceof Acquire.Queued queued) {
            return new Acquire.Queued(stamp, queued.position(), unlessOthers(queued.remainingMicros()));
        } else if (reply instanceof Acquire.Held held) {
            return new Acquire.Held(stamp, held.holders(), unlessOthers(held.remainingMicros()), held.queued());
        } else if (reply instanceof Acquire.Stale) {
            return new Acquire.Stale(stamp);
        } else if (reply instanceof Acquire.Mismatch mismatch) {
            return new Acquire.Mismatch(stamp, mismatch.kind(), mismatch.capacity());
        } else if (reply instanceof Acquire.Unfit unfit) {
            return new Acquire.Unfit(stamp, unfit.permits());
        }
        return new Acquire.Recovering(stamp);
    }

    Object expected(Heartbeat command, Heartbeat.Reply reply) {
        List<Heartbeat.TicketReply> tickets = new ArrayList<>();
        for (int i = 0; i < reply.tickets().size(); i++) {
            String name = command.tickets().get(i).resource().name();
            tickets.add(
                    reply.tickets().get(i) instanceof Heartbeat.TicketGranted granted
                            ? new Heartbeat.TicketGranted(toActual(name, granted.token()), granted.deadlineMicros())
                            : actual(reply.tickets().get(i)));
        }
        return new Heartbeat.Reply(anonymous(reply.stamp()), holds(reply), tickets);
    }

    Object actual(Heartbeat.Reply reply) {
        return new Heartbeat.Reply(
                anonymous(reply.stamp()),
                holds(reply),
                reply.tickets().stream().map(this::actual).toList());
    }

    /** A live client whose entry is gone knows that it was removed by force; on the reference it may have expired. */
    private List<Heartbeat.HoldReply> holds(Heartbeat.Reply reply) {
        return reply.holds().stream()
                .map(each -> sessions && each instanceof Heartbeat.Lost
                        ? new Heartbeat.Lost(Heartbeat.Reason.EXPIRED)
                        : each)
                .toList();
    }

    private Heartbeat.TicketReply actual(Heartbeat.TicketReply reply) {
        return reply instanceof Heartbeat.Waiting waiting
                ? new Heartbeat.Waiting(waiting.position(), unlessOthers(waiting.remainingMicros()))
                : reply;
    }

    Object expected(ResourceView view) {
        return view(view, true);
    }

    Object actual(ResourceView view) {
        return view(view, false);
    }

    private ResourceView view(ResourceView view, boolean ofReference) {
        return new ResourceView(
                view.resource(),
                anonymous(view.stamp()),
                holds(view).stream()
                        .map(hold -> new ResourceView.Hold(
                                hold.client(),
                                hold.attempt(),
                                hold.weight(),
                                ofReference ? toActual(view.resource().name(), hold.token()) : hold.token(),
                                unlessOthers(hold.deadlineMicros()),
                                hold.lockDelayMicros(),
                                sessions || hold.claimed(),
                                hold.revoked(),
                                hold.description()))
                        .toList(),
                view.tickets().stream()
                        .map(ticket -> new ResourceView.Ticket(
                                ticket.client(),
                                ticket.attempt(),
                                ticket.weight(),
                                ticket.lockDelayMicros(),
                                unlessOthers(ticket.presentUntilMicros()),
                                ticket.description(),
                                unlessOthers(ticket.secret())))
                        .toList(),
                unlessOthers(view.restMicros()));
    }

    /** Returns a value that only its own client can know, or 0 if the store has sessions. */
    private long unlessOthers(long time) {
        return sessions ? 0 : time;
    }

    static Object plain(WriteNote.Reply reply) {
        return reply.getClass().getSimpleName() + anonymous(reply.stamp());
    }

    static Object plain(NoteView view) {
        return new NoteView(anonymous(view.stamp()), view.note());
    }

    static Stamp anonymous(Stamp stamp) {
        return new Stamp("", stamp.nowMicros(), stamp.graceMicros());
    }
}
