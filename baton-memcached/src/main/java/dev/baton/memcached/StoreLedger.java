package dev.baton.memcached;

import dev.baton.internal.store.FinishedAttempts;
import dev.baton.spi.Ledger;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;

/** The ledger of one command. Its records count after its item has been written. Not thread-safe. */
final class StoreLedger implements Ledger {
    /** Stands for a token until the item is written, whose version becomes the token. */
    static final long UNKNOWN_TOKEN = 0;

    private final String name;
    private final Stamp stamp;
    private final FinishedAttempts marks;
    private long finished;

    StoreLedger(String name, Stamp stamp, FinishedAttempts marks) {
        this.name = name;
        this.stamp = stamp;
        this.marks = marks;
    }

    /** Commits the records: the item was written, or did not need to be. */
    void commit() {
        if (finished > 0) {
            marks.add(name, finished);
        }
    }

    @Override
    public Stamp stamp() {
        return stamp;
    }

    @Override
    public long nextToken() {
        return UNKNOWN_TOKEN;
    }

    @Override
    public void raiseHighWater(long token) {
        throw new IllegalStateException("nothing is put back: there is no grace period");
    }

    @Override
    public boolean isFinished(String client, long attempt) {
        return marks.contains(name, attempt);
    }

    @Override
    public boolean isOutdated(String client, long number) {
        throw new IllegalStateException("nothing is put back: there is no grace period");
    }

    @Override
    public void recordGrant(String client, long attempt) {
        finished = Math.max(finished, attempt);
    }

    @Override
    public void recordEnd(String client, long attempt, long number) {
        finished = Math.max(finished, attempt);
    }

    @Override
    public void handedOff(Resource resource, ResourceView.Hold hold, long secret) {
        throw new IllegalStateException("there are no tickets");
    }
}
