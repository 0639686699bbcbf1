package dev.baton.chaos.client;

import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.history.Witness;
import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.Wanted;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread that takes locks until it is told to finish. */
final class Caller implements Runnable {
    /** After a failure, so that an unreachable store is not asked in a tight loop. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Duration LAST_WAIT_EXTRA = Duration.ofSeconds(30);

    /** Elections and jobs begin far less often than locks are taken: without it, faults would hit few of them. */
    private static final int MORE_LONG_DUTIES = 10;

    private final ClientSettings settings;
    private final int thread;
    private final Locker locker;
    private final HistoryWriter history;
    private final Witness witness;
    private final CountDownLatch finish;
    private final SplittableRandom random;

    Caller(
            ClientSettings settings,
            int thread,
            Locker locker,
            HistoryWriter history,
            Witness witness,
            CountDownLatch finish) {
        this.settings = settings;
        this.thread = thread;
        this.locker = locker;
        this.history = history;
        this.witness = witness;
        this.finish = finish;
        this.random = settings.random(thread);
    }

    @Override
    public void run() {
        while (finish.getCount() > 0) {
            use(settings.names().choose(random));
        }
        int names = settings.names().size();
        for (int number = thread % names; number < names; number += settings.threads()) {
            last(settings.names().whole(number));
        }
    }

    private void use(Wanted wanted) {
        long asked = HostTime.nanos();
        Visit visit = new Visit(history, witness, wanted, stay(wanted.name()));
        try {
            Outcome outcome = locker.use(wanted, patience(), random, visit::run);
            if (visit.ended(Visit.end(outcome))) {
                witness.count(settings.client());
            } else {
                history.refused();
            }
        } catch (InterruptedException meant) {
            // A fault: the caller goes on.
            witness.countInterrupt(settings.client());
            visit.ended(Hold.End.UNKNOWN);
        } catch (Exception failed) {
            visit.ended(Hold.End.UNKNOWN);
            history.failed(wanted.name(), asked, failed);
            pause();
        }
    }

    /** Mostly a few milliseconds, so that callers go on with other locks while a lock's holder is stopped. */
    private Duration patience() {
        int parts = random.nextInt(8) == 0 ? 2 : random.nextInt(20, 200);
        return settings.leaseTime().dividedBy(parts);
    }

    /** Mostly no time, sometimes some milliseconds, rarely most of a lease. Some sections of broken locks outlast any pause. */
    private Duration stay(String name) {
        boolean polls = !settings.subject().equals(ClientSettings.BATON);
        int more = polls && NameKind.isDuty(name) ? MORE_LONG_DUTIES : 1;
        int dice = random.nextInt(ClientSettings.SECTIONS) - settings.longSections() * more;
        if (dice < 0) {
            return settings.leaseTime()
                    .multipliedBy(random.nextInt(polls ? 400 : 120))
                    .dividedBy(100);
        }
        return dice < (polls ? 3_970 : 198) ? Duration.ofNanos(random.nextInt(3_000_000)) : Duration.ZERO;
    }

    private void pause() {
        try {
            finish.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException meant) {
            // A fault: the caller goes on.
        }
    }

    /** Every caller gets through once more, and the callers of each client get all of each name. */
    private void last(Wanted wanted) {
        long asked = HostTime.nanos();
        boolean granted = false;
        try {
            granted =
                    locker.tryOnce(wanted, settings.leaseTime().multipliedBy(3).plus(LAST_WAIT_EXTRA));
        } catch (Exception failed) {
            history.failed(wanted.name(), asked, failed);
        }
        history.last(thread, wanted.name(), HostTime.nanos() - asked, granted);
    }
}
