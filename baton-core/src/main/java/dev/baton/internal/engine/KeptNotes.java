package dev.baton.internal.engine;

import dev.baton.spi.Note;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The notes that this client has written of late. A failover may lose the last writes of a store, so each note is offered
 * to it again for some time: in a grace period the store takes those that it has forgotten, and at other times none.
 * Stores that never forget are offered nothing. Thread-safe.
 */
final class KeptNotes {
    /** The most names: with notes of full length they take about 10 MB. */
    private static final int MOST = 10_000;

    private static final long RETRY_NANOS = 1_000_000_000;

    private static final class Kept {
        final Note note;
        final long writtenNanos;
        long nextNanos;

        Kept(Note note, long writtenNanos, long nextNanos) {
            this.note = note;
            this.writtenNanos = writtenNanos;
            this.nextNanos = nextNanos;
        }
    }

    private final EngineSettings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Kept> notes = new LinkedHashMap<>();

    /** Read without the lock, by each look. */
    private volatile boolean isEmpty = true;

    KeptNotes(EngineSettings settings) {
        this.settings = settings;
    }

    /** Half of the shortest grace period: an offer that comes after a failover comes within it. */
    private long periodNanos() {
        return settings.timings().graceMicros() * 500;
    }

    /** The pause before another offer if one has failed: the shortest grace period has room for several, too. */
    private long retryNanos() {
        return Math.min(RETRY_NANOS, periodNanos() / 8);
    }

    /**
     * Keeps a note that the store has acknowledged. Offers are counted from when it was sent: if the answer was late, the
     * grace period of a failover in between may be half over.
     */
    void written(String name, Note note, long sentNanos) {
        if (!settings.reclaims()) {
            return;
        }
        lock.lock();
        try {
            Kept before = notes.get(name);
            if (before == null || note.isNewerThan(before.note)) {
                notes.remove(name);
                notes.put(name, new Kept(note, sentNanos, sentNanos + periodNanos()));
            }
            if (notes.size() > MOST) {
                notes.remove(notes.keySet().iterator().next());
            }
            isEmpty = false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns an action that stops offering the present note of a name; one that is written later is offered. */
    Runnable forgetting(String name) {
        lock.lock();
        try {
            Kept kept = notes.get(name);
            return () -> forget(name, kept);
        } finally {
            lock.unlock();
        }
    }

    private void forget(String name, @Nullable Kept kept) {
        lock.lock();
        try {
            notes.remove(name, kept);
            isEmpty = notes.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Offers all notes at once: another server may answer from now on. */
    void offerSoon(long now) {
        lock.lock();
        try {
            notes.values().forEach(kept -> kept.nextNanos = now);
        } finally {
            lock.unlock();
        }
    }

    /** Offers those that are due; must be called a few times a second. */
    void look(long now, Outbox out) {
        if (isEmpty) {
            return;
        }
        for (Command.Restore offer : due(now)) {
            out.send(offer);
        }
    }

    private List<Command.Restore> due(long now) {
        List<Command.Restore> offers = new ArrayList<>();
        lock.lock();
        try {
            // A store that has been silent since the write is offered the note for longer.
            notes.values().removeIf(kept -> now - kept.writtenNanos > 4 * periodNanos());
            notes.forEach((name, kept) -> {
                if (now - kept.nextNanos >= 0) {
                    kept.nextNanos = now + settings.silenceNanos() + retryNanos();
                    offers.add(new Command.Restore(name, kept.note, settings.silenceNanos()));
                }
            });
            isEmpty = notes.isEmpty();
        } finally {
            lock.unlock();
        }
        return offers;
    }

    /** Takes the store's answer to an offer. */
    void answered(Command.Restore offer, long now) {
        lock.lock();
        try {
            Kept kept = notes.get(offer.name);
            if (kept != null && kept.note.equals(offer.note)) {
                if (now - kept.writtenNanos >= 2 * periodNanos()) {
                    notes.remove(offer.name);
                } else {
                    kept.nextNanos = now + periodNanos();
                }
            }
            isEmpty = notes.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Offers a note again whose offer had no answer. */
    void failed(Command.Restore offer, long now) {
        lock.lock();
        try {
            Kept kept = notes.get(offer.name);
            if (kept != null && kept.note.equals(offer.note)) {
                kept.nextNanos = now + retryNanos();
            }
        } finally {
            lock.unlock();
        }
    }
}
