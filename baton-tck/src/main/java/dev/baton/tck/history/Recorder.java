package dev.baton.tck.history;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Takes a lock for a moment and records the hold. Thread-safe. */
public final class Recorder {
    private final Queue<HoldRecord> records = new ConcurrentLinkedQueue<>();

    /** Code that runs under the lock. */
    public interface Section {
        /** Runs under the lock. */
        void run(Lease lease) throws InterruptedException;
    }

    /** Waits for the lock, runs the section, releases, and records all of it. */
    public void hold(String holder, DistributedLock lock, Section section) throws InterruptedException {
        long asked = System.nanoTime();
        Lease lease = lock.acquire();
        long got = System.nanoTime();
        section.run(lease);
        long letGo = System.nanoTime();
        lease.release();
        records.add(new HoldRecord(holder, lease.token(), asked, got, letGo, System.nanoTime()));
    }

    /** Returns the holds recorded so far. */
    public List<HoldRecord> history() {
        return new ArrayList<>(records);
    }
}
