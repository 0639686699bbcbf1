package dev.baton.internal.work;

import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.Election;
import dev.baton.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A candidate: waits for the lock on a thread of its own, and has another thread tell the listener, so that it can end a
 * term while the listener works. Thread-safe.
 */
final class Candidate extends ThreadDuty implements Election.Candidacy {
    /** A renewed lease never comes close to it: the end is told while no other client can lead yet. */
    private static final int EARLY_SHARE = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_REST = Duration.ofMillis(250);
    private static final Duration COMPLAIN_AFTER = Duration.ofSeconds(3);

    private final String name;
    private final DistributedLock lock;
    private final Host host;
    private final Election.Listener listener;

    private final ReentrantLock state = new ReentrantLock();
    private final Condition changed = state.newCondition();
    private boolean looks;
    private boolean tellsEnd;
    private volatile @Nullable LeaseTerm term;

    Candidate(String name, DistributedLock lock, Host host, Election.Listener listener) {
        super(host, "baton-candidate-" + name);
        this.name = name;
        this.lock = lock;
        this.host = host;
        this.listener = listener;
    }

    @Override
    void work() {
        Duration pause = FIRST_PAUSE;
        while (!isOver()) {
            try {
                Lease lease = lock.acquire();
                pause = FIRST_PAUSE;
                Duration cooldown = lead(lease);
                rest(cooldown);
            } catch (InterruptedException ended) {
                // By close: the loop ends. A candidate that other code interrupts stands again.
            } catch (BatonException unanswered) {
                // The client tells of outages itself.
                pause = pauseAfter(pause);
            } catch (RuntimeException | Error defect) {
                host.log(System.Logger.Level.ERROR, "a candidate of \"" + name + "\" failed; it stands again", defect);
                pause = pauseAfter(pause);
            }
        }
    }

    private Duration pauseAfter(Duration pause) {
        rest(pause);
        return longer(pause, LONGEST_PAUSE);
    }

    private void rest(Duration time) {
        long end = host.nanos() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && !isOver(); left = end - host.nanos()) {
            try {
                host.rest(Duration.ofNanos(left));
            } catch (InterruptedException ended) {
                // The loop looks whether it is over.
            }
        }
    }

    // ---- one term ------------------------------------------------------------------------------------------------

    /** Leads until the term is over; returns for how long to stay out then. */
    private Duration lead(Lease lease) {
        LeaseTerm leads = new LeaseTerm(lease, this::look);
        try {
            term = leads;
            tellWhileLeading(leads);
        } finally {
            term = null;
            lease.release();
        }
        Duration cooldown = leads.cooldown();
        return cooldown == null ? Duration.ZERO : cooldown;
    }

    private void tellWhileLeading(LeaseTerm leads) {
        Thread telling = host.start("baton-leader-" + name, () -> tellStart(leads));
        try {
            awaitEnd(leads);
        } finally {
            leads.end();
            awaitReturn(telling);
            tellEnd(leads);
        }
    }

    private void tellStart(LeaseTerm leads) {
        try {
            listener.started(leads);
        } catch (InterruptedException ended) {
            // By the end of the term; or the listener does not want to lead.
            leads.stepDown(Duration.ZERO);
        } catch (Throwable thrown) {
            host.log(
                    System.Logger.Level.ERROR,
                    "the listener of \"" + name + "\" failed when its term began, so the term ends",
                    thrown);
            leads.stepDown(FIRST_PAUSE);
        }
    }

    /** Returns when the term is over: given up, lost, or so near its end without a renewal that it might be lost. */
    private void awaitEnd(LeaseTerm leads) {
        Lease lease = leads.lease();
        Duration longest = Duration.ZERO;
        while (!isOver() && leads.cooldown() == null) {
            Duration left = lease.remaining();
            longest = left.compareTo(longest) > 0 ? left : longest;
            Duration early = left.minus(longest.dividedBy(EARLY_SHARE));
            if (early.isNegative() || early.isZero()) {
                return;
            }
            awaitLook(early.compareTo(LONGEST_REST) < 0 ? early : LONGEST_REST);
        }
    }

    private void awaitLook(Duration time) {
        state.lock();
        try {
            long left = time.toNanos();
            while (!looks && left > 0) {
                left = changed.awaitNanos(left);
            }
            looks = false;
        } catch (InterruptedException ended) {
            // The caller looks whether it is over.
        } finally {
            state.unlock();
        }
    }

    private void look() {
        state.lock();
        try {
            looks = true;
            changed.signalAll();
        } finally {
            state.unlock();
        }
    }

    /** The next start must not overtake this one's return, and so neither must the end. */
    private void awaitReturn(Thread telling) {
        long start = host.nanos();
        boolean complained = false;
        while (telling.isAlive()) {
            telling.interrupt();
            try {
                telling.join(LONGEST_REST.toMillis());
            } catch (InterruptedException ended) {
                // Closing waits for the listener, too.
            }
            if (!complained && host.nanos() - start > COMPLAIN_AFTER.toNanos()) {
                complained = true;
                host.log(
                        System.Logger.Level.WARNING,
                        "the listener of \"" + name + "\" still works, although its term is over and it was"
                                + " interrupted: this candidate cannot lead again before it returns",
                        null);
            }
        }
    }

    private void tellEnd(LeaseTerm leads) {
        setTellsEnd(true);
        try {
            listener.ended(leads);
        } catch (Throwable thrown) {
            host.log(System.Logger.Level.ERROR, "the listener of \"" + name + "\" failed when its term ended", thrown);
        } finally {
            setTellsEnd(false);
        }
    }

    /** The interrupts that wake this thread are not for the listener: one that came before is cleared, and none follows. */
    private void setTellsEnd(boolean tells) {
        state.lock();
        try {
            tellsEnd = tells;
            boolean unused = Thread.interrupted();
        } finally {
            state.unlock();
        }
    }

    // ---- for users ------------------------------------------------------------------------------------------

    @Override
    public Optional<Election.Term> term() {
        LeaseTerm leads = term;
        return leads != null && leads.isLeading() ? Optional.of(leads) : Optional.empty();
    }

    @Override
    public void close() {
        state.lock();
        try {
            if (tellsEnd) {
                endSoon();
            } else {
                super.close();
            }
        } finally {
            state.unlock();
        }
        look();
    }

    @Override
    public CompletableFuture<Void> withdraw() {
        close();
        return end();
    }

    @Override
    public String toString() {
        return "Candidacy[" + name + ", " + term().map(Object::toString).orElse("waiting") + ']';
    }
}
