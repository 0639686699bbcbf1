package dev.baton.internal.store;

import dev.baton.spi.StoreFailure;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Detects virtual threads, on JDKs that have them, and moves calls off them. A store must not use a socket on a virtual
 * thread: if that thread is interrupted, the JDK closes the socket, but stores ignore interrupts.
 */
public final class VirtualThreads {
    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    /**
     * Returns whether a thread is virtual.
     *
     * @param thread any thread
     * @return false on a JDK without virtual threads
     */
    public static boolean isVirtual(Thread thread) {
        MethodHandle question = IS_VIRTUAL;
        if (question == null) {
            return false;
        }
        try {
            return (boolean) question.invokeExact(thread);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * A call that must not run on a virtual thread.
     *
     * @param <T> the type of its result
     */
    public interface Call<T> {
        /**
         * Makes the call.
         *
         * @return its result
         * @throws StoreFailure if it fails
         */
        T call() throws StoreFailure;
    }

    /**
     * Makes a call on this thread or, if this is a virtual thread, on another one. Always waits for its end, even if
     * interrupted.
     *
     * @param threads platform threads
     * @param call the call
     * @return its result
     * @param <T> the type of the result
     * @throws StoreFailure if it failed
     */
    public static <T> T call(Executor threads, Call<T> call) throws StoreFailure {
        if (!isVirtual(Thread.currentThread())) {
            return call.call();
        }
        FutureTask<T> task = new FutureTask<>(call::call);
        threads.execute(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException olderJdk) {
            return null;
        }
    }
}
