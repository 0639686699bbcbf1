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
 * Whether a thread is virtual, on JDKs that have such threads. A store that speaks over a socket must not do so on one: the
 * JDK closes the socket under a virtual thread that is interrupted, and stores ignore interrupts.
 */
public final class VirtualThreads {
    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    /**
     * Whether a thread is virtual.
     *
     * @param thread any
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
     * What may not run on a virtual thread.
     *
     * @param <T> what comes of it
     */
    public interface Call<T> {
        /**
         * Does it.
         *
         * @return what comes of it
         * @throws StoreFailure if it fails
         */
        T call() throws StoreFailure;
    }

    /**
     * Makes a call on this thread, or, if this is a virtual one, on another. Waits for its end whatever happens.
     *
     * @param threads platform threads
     * @param call what to do
     * @return what came of it
     * @param <T> what comes of it
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
