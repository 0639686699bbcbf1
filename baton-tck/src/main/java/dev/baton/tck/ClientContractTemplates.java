package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonEvent;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Actions under a lease, hooks and listeners, and the threads that run them. */
public abstract class ClientContractTemplates extends ClientContract {
    /** For subclasses. */
    protected ClientContractTemplates() {}

    private LockOptions brief() {
        return LockOptions.defaults().withLeaseTime(lease(Duration.ofMillis(200)));
    }

    /** Calls the template method of a mode. */
    private static <T> T call(Mode mode, DistributedLock lock, DistributedLock.LeaseFunction<T, Exception> action)
            throws Exception {
        if (mode != Mode.ASYNC) {
            return lock.call(action);
        }
        Function<Lease, T> function = lease -> {
            try {
                return action.apply(lease);
            } catch (RuntimeException thrown) {
                throw thrown;
            } catch (Exception checked) {
                throw new CompletionException(checked);
            }
        };
        try {
            return lock.supplyAsync(function).join();
        } catch (CompletionException failed) {
            Throwable cause = failed.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw cause instanceof Exception thrown ? thrown : failed;
        }
    }

    @EachMode
    void template_runsItsActionUnderTheLease_andReleases(Mode mode) throws Exception {
        Baton client = connect();
        DistributedLock other = connect().lock("template");
        List<String> steps = new CopyOnWriteArrayList<>();
        LockOptions hooked = LockOptions.defaults()
                .withBeforeAction(lease -> steps.add("acquired " + lease.isHeld()))
                .withAfterRelease((lease, outcome) -> steps.add("left " + outcome));
        String result = call(mode, client.lock("template", hooked), lease -> {
            steps.add("action " + lease.isHeld());
            assertThat(other.tryAcquire()).isEmpty();
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThat(steps).containsExactly("acquired true", "action true", "left RELEASED");
        assertThat(other.tryAcquire()).isPresent();
    }

    @EachMode
    void template_whoseActionFails_releasesAndThrowsWhatItThrew(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("failing");
        assertThatThrownBy(() -> call(mode, lock, lease -> {
                    throw new IllegalStateException("of the action");
                }))
                .hasMessageContaining("of the action");
        assertThat(connect().lock("failing").tryAcquire()).isPresent();
    }

    @EachMode
    void template_whoseHookFails_releasesAndThrowsIt(Mode mode) throws Exception {
        LockOptions refusing = LockOptions.defaults().withBeforeAction(lease -> {
            throw new IllegalStateException("of the hook");
        });
        assertThatThrownBy(() -> call(mode, connect().lock("hooked", refusing), lease -> "never"))
                .hasMessageContaining("of the hook");
        LockOptions leaving = LockOptions.defaults().withAfterRelease((lease, outcome) -> {
            throw new IllegalStateException("of the exit");
        });
        assertThatThrownBy(() -> call(mode, connect().lock("hooked", leaving), lease -> "done"))
                .hasMessageContaining("of the exit");
        assertThat(connect().lock("hooked").tryAcquire()).isPresent();
    }

    @EachMode
    void template_whoseHookAndActionFail_throwsWhatTheActionThrew(Mode mode) throws Exception {
        LockOptions leaving = LockOptions.defaults().withAfterRelease((lease, outcome) -> {
            throw new AssertionError("of the exit");
        });
        Throwable thrown = catchThrowable(() -> call(mode, connect().lock("hooked", leaving), lease -> {
            throw new IllegalStateException("of the action");
        }));
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessage("of the action");
        assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).containsExactly("of the exit");
        assertThat(connect().lock("hooked").tryAcquire()).isPresent();
    }

    @EachMode
    void template_whoseLeaseIsLostMidway_saysSoWithTheResultOrTheFailure(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("midway", brief());
        LeaseLostException late = catchThrowableOfType(
                LeaseLostException.class,
                () -> call(mode, lock, lease -> {
                    until("over", () -> !lease.isHeld());
                    return "written in vain";
                }));
        assertThat(late.lossCause()).isEqualTo(LossCause.EXPIRED);
        assertThat(late.result()).contains("written in vain");
        LeaseLostException failed = catchThrowableOfType(
                LeaseLostException.class,
                () -> call(mode, lock, lease -> {
                    until("over", () -> !lease.isHeld());
                    throw new IllegalStateException("on the way");
                }));
        assertThat(failed.result()).isEmpty();
        assertThat(failed).hasRootCauseMessage("on the way");
    }

    @EachMode
    void template_whoseActionReleasesItself_isNoLoss(Mode mode) throws Exception {
        assertThat(call(mode, connect().lock("early"), Lease::release)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @SuppressWarnings("NullAway") // a caller without a checker returns null
    @EachMode
    void runAndTryCall_passExceptionsAndTellBusyFromDone(Mode mode) throws Exception {
        Baton client = connect();
        DistributedLock lock = client.lock("try");
        assertThat(lock.tryCall(Duration.ZERO, lease -> "in")).contains("in");
        assertThatThrownBy(() -> lock.run(lease -> {
                    throw new IOException("checked");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("checked");
        assertThatThrownBy(() -> lock.run(lease -> {
                    throw new Throwable("neither an exception nor an error");
                }))
                .hasMessage("neither an exception nor an error");
        lock.run(lease -> assertThat(lease.isHeld()).isTrue());
        assertThat(lock.tryRun(Duration.ZERO, Lease::ensureHeld)).isTrue();
        assertThat(lock.isLocked()).isFalse();
        Lease held = mode.acquire(lock);
        assertThat(lock.isLocked()).isTrue();
        assertThat(lock.tryRun(Duration.ofMillis(20), lease -> {
                    throw new AssertionError("ran beside its holder");
                }))
                .isFalse();
        assertThat(lock.tryAcquireAsync().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isEmpty();
        assertThat(lock.tryCall(Duration.ofMillis(20), lease -> "never")).isEmpty();
        mode.release(held);
        assertThatThrownBy(() -> lock.<String, RuntimeException>tryCall(Duration.ZERO, lease -> null))
                .isInstanceOf(NullPointerException.class);
    }

    @EachMode
    void runAsync_runsItsActionUnderTheLease_andPassesItsException(Mode mode) throws Exception {
        DistributedLock lock = connect().lock("run");
        CompletableFuture<Boolean> wasHeld = new CompletableFuture<>();
        Lease held = mode.acquire(lock);
        CompletableFuture<?> running = lock.runAsync(lease -> wasHeld.complete(lease.isHeld()));
        CompletableFuture<?> failing = lock.runAsync(lease -> {
            throw new IllegalStateException("of the action");
        });
        assertThat(wasHeld).isNotDone();
        mode.release(held);
        assertThat(running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNull();
        assertThat(wasHeld.join()).isTrue();
        assertThatThrownBy(() -> failing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasRootCauseMessage("of the action");
        until("released", () -> !lock.isLocked());
    }

    @EachMode
    void continuationsAndCallbacks_neverRunOnThreadsOfTheEngine(Mode mode) throws Exception {
        Set<String> threads = new ConcurrentSkipListSet<>();
        Baton client = connect(options()
                .listener(event -> threads.add(Thread.currentThread().getName()))
                .build());
        DistributedLock lock = client.lock("threads");
        Lease held = mode.acquire(lock);
        CompletableFuture<ReleaseOutcome> chain = lock.acquireAsync().thenCompose(lease -> {
            threads.add(Thread.currentThread().getName());
            return lease.releaseAsync();
        });
        mode.release(held);
        chain.thenAccept(outcome -> threads.add(Thread.currentThread().getName()))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        Lease over = mode.acquire(client.lock("threads", brief())).onLost(cause -> {
            threads.add(Thread.currentThread().getName());
            lost.complete(cause);
        });
        lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        // Keeps the lease reachable until now: one that the application can no longer reach tells nothing.
        assertThat(over.isHeld()).isFalse();
        assertThat(threads)
                .isNotEmpty()
                .noneMatch(name -> name.contains("watchdog") || name.contains("-io") || name.contains("heartbeat"));
    }

    @EachMode
    void listener_thatFails_disturbsNobody(Mode mode) throws Exception {
        Baton client = connect(lastingOptions()
                .listener(event -> {
                    throw new IllegalStateException("a listener of a test fails: " + event.type());
                })
                .build());
        Lease lease = mode.acquire(client.lock("deaf"));
        lease.onLost(cause -> {
            throw new IllegalStateException("never called");
        });
        untilRenewed(lease);
        assertThat(mode.release(lease)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @EachMode
    void events_tellTheLifeOfALease(Mode mode) throws Exception {
        Events events = new Events();
        Baton client = connect(lastingOptions().listener(events).build());
        DistributedLock lock = client.lock("eventful");
        Lease first = mode.acquire(lock);
        assertThat(mode.tryAcquire(lock, Duration.ZERO)).isEmpty();
        CompletableFuture<Lease> next = lock.acquireAsync();
        mode.release(first);
        Lease second = next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        until("renewed", () -> events.count(BatonEvent.Type.RENEWED) > 0);
        mode.release(second);
        mode.acquire(client.lock("eventful", brief()));
        until("all told", () -> events.count(BatonEvent.Type.LOST) == 1);
        assertThat(events.count(BatonEvent.Type.ACQUIRED) + events.count(BatonEvent.Type.HANDED_OFF))
                .isEqualTo(3);
        assertThat(events.count(BatonEvent.Type.GAVE_UP)).isEqualTo(1);
        assertThat(events.count(BatonEvent.Type.RELEASED)).isEqualTo(2);
    }
}
