package dev.baton.chaos.client;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.Wanted;
import dev.baton.chaos.runbook.Notes;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Baton's locks, asked for in every way that its API has. */
final class BatonLocker implements Locker {
    /** A hold that a failover lost ends within a heartbeat of it: this shows how long its caller believed meanwhile. */
    private static final Duration LOOK = Duration.ofMillis(5);

    private final Baton baton;
    private final Duration leaseTime;
    private final Callbacks callbacks = new Callbacks();

    /** What a caller has; a callback that tells of its loss can be held up, after it has told. */
    private record Held(Taken taken, Callbacks callbacks) implements Taken {
        @Override
        public long token(String name) {
            return taken.token(name);
        }

        @Override
        public boolean isHeld() {
            return taken.isHeld();
        }

        @Override
        public Duration looksEvery() {
            return LOOK;
        }

        @Override
        public @Nullable String note() {
            return taken.note();
        }

        @Override
        public boolean writeNote(String note) {
            return taken.writeNote(note);
        }

        @Override
        public boolean downgrade() {
            return taken.downgrade();
        }

        @Override
        public String way() {
            return taken.way();
        }

        @Override
        public void onLost(Consumer<String> told) {
            taken.onLost(cause -> {
                told.accept(cause);
                callbacks.pass();
            });
        }
    }

    private final Notes notes;
    private final HistoryWriter history;

    BatonLocker(String uri, ClientSettings settings, HistoryWriter history) {
        this.history = history;
        this.notes = new Notes(history);
        this.leaseTime = settings.leaseTime();
        this.baton = Baton.connect(
                uri,
                ClientSettings.options(settings.grace())
                        .leaseTime(leaseTime)
                        .storeTimeout(Duration.ofSeconds(4))
                        .commandTimeout(Duration.ofSeconds(1))
                        .closeOnShutdown(false)
                        .callbackExecutor(callbacks)
                        .listener(event -> {
                            notes.onEvent(event);
                            callbacks.pass();
                        })
                        .build());
    }

    @Override
    public Outcome use(Wanted wanted, Duration wait, SplittableRandom random, Section section) throws Exception {
        Way.Ask ask = new Way.Ask(baton, wanted, wait, leaseTime, random, history);
        return Way.any(ask).use(ask, taken -> section.run(new Held(taken, callbacks)));
    }

    @Override
    public boolean tryOnce(Wanted wanted, Duration wait) throws Exception {
        if (NameKind.isDuty(wanted.name())) {
            return takesDuty(wanted, wait);
        }
        Targets targets = new Targets(baton, wanted);
        long began = HostTime.nanos();
        if (!targets.readsInVain(wait)) {
            return false;
        }
        Optional<Lease> lease = targets.lock().tryAcquire(wait.minus(HostTime.since(began)));
        lease.ifPresent(Lease::close);
        return lease.isPresent();
    }

    /** A job does not wait for the end of a grace period: it says so. */
    private boolean takesDuty(Wanted wanted, Duration wait) throws Exception {
        long began = HostTime.nanos();
        while (true) {
            Duration left = wait.minus(HostTime.since(began));
            try {
                return use(wanted, left, new SplittableRandom(began), taken -> {}) != Outcome.REFUSED;
            } catch (StoreException unanswered) {
                if (left.isNegative()) {
                    throw unanswered;
                }
                HostTime.sleep(LOOK);
            }
        }
    }

    @Override
    public void holdCallbacks(Runnable count) {
        callbacks.hold(count);
    }

    @Override
    public void letCallbacksGoOn() {
        callbacks.goOn();
    }

    @Override
    public void close() {
        baton.close();
        callbacks.close();
        notes.close();
    }
}
