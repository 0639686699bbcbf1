package dev.baton.chaos.client;

import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.Locker.Taken;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A thread that takes locks at a rate, and writes no history. An eighth of its requests are for one lock that all
 * callers want, an eighth for a lock with a new name that is never asked for again, and the others for locks of its own.
 */
final class PacedCaller implements Runnable {
    private static final int KINDS = 8;

    /** A caller that was held up makes up for a second at most. */
    private static final long MOST_BEHIND = Duration.ofSeconds(1).toNanos();

    private static final int SHARED = 0;

    private final ClientSettings settings;
    private final Locker locker;
    private final Tally tally;
    private final Witness witness;
    private final CountDownLatch finish;
    private final SplittableRandom random;
    private final String own;
    private final long intervalNanos;
    private long passes;

    PacedCaller(
            ClientSettings settings, int thread, Locker locker, Tally tally, Witness witness, CountDownLatch finish) {
        this.settings = settings;
        this.locker = locker;
        this.tally = tally;
        this.witness = witness;
        this.finish = finish;
        this.random = settings.random(thread);
        this.own = "own-" + settings.client() + "-" + thread + "-";
        this.intervalNanos = (long) (settings.threads() * 1e9 / settings.rate());
    }

    @Override
    public void run() {
        long next = HostTime.nanos();
        while (finish.getCount() > 0) {
            pass(name());
            next = Math.max(next + intervalNanos, HostTime.nanos() - MOST_BEHIND);
            pause(next - HostTime.nanos());
        }
    }

    private String name() {
        passes++;
        return switch (random.nextInt(KINDS)) {
            case 0 -> settings.names().name(SHARED);
            case 1 -> own + "once-" + passes;
            default -> own + random.nextInt(settings.names().size());
        };
    }

    private void pass(String name) {
        tally.pass();
        try {
            Locker.Outcome outcome = locker.use(
                    Wanted.lock(name), settings.leaseTime().dividedBy(2), random, taken -> show(name, taken));
            if (outcome != Locker.Outcome.REFUSED) {
                witness.count(settings.client());
            }
        } catch (InterruptedException meant) {
            // A fault: the caller goes on.
            witness.countInterrupt(settings.client());
        } catch (Exception failed) {
            tally.exception();
        }
    }

    private void show(String name, Taken taken) {
        if (name.equals(settings.names().name(SHARED))
                && taken.isHeld()
                && !witness.accepts(SHARED, taken.token(name))
                && taken.isHeld()) {
            tally.refusal();
        }
    }

    private void pause(long nanos) {
        try {
            boolean unused = finish.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException meant) {
            // A fault: the caller goes on.
        }
    }
}
