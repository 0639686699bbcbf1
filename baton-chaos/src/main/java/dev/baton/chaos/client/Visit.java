package dev.baton.chaos.client;

import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Noted;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Taken;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.lock.Wanted;
import dev.baton.tck.history.Portion;
import java.time.Duration;
import java.util.List;

/** One request and the use of its holds, one for each name, which are written down. For one thread. */
final class Visit {
    private final HistoryWriter history;
    private final Witness witness;
    private final Wanted wanted;
    private final Duration stay;
    private final boolean hasNote;
    private final long askedNanos = HostTime.nanos();
    /** A loss is told on another thread. */
    private volatile List<Part> parts = List.of();

    private long lastNanos = askedNanos;

    /** The hold of one name, and its work at the witnesses. */
    private static final class Part {
        private final long number;
        private final int place;
        private final long token;
        private Hold.Fence fence = Hold.Fence.NONE;
        private long read;
        private Hold.Work work = Hold.Work.NONE;

        Part(long number, int place, long token) {
            this.number = number;
            this.place = place;
            this.token = token;
        }
    }

    /**
     * Begins now, before anything is asked for.
     *
     * @param stay how long to keep it
     */
    Visit(HistoryWriter history, Witness witness, Wanted wanted, Duration stay) {
        this.history = history;
        this.witness = witness;
        this.wanted = wanted;
        this.stay = stay;
        this.hasNote = NameKind.NOTE.has(wanted.name());
    }

    /** The section: runs with all holds. */
    void run(Taken taken) throws InterruptedException {
        boolean held = taken.isHeld();
        Portion portion = wanted.portion();
        begin(taken, portion, askedNanos);
        taken.onLost(cause -> parts.forEach(part -> history.lost(part.number, cause)));
        work(taken, portion, held);
        if (portion.side() == Portion.Side.DOWNGRADED) {
            goOnAsReader(taken);
        }
    }

    private void begin(Taken taken, Portion portion, long since) {
        long now = HostTime.nanos();
        parts = wanted.names().stream()
                .map(name -> {
                    long token = taken.token(name);
                    long number = history.began(name, token, taken.way(), since, now, portion);
                    return new Part(number, NameSet.number(name), token);
                })
                .toList();
    }

    private void goOnAsReader(Taken taken) throws InterruptedException {
        long asked = HostTime.nanos();
        if (taken.downgrade()) {
            ended(Hold.End.DOWNGRADED);
            boolean held = taken.isHeld();
            lastNanos = asked;
            begin(taken, Portion.formerWriter(), asked);
            work(taken, Portion.formerWriter(), held);
        }
    }

    private void work(Taken taken, Portion portion, boolean held) throws InterruptedException {
        for (Part part : parts) {
            part.fence = fence(taken, part, portion, held);
            part.read = witness.read(part.place);
        }
        Noted.Read note = hasNote ? readNote(taken) : Noted.Read.UNKNOWN;
        if (!stay.isZero()) {
            stay(taken);
        }
        // As a careful user does. A process that is stopped between this line and the next writes all the same.
        boolean works = check(taken);
        List<Long> seen = works
                ? parts.stream().map(part -> writeOrRead(part, portion)).toList()
                : parts.stream().map(part -> -1L).toList();
        if (hasNote) {
            history.noted(parts.get(0).number, note, works ? writeNote(taken) : Noted.Write.NONE);
        }
        boolean sure = works && check(taken);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            part.work = new Hold.Work(part.fence, works ? part.read : -1, seen.get(i), sure);
        }
    }

    /** What comes after the loss of the lock may be the note of a later holder. */
    private Noted.Read readNote(Taken taken) {
        String note = taken.note();
        return note != null && check(taken) ? new Noted.Read(true, note) : Noted.Read.UNKNOWN;
    }

    /** The token of a hold is a note that no other holder writes. */
    private Noted.Write writeNote(Taken taken) {
        boolean written = taken.writeNote(Long.toString(parts.get(0).token));
        return written ? Noted.Write.WRITTEN : Noted.Write.UNSURE;
    }

    /** Who is alone writes; the others read once more. */
    private long writeOrRead(Part part, Portion portion) {
        if (!portion.isAlone()) {
            return witness.read(part.place);
        }
        witness.write(part.place, part.read + 1);
        return part.read + 1;
    }

    private void stay(Taken taken) throws InterruptedException {
        long began = HostTime.nanos();
        Duration look = taken.looksEvery();
        Duration left = stay;
        while (left.compareTo(look) > 0) {
            HostTime.sleep(look);
            check(taken);
            left = stay.minus(HostTime.since(began));
        }
        if (!left.isNegative()) {
            HostTime.sleep(left);
        }
    }

    /** The token of permits orders nothing, and that of a reader no writes: the register only compares it. */
    private Hold.Fence fence(Taken taken, Part part, Portion portion, boolean held) {
        if (part.token < 0 || portion.side() == Portion.Side.PERMITS) {
            return Hold.Fence.NONE;
        }
        boolean accepted =
                portion.isReader() ? witness.isNewest(part.place, part.token) : witness.accepts(part.place, part.token);
        if (accepted) {
            return Hold.Fence.ACCEPTED;
        }
        return held && check(taken) ? Hold.Fence.REFUSED_WHILE_HELD : Hold.Fence.REFUSED;
    }

    private boolean check(Taken taken) {
        long called = HostTime.nanos();
        boolean held = taken.isHeld();
        if (held) {
            lastNanos = called;
        }
        return held;
    }

    /** Records the end, if the section ran. Returns whether it did. */
    boolean ended(Hold.End end) {
        long now = HostTime.nanos();
        parts.forEach(part -> history.ended(part.number, lastNanos, now, end, part.work));
        return !parts.isEmpty();
    }

    static Hold.End end(Outcome outcome) {
        return switch (outcome) {
            case RELEASED -> Hold.End.RELEASED;
            case LOST -> Hold.End.LOST;
            default -> Hold.End.UNKNOWN;
        };
    }
}
