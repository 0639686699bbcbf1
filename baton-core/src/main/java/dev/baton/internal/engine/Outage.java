package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the store answers at all. Tells people once when it has fallen silent, and once when it is back.
 *
 * <p>A late answer is no outage: the store counts as silent when nothing has been answered for a second, and neither is
 * a question that is sent then, for another second. While it is silent that question is repeated, so that its return is
 * noticed though nobody needs it.
 *
 * <p>Thread-safe. Any thread notes what was sent and answered; one at a time looks.
 */
final class Outage {
    /** 1 s of silence raises doubt, and another one after a question of its own settles it. */
    private static final long DOUBT_NANOS = 1_000_000_000;

    private static final long NONE = 0;

    private final Engine engine;

    /** When the oldest command was sent since the last answer. */
    private final AtomicLong unansweredSinceNanos = new AtomicLong(NONE);

    /** When the last silence of a second or more ended. */
    private volatile long silenceEndedNanos = NONE;

    /** Since when the store has been silent, once that was told. */
    private final AtomicLong silentSinceNanos = new AtomicLong(NONE);

    private final AtomicBoolean isAsking = new AtomicBoolean();
    private volatile long askedNanos = NONE;
    private volatile String lastFailure = "";

    Outage(Engine engine) {
        this.engine = engine;
    }

    void sent(long nanos) {
        if (unansweredSinceNanos.get() == NONE) {
            unansweredSinceNanos.compareAndSet(NONE, nanos | 1);
        }
    }

    /** For how long nothing has been answered, though something was asked; 0 if nothing is open. */
    long unansweredNanos(long now) {
        long since = unansweredSinceNanos.get();
        return since == NONE ? 0 : now - since;
    }

    /** Whether the store was silent for a second or more, and answered again at or after a time. */
    boolean hasEndedSince(long nanos) {
        long ended = silenceEndedNanos;
        return ended != NONE && ended - nanos >= 0;
    }

    void answered(Outbox out) {
        long unansweredSince = unansweredSinceNanos.get();
        if (unansweredSince != NONE) {
            long now = engine.clock().nanos();
            if (now - unansweredSince >= DOUBT_NANOS) {
                silenceEndedNanos = now | 1;
            }
            unansweredSinceNanos.set(NONE);
        }
        if (silentSinceNanos.get() == NONE) {
            return;
        }
        long since = silentSinceNanos.getAndSet(NONE);
        if (since != NONE) {
            long silent = engine.clock().nanos() - since;
            engine.info(engine.storeName() + " answers again after " + silent / 1_000_000 + " ms of silence", out);
            engine.report(BatonEvent.Type.STORE_BACK, "", 0, silent, "", out);
        }
    }

    /** To be called a few times a second. */
    void look(Outbox out) {
        long now = engine.clock().nanos();
        long since = unansweredSinceNanos.get();
        if (since == NONE || now - since < DOUBT_NANOS) {
            return;
        }
        boolean asked = askedNanos != NONE && askedNanos - since >= 0;
        if (asked && now - askedNanos >= DOUBT_NANOS && silentSinceNanos.compareAndSet(NONE, since)) {
            tell(now - since, out);
        }
        if ((!asked || now - askedNanos >= DOUBT_NANOS) && isAsking.compareAndSet(false, true)) {
            askedNanos = now;
            out.send(new Command.Ping(engine));
        }
    }

    private void tell(long silentNanos, Outbox out) {
        String why = lastFailure.isEmpty() ? "" : " (" + lastFailure + ")";
        engine.warn(
                engine.storeName() + " has answered nothing for " + silentNanos / 1_000_000 + " ms" + why
                        + ": leases last until their time is over, and callers go on waiting",
                null,
                out);
        engine.report(BatonEvent.Type.STORE_SILENT, "", 0, silentNanos, lastFailure, out);
    }

    /** The question of its own has come to its end; an empty text if it was answered. */
    void asked(String failure) {
        lastFailure = failure;
        isAsking.set(false);
    }
}
