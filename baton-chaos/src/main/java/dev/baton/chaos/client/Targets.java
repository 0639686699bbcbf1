package dev.baton.chaos.client;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.ReentrantDistributedLock;
import dev.baton.StoreException;
import dev.baton.chaos.lock.Wanted;
import dev.baton.tck.history.Portion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * The objects of Baton for a request.
 *
 * @param baton the client
 * @param wanted what is asked for
 */
record Targets(Baton baton, Wanted wanted) {
    DistributedLock lock() {
        if (wanted.names().size() > 1) {
            return baton.allOf(wanted.names().toArray(String[]::new));
        }
        Portion portion = wanted.portion();
        return switch (portion.side()) {
            case READER -> readWriteLock().read();
            case DOWNGRADED -> readWriteLock().write();
            case FORMER_WRITER -> throw new IllegalArgumentException("only a writer that holds becomes one");
            case PERMITS -> baton.semaphore(wanted.name(), portion.capacity()).permits(portion.weight());
            case OWNER -> isWriter() ? readWriteLock().write() : baton.lock(wanted.name());
        };
    }

    private DistributedReadWriteLock readWriteLock() {
        return baton.readWriteLock(wanted.name());
    }

    private boolean isWriter() {
        return wanted.portion().equals(Portion.writer(false));
    }

    /** Whether a thread can own it: permits and several names belong to leases only. */
    boolean hasOwned() {
        return wanted.names().size() == 1
                && wanted.portion().side() != Portion.Side.PERMITS
                && wanted.portion().side() != Portion.Side.DOWNGRADED;
    }

    /** Returns the lock that its thread owns. */
    ReentrantDistributedLock owned() {
        if (wanted.portion().equals(Portion.LOCK)) {
            return baton.reentrantLock(wanted.name());
        }
        ReadWriteLock both = readWriteLock().asReadWriteLock();
        return (ReentrantDistributedLock) (isWriter() ? both.writeLock() : both.readLock());
    }

    /**
     * If this is a writer: reads, and asks to write meanwhile, which must be refused at once.
     *
     * @return false if the time ended before it could read
     */
    boolean readsInVain(Duration wait) throws InterruptedException {
        if (!isWriter()) {
            return true;
        }
        Optional<Lease> reader = readWriteLock().read().tryAcquire(wait);
        if (reader.isEmpty()) {
            return false;
        }
        try (Lease reading = reader.get()) {
            Optional<Lease> writer = readWriteLock().write().tryAcquire(wait);
            writer.ifPresent(Lease::close);
            throw new IllegalStateException("a caller that reads " + reading.name() + " asked to write, and "
                    + (writer.isPresent() ? "may write" : "waited for itself"));
        } catch (StoreException unanswered) {
            throw unanswered;
        } catch (BatonException refused) {
            return true;
        }
    }
}
