package dev.baton.tck;

import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a case of the client contract calls the API: one body serves all modes. In every mode, an interrupt of the
 * calling thread ends a wait; a future is cancelled.
 */
public enum Mode {
    /** Blocking calls on platform threads. */
    SYNC {
        @Override
        public Lease acquire(DistributedLock lock) throws InterruptedException {
            return lock.acquire();
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return lock.tryAcquire(wait);
        }

        @Override
        public ReleaseOutcome release(Lease lease) {
            return lease.release();
        }

        @Override
        Thread unstarted(Runnable task) {
            Thread thread = new Thread(task, "tck-caller");
            thread.setDaemon(true);
            return thread;
        }
    },

    /** Futures, waited for on platform threads. */
    ASYNC {
        @Override
        public Lease acquire(DistributedLock lock) throws InterruptedException {
            return get(lock.acquireAsync());
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return get(lock.tryAcquireAsync(wait));
        }

        @Override
        public ReleaseOutcome release(Lease lease) {
            return lease.releaseAsync().join();
        }

        @Override
        Thread unstarted(Runnable task) {
            return SYNC.unstarted(task);
        }
    },

    /** Blocking calls on virtual threads; the case itself runs on one. */
    VIRTUAL {
        @Override
        public Lease acquire(DistributedLock lock) throws InterruptedException {
            return lock.acquire();
        }

        @Override
        public Optional<Lease> tryAcquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return lock.tryAcquire(wait);
        }

        @Override
        public ReleaseOutcome release(Lease lease) {
            return lease.release();
        }

        @Override
        Thread unstarted(Runnable task) {
            try {
                Object builder = OF_VIRTUAL == null ? null : OF_VIRTUAL.invoke();
                if (builder == null) {
                    throw new IllegalStateException("this JDK has no virtual threads");
                }
                Class<?> type = Class.forName("java.lang.Thread$Builder");
                return (Thread) MethodHandles.publicLookup()
                        .findVirtual(type, "unstarted", MethodType.methodType(Thread.class, Runnable.class))
                        .invoke(builder, task);
            } catch (RuntimeException | Error fault) {
                throw fault;
            } catch (Throwable fault) {
                throw new IllegalStateException("could not make a virtual thread", fault);
            }
        }
    };

    private static final @Nullable MethodHandle OF_VIRTUAL = findOfVirtual();

    /** Returns the modes that this JDK supports. */
    public static Stream<Mode> available() {
        return Stream.of(values()).filter(mode -> mode != VIRTUAL || OF_VIRTUAL != null);
    }

    /** Waits for the lock. */
    public abstract Lease acquire(DistributedLock lock) throws InterruptedException;

    /** Waits for the lock for the given time; returns empty if another client still has it. */
    public abstract Optional<Lease> tryAcquire(DistributedLock lock, Duration wait) throws InterruptedException;

    /** Releases the lease. */
    public abstract ReleaseOutcome release(Lease lease);

    /** Returns an unstarted thread of this mode. */
    abstract Thread unstarted(Runnable task);

    /** Starts work on a thread of this mode. */
    public <T> Work<T> start(Work.Body<T> body) {
        FutureTask<T> task = new FutureTask<>(body::run);
        Thread thread = unstarted(task);
        thread.start();
        return new Work<>(thread, task);
    }

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            if (future.cancel(true)) {
                throw interrupted;
            }
            // The lease arrived before the interrupt, and now belongs to the caller.
            Thread.currentThread().interrupt();
            return joined(future);
        }
    }

    private static @Nullable MethodHandle findOfVirtual() {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
            return MethodHandles.publicLookup().findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }
}
