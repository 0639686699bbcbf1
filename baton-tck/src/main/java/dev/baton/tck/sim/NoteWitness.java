package dev.baton.tck.sim;

import dev.baton.spi.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sees what servers do with notes, and what holders are told of them, and checks it. A stale holder's write must never be
 * accepted, the note that a holder has read must stay the last of those before it, and a failover must not lose a write that was
 * acknowledged, if its client is there to offer it again.
 */
final class NoteWitness {
    /** Longer than a message takes that the network does not spoil. */
    private static final long PROMPT_NANOS = 20 * World.MILLI;

    /** A client that writes notes. */
    interface Writer {
        /** Returns whether it has crashed. */
        boolean isDead();

        /** Returns whether it stood still at any time since then. */
        boolean wasPausedSince(long nanos);
    }

    /** A note on its way back to a server. */
    static final class Offer {
        private final String client;
        private final Note note;
        private final long sentNanos;
        private long arrivedNanos = Long.MAX_VALUE;

        Offer(String client, Note note, long sentNanos) {
            this.client = client;
            this.note = note;
            this.sentNanos = sentNanos;
        }

        private boolean isSpoiled() {
            return arrivedNanos - sentNanos > PROMPT_NANOS;
        }
    }

    private final World world;
    private final List<String> findings;
    private final Map<String, NoteHistory> histories = new TreeMap<>();
    private final Map<String, Writer> clients = new TreeMap<>();
    private final List<Offer> offers = new ArrayList<>();
    private long order;
    private int written;
    private int refused;
    private int read;
    private int restored;
    private int forgotten;

    NoteWitness(World world, List<String> findings) {
        this.world = world;
        this.findings = findings;
    }

    private NoteHistory of(String name) {
        return histories.computeIfAbsent(name, NoteHistory::new);
    }

    void joins(String id, Writer client) {
        clients.put(id, client);
    }

    // ---- servers -------------------------------------------------------------------------------------------------

    /** Returns the present position in the order of all changes. */
    long order() {
        return order;
    }

    /**
     * A server acknowledges a write.
     *
     * @param held whether the writer's hold is present
     * @param alone whether it excludes all others
     */
    void written(
            String name,
            String client,
            Note note,
            Optional<Note> before,
            Optional<Note> after,
            boolean held,
            boolean alone) {
        order++;
        written++;
        NoteHistory history = of(name);
        history.written(note, client, order);
        if (after.equals(before)) {
            return;
        }
        history.taken(note, order);
        checkOrder(name, before, after);
        if (!held) {
            findings.add(note + " of " + name + " was written without a hold");
        } else if (!alone) {
            findings.add(note + " of " + name + " was written by a holder that others hold beside");
        }
        if (history.isStale(note)) {
            findings.add(note + " of " + name + " was written by an earlier holder");
        }
    }

    void refused() {
        refused++;
    }

    /** A server was offered a note. */
    void offered(String name, Note note, Optional<Note> before, Optional<Note> after) {
        if (!after.equals(before)) {
            order++;
            restored++;
            of(name).taken(note, order);
            checkOrder(name, before, after);
        }
    }

    private void checkOrder(String name, Optional<Note> before, Optional<Note> after) {
        if (after.isEmpty() || !after.get().isNewerThan(before.orElse(null))) {
            findings.add(after + " of " + name + " is not newer than " + before);
        }
    }

    void forgotten(String name) {
        order++;
        forgotten++;
        of(name).forgotten(order);
    }

    void failedOver() {
        order++;
        histories.values().forEach(each -> each.failedOver(order));
    }

    // ---- clients -------------------------------------------------------------------------------------------------

    Offer sends(String client, Note note) {
        Offer offer = new Offer(client, note, world.nanos());
        offers.add(offer);
        return offer;
    }

    void arrives(Offer offer) {
        offer.arrivedNanos = Math.min(offer.arrivedNanos, world.nanos());
    }

    void acknowledged(String name, @Nullable Note note) {
        of(name).acknowledged(Objects.requireNonNull(note));
    }

    /** A holder has read, and still believes. */
    void read(String name, long token, Optional<Note> note, long atOrder) {
        read++;
        of(name).read(atOrder, token, note);
    }

    void asksToForget(String client, String name) {
        of(name).forgottenBy(client, order);
    }

    // ---- what was lost -------------------------------------------------------------------------------------------

    /**
     * Checks a server at the end of its grace period. What its clients could not give back is excused: they died, or were
     * paused, or the network lost or delayed an offer.
     *
     * @param present the server's notes
     * @param failedOverNanos when it failed over
     */
    void checkRestored(Function<String, Optional<Note>> present, long failedOverNanos) {
        histories.forEach((name, history) -> {
            for (NoteHistory.Written each : history.missing(present.apply(name))) {
                if (isExcused(each, failedOverNanos)) {
                    history.excuse(each);
                }
            }
        });
        checkKept(present, "after the grace period");
    }

    /** Checks that a server has all acknowledged writes that nothing excuses, or newer ones. */
    void checkKept(Function<String, Optional<Note>> present, String when) {
        histories.forEach((name, history) -> {
            Optional<Note> note = present.apply(name);
            for (NoteHistory.Written each : history.lost(note)) {
                history.excuse(each);
                findings.add(each.note + " of " + name + ", acknowledged to " + each.client + ", was lost: " + when
                        + " there is " + note);
            }
        });
    }

    private boolean isExcused(NoteHistory.Written write, long sinceNanos) {
        Writer client = clients.get(write.client);
        return client == null
                || client.isDead()
                || client.wasPausedSince(sinceNanos)
                || offers.stream()
                        .anyMatch(offer -> offer.sentNanos >= sinceNanos
                                && offer.client.equals(write.client)
                                && offer.note.equals(write.note)
                                && offer.isSpoiled());
    }

    /** Checks the rest, at the end. */
    Report.Notes end() {
        histories.values().forEach(history -> findings.addAll(history.staleReads()));
        int overtaken = sum(NoteHistory::overtakenLocally);
        int strayed = sum(NoteHistory::overtakenByStrays);
        return new Report.Notes(written, refused, read, restored, forgotten, overtaken, strayed);
    }

    private int sum(ToIntFunction<NoteHistory> count) {
        return histories.values().stream().mapToInt(count).sum();
    }
}
