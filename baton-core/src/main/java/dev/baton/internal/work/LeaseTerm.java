package dev.baton.internal.work;

import dev.baton.Election;
import dev.baton.Lease;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One term: a lease, until that is nearly over or given up. Thread-safe. */
final class LeaseTerm implements Election.Term {
    private final Lease lease;
    private final Runnable wake;
    private volatile boolean ended;
    private volatile @Nullable Duration cooldown;

    /**
     * Begins a term.
     *
     * @param wake has the candidate look whether the term is over
     */
    LeaseTerm(Lease lease, Runnable wake) {
        this.lease = lease;
        this.wake = wake;
    }

    @Override
    public long token() {
        return lease.token();
    }

    @Override
    public boolean isLeading() {
        return !ended && lease.isHeld();
    }

    @Override
    public Lease lease() {
        return lease;
    }

    @Override
    public void writeNote(byte[] note) {
        if (note.length > LeaderNote.MOST) {
            throw new IllegalArgumentException("a leader's note has at most " + LeaderNote.MOST
                    + " bytes, but this one has " + note.length + ": keep the value elsewhere, and write where it is");
        }
        lease.writeNote(new LeaderNote(lease.token(), note).note());
    }

    @Override
    public void stepDown(Duration time) {
        Objects.requireNonNull(time, "cooldown");
        if (time.isNegative()) {
            throw new IllegalArgumentException("cooldown must not be negative, but is " + time);
        }
        cooldown = time;
        wake.run();
    }

    /** Returns for how long its candidate stays out; null if it has not stepped down. */
    @Nullable
    Duration cooldown() {
        return cooldown;
    }

    void end() {
        ended = true;
    }

    @Override
    public String toString() {
        return "Term[" + lease.name() + ", token " + token() + ", " + (isLeading() ? "leading" : "ended") + ']';
    }
}
