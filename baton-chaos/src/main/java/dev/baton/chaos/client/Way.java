package dev.baton.chaos.client;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockOptions;
import dev.baton.ReentrantDistributedLock;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.chaos.history.HistoryWriter;
import dev.baton.chaos.lock.Locker;
import dev.baton.chaos.lock.Locker.Outcome;
import dev.baton.chaos.lock.Locker.Section;
import dev.baton.chaos.lock.NameKind;
import dev.baton.chaos.lock.Wanted;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ways in which an application can ask for a lock of Baton's. */
enum Way {
    /** Waits without a limit. */
    ACQUIRE {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            return hold(ask.lock().acquire(), section);
        }
    },
    /** Waits for some time. */
    TIMED {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            return holdIfGranted(ask.lock().tryAcquire(ask.patience()), section);
        }
    },
    /** Does not wait. */
    TRY {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            return holdIfGranted(ask.lock().tryAcquire(), section);
        }
    },
    /** Asks for a future. */
    ASYNC {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            CompletableFuture<Optional<Lease>> future = ask.lock().tryAcquireAsync(ask.patience());
            try {
                return holdIfGranted(result(future), section);
            } catch (InterruptedException meant) {
                // A future that is left alone would keep its lease.
                giveBack(future.thenApply(lease -> lease.orElse(null)), future);
                throw meant;
            }
        }
    },
    /** Asks for a future, and cancels it, often when it is too late. */
    ASYNC_CANCELLED {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            CompletableFuture<Lease> future = ask.lock().acquireAsync();
            try {
                return hold(future.get(ask.random().nextInt(3_000), TimeUnit.MICROSECONDS), section);
            } catch (TimeoutException waited) {
                if (future.cancel(false)) {
                    return Outcome.REFUSED;
                }
                return hold(result(future), section);
            } catch (ExecutionException failed) {
                throw cause(failed);
            } catch (InterruptedException meant) {
                giveBack(future, future);
                throw meant;
            }
        }
    },
    /** Asks as a thread of {@code java.util.concurrent.locks}, and once more while it holds. */
    THREAD_OWNED {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            ReentrantDistributedLock owned = ask.target().owned();
            if (!owned.tryLock(ask.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                return Outcome.REFUSED;
            }
            Lease lease = owned.currentLease().orElse(null);
            try {
                // Re-entrance after a loss would throw, and a hold that is over already needs no second lock.
                if (lease != null && lease.isHeld() && owned.tryLock()) {
                    try {
                        section.run(taken(lease));
                    } finally {
                        owned.unlock();
                    }
                }
            } finally {
                owned.unlock();
            }
            return lease == null || lease.loss().isPresent() ? Outcome.LOST : Outcome.RELEASED;
        }
    },
    /** Hands over an action. */
    TEMPLATE {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            AtomicReference<@Nullable ReleaseOutcome> released = new AtomicReference<>();
            boolean ran = ask.lock()
                    .with(LockOptions.defaults().withAfterRelease((lease, outcome) -> released.set(outcome)))
                    .tryRun(ask.patience(), lease -> section.run(taken(lease)));
            return ran ? outcome(released.get()) : Outcome.REFUSED;
        }
    },
    /** Asks for a lease that is not renewed. */
    EXPLICIT_LEASE {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            LockOptions fixed = LockOptions.defaults().withLeaseTime(ask.leaseTime());
            return holdIfGranted(ask.lock().with(fixed).tryAcquire(ask.patience()), section);
        }
    },
    /** Asks for a lease that is not renewed, and extends it by hand. */
    EXTENDED {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            LockOptions fixed = LockOptions.defaults().withLeaseTime(ask.leaseTime());
            Optional<Lease> lease = ask.lock().with(fixed).tryAcquire(ask.patience());
            if (lease.isEmpty()) {
                return Outcome.REFUSED;
            }
            // On its way while the section runs.
            CompletableFuture<Boolean> extended = lease.get().extendAsync(ask.leaseTime());
            Outcome outcome = hold(lease.get(), section);
            extended.exceptionally(unanswered -> false).join();
            return outcome;
        }
    },
    /** Releases on another thread. */
    RELEASED_ELSEWHERE {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            Optional<Lease> lease = ask.lock().tryAcquire(ask.patience());
            if (lease.isEmpty()) {
                return Outcome.REFUSED;
            }
            CompletableFuture<ReleaseOutcome> released;
            try {
                section.run(taken(lease.get()));
            } finally {
                released = lease.get().releaseAsync();
            }
            return outcome(result(released));
        }
    },
    /** Leads in an election. */
    LEADS {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            return Duties.lead(ask, section, this::taken);
        }
    },
    /** Runs a job. */
    RUNS {
        @Override
        Outcome use(Ask ask, Section section) throws Exception {
            return Duties.run(ask, section, this::taken);
        }
    };

    /**
     * What is asked for.
     *
     * @param baton the client
     * @param wanted what to ask for
     * @param patience how long to wait
     * @param leaseTime of leases that are not renewed
     * @param random for choices
     * @param history of this client
     */
    record Ask(
            Baton baton,
            Wanted wanted,
            Duration patience,
            Duration leaseTime,
            SplittableRandom random,
            HistoryWriter history) {
        Targets target() {
            return new Targets(baton, wanted);
        }

        DistributedLock lock() {
            return target().lock();
        }
    }

    private static final List<Way> ALL =
            Stream.of(values()).filter(way -> way != LEADS && way != RUNS).toList();

    /** Returns any of those that suit. */
    static Way any(Ask ask) {
        String name = ask.wanted().name();
        if (NameKind.TERM.has(name)) {
            return LEADS;
        }
        if (NameKind.JOB.has(name)) {
            return RUNS;
        }
        Way way = ALL.get(ask.random().nextInt(ALL.size()));
        return way == THREAD_OWNED && !ask.target().hasOwned() ? TIMED : way;
    }

    abstract Outcome use(Ask ask, Section section) throws Exception;

    final Outcome hold(Lease lease, Section section) throws InterruptedException {
        try {
            section.run(taken(lease));
        } catch (Throwable failed) {
            lease.release();
            throw failed;
        }
        return outcome(lease.release());
    }

    final Outcome holdIfGranted(Optional<Lease> lease, Section section) throws InterruptedException {
        return lease.isPresent() ? hold(lease.get(), section) : Outcome.REFUSED;
    }

    /** Cancels a request, or gives back the lease that it got. */
    static void giveBack(CompletableFuture<? extends @Nullable Lease> lease, CompletableFuture<?> request) {
        if (!request.cancel(false)) {
            CompletableFuture<?> unused = lease.thenAccept(granted -> {
                if (granted != null) {
                    granted.close();
                }
            });
        }
    }

    static Outcome outcome(@Nullable ReleaseOutcome released) {
        if (released == null || released == ReleaseOutcome.UNKNOWN) {
            return Outcome.UNKNOWN;
        }
        return released == ReleaseOutcome.RELEASED ? Outcome.RELEASED : Outcome.LOST;
    }

    static <T> T result(CompletableFuture<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw cause(failed);
        }
    }

    static Exception cause(ExecutionException failed) {
        return failed.getCause() instanceof Exception cause ? cause : failed;
    }

    final Locker.Taken taken(Lease lease) {
        String way = name();
        return new Locker.Taken() {
            @Override
            public long token(String of) {
                return NameKind.isDuty(of) ? lease.token() : lease.token(of);
            }

            @Override
            public boolean isHeld() {
                return lease.isHeld();
            }

            @Override
            public @Nullable String note() {
                try {
                    return lease.note()
                            .map(note -> new String(note, StandardCharsets.UTF_8))
                            .orElse("");
                } catch (StoreException | LeaseLostException unknown) {
                    return null;
                }
            }

            @Override
            public boolean writeNote(String note) {
                try {
                    lease.writeNote(note.getBytes(StandardCharsets.UTF_8));
                    return true;
                } catch (StoreException | LeaseLostException unknown) {
                    return false;
                }
            }

            @Override
            public boolean downgrade() {
                try {
                    lease.downgrade();
                    return true;
                } catch (LeaseLostException lost) {
                    return false;
                }
            }

            @Override
            public String way() {
                return way;
            }

            @Override
            public void onLost(Consumer<String> told) {
                lease.onLost(cause -> told.accept(cause.name()));
            }
        };
    }
}
