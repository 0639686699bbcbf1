package dev.baton.internal.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Watches whether the store answers at all. Reports once that it has fallen silent, and once that it is back.
 *
 * <p>A late answer is no outage: the store counts as silent if it has answered nothing for a second, and then does not
 * answer a ping for another second. While it is silent the ping is repeated, so that its return is noticed even if no
 * caller needs it.
 *
 * <p>Thread-safe. Any thread records commands and answers; only one thread at a time calls {@link #look}.
 */
final class Outage {
    /** 1 s of silence raises doubt; another second without an answer to a ping confirms it. */
    static final long DOUBT_NANOS = 1_000_000_000;

    private static final long NONE = 0;

    private final EngineSettings settings;
    private final Reports reports;

    /** When the first command after the last answer was sent. */
    private final AtomicLong unansweredSinceNanos = new AtomicLong(NONE);

    /** When the store last gave an answer. Commands that were sent before that and are open have had none since then. */
    private final AtomicLong lastAnswerNanos = new AtomicLong(NONE);

    /** Both are touched by every command that counts, and compared only when it matters. */
    private final LongAdder sent = new LongAdder();

    private final LongAdder ended = new LongAdder();

    /** When the last silence of a second or more ended. */
    private volatile long silenceEndedNanos = NONE;

    /** Since when the store has been silent, once that was reported. */
    private final AtomicLong silentSinceNanos = new AtomicLong(NONE);

    private final AtomicBoolean isAsking = new AtomicBoolean();
    private volatile long askedNanos = NONE;
    private volatile String lastFailure = "";

    Outage(EngineSettings settings, Reports reports) {
        this.settings = settings;
        this.reports = reports;
    }

    /** Records that a command was sent which the store has time to answer. Each one must also end. */
    void sent(long nanos) {
        unanswered(nanos);
        sent.increment();
    }

    /** Records that such a command was answered or has failed: whether the store works is as unknown as before. */
    void ended() {
        ended.increment();
    }

    /**
     * Takes back that a command was sent: it has ended without asking the store. Commands that were sent since then count
     * from now on.
     */
    void notAsked(long sentNanos, long now) {
        long others = ended.sum() - sent.sum() < 0 ? now | 1 : NONE;
        unansweredSinceNanos.compareAndSet(sentNanos | 1, others);
    }

    /** Records that a command failed which was sent without being recorded, though there was time to answer it. */
    void refused(long sentNanos) {
        unanswered(sentNanos);
    }

    private void unanswered(long sentNanos) {
        if (unansweredSinceNanos.get() == NONE) {
            unansweredSinceNanos.compareAndSet(NONE, sentNanos | 1);
        }
    }

    /** How long commands have been without any answer; 0 if none is open. */
    long unansweredNanos(long now) {
        long since = unansweredSinceNanos();
        return since == NONE ? 0 : now - since;
    }

    private long unansweredSinceNanos() {
        long since = unansweredSinceNanos.get();
        return since == NONE && ended.sum() - sent.sum() < 0 ? lastAnswerNanos.get() : since;
    }

    /** Whether a silence of a second or more ended at or after a time. */
    boolean hasEndedSince(long nanos) {
        long ended = silenceEndedNanos;
        return ended != NONE && ended - nanos >= 0;
    }

    /**
     * Records an answer. It may have been given long before it came here: it is no news then of a store that has been
     * silent since.
     *
     * @param sentNanos when its command was sent
     * @param givenNanos when the store gave it, as far as its clock tells; at the latest now
     */
    void answered(long sentNanos, long givenNanos, long now, Outbox out) {
        // As the time of sending is kept: an answer may come in the same nanosecond.
        long given = givenNanos | 1;
        long unansweredSince = unansweredSinceNanos.get();
        long since = unansweredSince == NONE ? later(lastAnswerNanos.get(), sentNanos | 1) : unansweredSince;
        boolean isNews = now - given < DOUBT_NANOS;
        if (isNews && given - since >= DOUBT_NANOS) {
            silenceEndedNanos = now | 1;
        }
        lastAnswerNanos.accumulateAndGet(given, Outage::later);
        if (unansweredSince != NONE && given - unansweredSince >= 0) {
            unansweredSinceNanos.compareAndSet(unansweredSince, NONE);
        }
        long silentSince = silentSinceNanos.get();
        if (isNews && silentSince != NONE && silentSinceNanos.compareAndSet(silentSince, NONE)) {
            reports.back(settings.storeName(), now - silentSince, out);
        }
    }

    private static long later(long before, long given) {
        return before == NONE || given - before > 0 ? given : before;
    }

    /** Checks for silence; must be called a few times a second. */
    void look(long now, Outbox out) {
        long since = unansweredSinceNanos();
        if (since == NONE || now - since < DOUBT_NANOS) {
            return;
        }
        boolean asked = askedNanos != NONE && askedNanos - since > 0;
        if (asked && now - askedNanos >= DOUBT_NANOS && silentSinceNanos.compareAndSet(NONE, since)) {
            // An answer may have come meanwhile, and have told nothing, because no silence had been told.
            if (unansweredSinceNanos() == since) {
                reports.silent(settings.storeName(), now - since, lastFailure, out);
            } else {
                silentSinceNanos.set(NONE);
            }
        }
        if ((!asked || now - askedNanos >= DOUBT_NANOS) && isAsking.compareAndSet(false, true)) {
            askedNanos = now;
            out.send(new Command.Ping(settings.silenceNanos()));
        }
    }

    /** Records the end of a ping: its failure, or an empty text if it was answered. */
    void asked(String failure) {
        lastFailure = failure;
        isAsking.set(false);
    }
}
