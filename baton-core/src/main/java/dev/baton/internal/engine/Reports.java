package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.LossCause;
import dev.baton.internal.Exceptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Events for the listener and lines for the log. Both leave as effects of an {@link Outbox}. Thread-safe. */
final class Reports {
    private static final System.Logger LOG = System.getLogger("dev.baton");

    private final @Nullable BatonListener listener;

    Reports(@Nullable BatonListener listener) {
        this.listener = listener;
    }

    void event(BatonEvent.Type type, String name, long token, long elapsedNanos, String detail, Outbox out) {
        tell(type, name, token, elapsedNanos, null, null, detail, out);
    }

    /**
     * A caller has a lease.
     *
     * @param how ACQUIRED or HANDED_OFF
     */
    void got(Waiter waiter, Grant grant, BatonEvent.Type how, long now, Outbox out) {
        long waitedNanos = now - waiter.startNanos;
        recordEnd(grant.name(), waiter, how.name(), grant.token());
        if (how == BatonEvent.Type.HANDED_OFF && Flight.isOn()) {
            Flight.handedOff(grant.name(), grant.token(), waitedNanos);
        }
        event(how, grant.name(), grant.token(), waitedNanos, "", out);
    }

    void gaveUp(String name, Waiter waiter, BatonEvent.Reason reason, long now, Outbox out) {
        recordEnd(name, waiter, reason.name(), 0);
        tell(BatonEvent.Type.GAVE_UP, name, 0, now - waiter.startNanos, reason, null, "", out);
    }

    void released(Grant grant, long now, Outbox out) {
        recordEnd(grant, BatonEvent.Type.RELEASED);
        event(BatonEvent.Type.RELEASED, grant.name(), grant.token(), now - grant.grantedNanos(), "", out);
    }

    void lost(Grant grant, LossCause cause, long now, Outbox out) {
        long heldNanos = now - grant.grantedNanos();
        recordEnd(grant, BatonEvent.Type.LOST);
        if (Flight.isOn()) {
            Flight.lost(grant.name(), grant.token(), cause.name(), heldNanos);
        }
        tell(BatonEvent.Type.LOST, grant.name(), grant.token(), heldNanos, null, cause, cause.name(), out);
    }

    private static void recordEnd(Grant grant, BatonEvent.Type how) {
        Flight.Hold flight = grant.flight();
        if (flight != null) {
            flight.ended(grant.name(), grant.thread(), how.name(), grant.token());
        }
    }

    private static void recordSilence(String storeName, long silentNanos, boolean isOver) {
        if (Flight.isOn()) {
            Flight.silent(storeName, silentNanos, isOver);
        }
    }

    private static void recordEnd(String name, Waiter waiter, String how, long token) {
        Flight.Wait flight = waiter.flight;
        if (flight != null) {
            flight.ended(name, waiter.thread, how, token);
        }
    }

    void silent(String storeName, long silentNanos, String why, Outbox out) {
        recordSilence(storeName, silentNanos, false);
        String because = why.isEmpty() ? "" : " (" + why + ")";
        warn(
                storeName + " has answered nothing for " + silentNanos / 1_000_000 + " ms" + because
                        + ": leases last until their time is over, and callers go on waiting",
                null,
                out);
        event(BatonEvent.Type.STORE_SILENT, "", 0, silentNanos, why, out);
    }

    void back(String storeName, long silentNanos, Outbox out) {
        recordSilence(storeName, silentNanos, true);
        info(storeName + " answers again after " + silentNanos / 1_000_000 + " ms of silence", out);
        event(BatonEvent.Type.STORE_BACK, "", 0, silentNanos, "", out);
    }

    private void tell(
            BatonEvent.Type type,
            String name,
            long token,
            long elapsedNanos,
            BatonEvent.@Nullable Reason reason,
            @Nullable LossCause cause,
            String detail,
            Outbox out) {
        if (listener != null) {
            event(new BatonEvent(type, name, token, Duration.ofNanos(elapsedNanos), reason, cause, detail), out);
        }
    }

    void event(BatonEvent event, Outbox out) {
        BatonListener hearer = listener;
        if (hearer != null) {
            out.call(Driver.Kind.EVENT, () -> hearer.onEvent(event));
        }
    }

    void selfWait(Grant owner, long now, Outbox out) {
        String instead = switch (owner.resource().kind()) {
            case LOCK -> "use reentrantLock";
            case READ_WRITE -> "use asReadWriteLock";
            case SEMAPHORE -> "acquire all permits at once";
        };
        String message = "a thread has waited for a second for its own lease of \"" + owner.name() + "\": a lease"
                + " is not re-entrant (" + instead + ", release first, or have another thread release it)";
        warn(message, takenAt(owner), out);
        event(BatonEvent.Type.SELF_WAIT, owner.name(), owner.token(), now - owner.grantedNanos(), message, out);
    }

    void abandoned(Grant grant, long now, Outbox out) {
        String message = "the lease of \"" + grant.name() + "\" can no longer be reached but was never released: it is"
                + " not renewed any more and ends by itself (use try-with-resources)";
        warn(message, takenAt(grant), out);
        event(BatonEvent.Type.ABANDONED, grant.name(), grant.token(), now - grant.grantedNanos(), message, out);
    }

    void undoingGivenUp(String name, Outbox out) {
        String message = "gave up undoing an attempt for \"" + name
                + "\": the store has not answered for longer than any hold of it can live";
        warn(message, null, out);
    }

    void graceBegan(String storeName, long restNanos, Outbox out) {
        long seconds = (restNanos + 999_999_999) / 1_000_000_000;
        String message =
                storeName + " may have forgotten its last writes (it restarted, or another server took over): it"
                        + " grants nothing new for another " + seconds
                        + " s, while holders put their locks back and keep them; callers wait";
        warn(message, null, out);
        event(BatonEvent.Type.GRACE_BEGAN, "", 0, 0, message, out);
    }

    void graceEnded(String storeName, long lastedNanos, Outbox out) {
        info(storeName + " grants locks again after a grace period of " + lastedNanos / 1_000_000 + " ms", out);
        event(BatonEvent.Type.GRACE_ENDED, "", 0, lastedNanos, "", out);
    }

    /** A defect in one resource, which must not keep the others from being renewed. */
    void defect(String name, Throwable defect, Outbox out) {
        String message = "the watchdog met a defect at \"" + name + "\" and goes on";
        log(System.Logger.Level.ERROR, message, defect, out);
    }

    void info(String message, Outbox out) {
        log(System.Logger.Level.INFO, message, null, out);
    }

    void warn(String message, @Nullable Throwable cause, Outbox out) {
        log(System.Logger.Level.WARNING, message, cause, out);
    }

    private static void log(System.Logger.Level level, String message, @Nullable Throwable cause, Outbox out) {
        out.call(Driver.Kind.LOG, () -> LOG.log(level, message, cause));
    }

    private static @Nullable Throwable takenAt(Grant grant) {
        Throwable where = grant.takenAt();
        return where == null ? null : Exceptions.get().other("it was taken here", where);
    }
}
