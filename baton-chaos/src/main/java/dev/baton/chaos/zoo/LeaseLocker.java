package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Locks whose holds are renewed while their sections run. Thread-safe. */
abstract class LeaseLocker implements Locker {
    /** How often a watchdog renews in the time of a lease. */
    private static final int HEARTBEATS = 3;

    private static final int WATCHDOGS = 4;

    private final Duration lease;
    private final ScheduledExecutorService watchdogs = Executors.newScheduledThreadPool(WATCHDOGS, work -> {
        Thread thread = new Thread(work, "watchdog");
        thread.setDaemon(true);
        return thread;
    });

    LeaseLocker(Duration lease) {
        this.lease = lease;
    }

    final Duration lease() {
        return lease;
    }

    /** Asks for a lock. */
    abstract Optional<HeldLease> take(Wanted wanted, Duration wait) throws InterruptedException;

    @Override
    public Outcome use(Wanted wanted, Duration wait, SplittableRandom random, Section section) throws Exception {
        Optional<HeldLease> taken = take(wanted, wait);
        return taken.isPresent() ? hold(taken.get(), section) : Outcome.REFUSED;
    }

    private Outcome hold(HeldLease taken, Section section) throws InterruptedException {
        Future<?> watchdog = watch(taken);
        try {
            section.run(taken);
        } catch (Throwable failed) {
            watchdog.cancel(false);
            taken.release();
            throw failed;
        }
        watchdog.cancel(false);
        return taken.release();
    }

    /** Renews it from now on. */
    final Future<?> watch(HeldLease taken) {
        long period = lease.toMillis() / HEARTBEATS;
        return watchdogs.scheduleWithFixedDelay(taken::renew, period, period, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean tryOnce(Wanted wanted, Duration wait) throws Exception {
        Optional<HeldLease> taken = take(wanted, wait);
        taken.ifPresent(HeldLease::release);
        return taken.isPresent();
    }

    /** A grant that came too late is given back: its token may be newer than the next holder's. */
    static boolean isWorthIt(HeldLease taken) {
        if (taken.isHeld()) {
            return true;
        }
        taken.release();
        return false;
    }

    @Override
    public void close() {
        watchdogs.shutdownNow();
    }
}
