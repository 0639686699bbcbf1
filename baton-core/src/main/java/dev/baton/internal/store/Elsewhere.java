package dev.baton.internal.store;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs blocking calls on other threads, for stores whose calls use a connection that breaks if a call is cut short: by an
 * interrupt of a virtual thread, or because its time is over. The caller leaves in time, and the call goes on.
 */
public final class Elsewhere {
    /** 250 ms: enough for an answer of a server that works, and soon over on one that does not. */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A call that keeps the deadline itself may be a little late, and knows more about its effect. */
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private Elsewhere() {}

    /**
     * A call to a server.
     *
     * @param <T> the type of its result
     */
    public interface Call<T> {
        /**
         * Makes the call.
         *
         * @param time how long it may take
         * @return its result
         * @throws StoreFailure if it fails
         */
        T within(Deadline time) throws StoreFailure;
    }

    /**
     * Returns whether a call has so little time that it should outlive its caller: if it were cut short, its connection would
     * break, and the next call had none.
     *
     * @param deadline when the call is to end
     * @return whether less than 250 ms are left
     */
    public static boolean isBrief(Deadline deadline) {
        return deadline.leftNanos() < LEAST_NANOS;
    }

    /**
     * Makes a call on another thread, and waits for it until the deadline, even if the caller is interrupted. If the call
     * {@linkplain #isBrief has little time}, it has 250 ms on that thread.
     *
     * @param threads platform threads
     * @param deadline until when the caller waits
     * @param target the server, as messages show it
     * @param call the call
     * @param ifRefused runs if the call is not made at all
     * @return its result
     * @param <T> the type of the result
     * @throws StoreFailure if it failed; with an unknown effect if it has not ended in time
     */
    public static <T> T call(Executor threads, Deadline deadline, String target, Call<T> call, Runnable ifRefused)
            throws StoreFailure {
        boolean brief = isBrief(deadline);
        if (brief && deadline.leftNanos() <= 0) {
            ifRefused.run();
            throw new StoreFailure(
                    Effect.NONE, Reason.UNREACHABLE, target + " was not asked: the call's time was over", null);
        }
        Deadline time = brief ? Deadline.in(LEAST_NANOS) : deadline;
        FutureTask<T> task = new FutureTask<>(() -> call.within(time));
        try {
            threads.execute(task);
        } catch (RejectedExecutionException | Error noThread) {
            ifRefused.run();
            throw new StoreFailure(Effect.NONE, "no thread for " + target + ": " + noThread, noThread);
        }
        try {
            return Uninterrupted.get(task, brief ? deadline : Deadline.in(deadline.leftNanos() + SLACK_NANOS));
        } catch (TimeoutException late) {
            throw new StoreFailure(Effect.UNKNOWN, Reason.UNREACHABLE, target + " has not answered in time", null);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StoreFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }
}
