package dev.baton.internal.engine;

import dev.baton.spi.Protocol;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Watches whether the store is in a grace period. Reports once that one began, and once that it is over.
 *
 * <p>A store may keep a grace period for each of its servers, and even for each bucket: an answer tells only about the
 * buckets of the names that it is for. So each of them is kept until its told rest is over, or until a later question
 * about it is answered without one; the grace period lasts for as long as any is kept.
 *
 * <p>Thread-safe. The lock is taken only while there is a grace period.
 */
final class GracePeriods {
    /** What the last answer told of a bucket: when its question was sent, and when the grace period ends. */
    private record Told(long sentNanos, long untilNanos) {}

    private final EngineSettings settings;
    private final Reports reports;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Told> told = new HashMap<>();
    private long beganNanos;

    /** Read without the lock, by each answer. */
    private volatile boolean isOn;

    GracePeriods(EngineSettings settings, Reports reports) {
        this.settings = settings;
        this.reports = reports;
    }

    /**
     * Records an answer.
     *
     * @param command the command that was answered
     * @param graceMicros the rest of the grace period; 0 outside one
     * @param givenNanos when the store gave the answer, by our clock
     */
    void answered(Command command, long graceMicros, long givenNanos, long now, Outbox out) {
        if (graceMicros == 0 && !isOn) {
            return;
        }
        long until = givenNanos + graceMicros * 1_000;
        lock.lock();
        try {
            if (until - now > 0) {
                command.forEachName(name -> tell(name, new Told(command.sentNanos(), until)));
                beginIfNew(until, now, out);
            } else {
                command.forEachName(name -> forget(name, command.sentNanos()));
                endIfOver(now, out);
            }
        } finally {
            lock.unlock();
        }
    }

    private void tell(String name, Told latest) {
        told.merge(Protocol.bucketOf(name), latest, (old, fresh) -> isLater(old, fresh.sentNanos) ? old : fresh);
    }

    /** An answer that was overtaken tells nothing: its server may be the one before the failover. */
    private void forget(String name, long sentNanos) {
        told.computeIfPresent(Protocol.bucketOf(name), (bucket, old) -> isLater(old, sentNanos) ? old : null);
    }

    private static boolean isLater(Told old, long sentNanos) {
        return old.sentNanos - sentNanos > 0;
    }

    private void beginIfNew(long untilNanos, long now, Outbox out) {
        if (isOn) {
            return;
        }
        isOn = true;
        beganNanos = now;
        reports.graceBegan(settings.storeName(), untilNanos - now, out);
    }

    private void endIfOver(long now, Outbox out) {
        told.values().removeIf(each -> now - each.untilNanos >= 0);
        if (isOn && told.isEmpty()) {
            isOn = false;
            reports.graceEnded(settings.storeName(), now - beganNanos, out);
        }
    }

    /** Ends what is over, also if nothing is asked; must be called a few times a second. */
    void look(long now, Outbox out) {
        if (isOn) {
            lock.lock();
            try {
                endIfOver(now, out);
            } finally {
                lock.unlock();
            }
        }
    }
}
