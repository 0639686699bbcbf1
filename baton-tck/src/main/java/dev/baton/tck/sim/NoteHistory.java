package dev.baton.tck.sim;

import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** What happened to the note of one name, in the order in which servers did it. */
final class NoteHistory {
    /** A write, from the moment at which a server accepted it first. */
    static final class Written {
        final Note note;
        final String client;
        private final long order;
        private boolean acknowledged;
        private boolean excused;

        Written(Note note, String client, long order) {
            this.note = note;
            this.client = client;
            this.order = order;
        }
    }

    /** The server took a note, from its holder or from a client that had written it. */
    private record Taken(long order, Note note) {}

    /** A holder read, and believed in its hold when it knew the answer. */
    private record Read(long order, long token, Optional<Note> note) {}

    private final String name;
    private final Map<Note, Written> written = new LinkedHashMap<>();
    private final List<Taken> taken = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final Map<String, Long> forgottenBy = new HashMap<>();
    private final List<Long> forgotten = new ArrayList<>();
    private final List<Long> failovers = new ArrayList<>();
    private long newestToken;

    NoteHistory(String name) {
        this.name = name;
    }

    void written(Note note, String client, long order) {
        written.computeIfAbsent(note, first -> new Written(note, client, order));
    }

    void taken(Note note, long order) {
        taken.add(new Taken(order, note));
    }

    /** Returns whether the holder of a later hold has written before, even if its note was forgotten since then. */
    boolean isStale(Note note) {
        long storeToken = note.token() / Protocol.LOCAL_TOKENS;
        boolean stale = storeToken < newestToken;
        newestToken = Math.max(newestToken, storeToken);
        return stale;
    }

    void acknowledged(Note note) {
        Written write = written.get(note);
        if (write != null) {
            write.acknowledged = true;
        }
    }

    void read(long order, long token, Optional<Note> note) {
        reads.add(new Read(order, token, note));
    }

    void forgotten(long order) {
        forgotten.add(order);
    }

    private long forgottenBefore(long order) {
        return forgotten.stream().filter(each -> each <= order).reduce(-1L, Math::max);
    }

    /** A client stops offering a note when its user asks for its removal, whatever the answer. */
    void forgottenBy(String client, long order) {
        forgottenBy.put(client, order);
    }

    /** The server goes on with the state of a replica: an earlier holder may be the present one again. */
    void failedOver(long order) {
        newestToken = 0;
        failovers.add(order);
    }

    /** Returns the acknowledged writes that were lost, without those that are excused. */
    List<Written> lost(Optional<Note> present) {
        return written.values().stream()
                .filter(write -> write.acknowledged && !write.excused && isLost(write, present) && !isReplaced(write))
                .toList();
    }

    /** A client offers only the last note that it wrote under a name. */
    private boolean isReplaced(Written write) {
        return written.values().stream()
                .anyMatch(later ->
                        later.acknowledged && later.client.equals(write.client) && later.note.isNewerThan(write.note));
    }

    /** Returns the writes that were lost, acknowledged or not. */
    List<Written> missing(Optional<Note> present) {
        return written.values().stream().filter(write -> isLost(write, present)).toList();
    }

    private boolean isLost(Written write, Optional<Note> present) {
        return write.note.isNewerThan(present.orElse(null))
                && write.order > forgottenBefore(Long.MAX_VALUE)
                && write.order > forgottenBy.getOrDefault(write.client, -1L);
    }

    void excuse(Written write) {
        write.excused = true;
    }

    /** Returns each fault in the reads of holders, except by writes of their own client's earlier callers, and by strays. */
    List<String> staleReads() {
        List<String> findings = new ArrayList<>();
        overtaken((read, taken) -> !isSameHold(read, taken) && !isStray(read, taken))
                .forEach((read, note) -> findings.add("the holder of " + name + " with token " + read.token + " read "
                        + read.note + ", and then the store took " + note + " of an earlier holder"));
        return findings;
    }

    /** Returns how many reads were overtaken by a write of a caller that had the same hold before. */
    int overtakenLocally() {
        return overtaken(NoteHistory::isSameHold).size();
    }

    /** Returns how many reads of one server were overtaken by a write that was on its way, and that the next one took. */
    int overtakenByStrays() {
        return overtaken((read, taken) -> !isSameHold(read, taken) && isStray(read, taken))
                .size();
    }

    private static boolean isSameHold(Read read, Taken taken) {
        return read.token / Protocol.LOCAL_TOKENS == taken.note.token() / Protocol.LOCAL_TOKENS;
    }

    /** Whether a failover lies between them: the first server did not have this note when it answered the read. */
    private boolean isStray(Read read, Taken taken) {
        return failovers.stream().anyMatch(each -> read.order < each && each < taken.order);
    }

    private Map<Read, Note> overtaken(BiPredicate<Read, Taken> counts) {
        Map<Read, Note> overtaken = new LinkedHashMap<>();
        for (Read read : reads) {
            for (Taken each : taken) {
                if (each.order > read.order && isUnexpected(each, read) && counts.test(read, each)) {
                    overtaken.putIfAbsent(read, each.note);
                }
            }
        }
        return overtaken;
    }

    private boolean isUnexpected(Taken later, Read read) {
        Note note = later.note;
        return note.token() < read.token && note.isNewerThan(read.note.orElse(null)) && !isBack(later, read.order);
    }

    /** Whether it was forgotten before a read, and came back by a failover that has lost this. */
    private boolean isBack(Taken later, long readOrder) {
        Written write = written.get(later.note);
        long forget = forgottenBefore(readOrder);
        return write != null
                && write.order <= forget
                && failovers.stream().anyMatch(each -> forget <= each && each < later.order);
    }
}
