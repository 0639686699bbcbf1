package dev.baton.internal.ordered;

import dev.baton.internal.store.Uninterrupted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Waits for answers. */
final class Answers {
    private Answers() {}

    /** Waits until an answer has come or the time is over, even if the thread is interrupted. */
    static <T> T await(CompletableFuture<T> answer, Deadline deadline) throws StoreFailure {
        try {
            return Uninterrupted.get(answer, deadline);
        } catch (TimeoutException silent) {
            throw new StoreFailure(
                    StoreFailure.Effect.UNKNOWN,
                    StoreFailure.Reason.UNREACHABLE,
                    "the server did not answer in time",
                    silent);
        } catch (ExecutionException failed) {
            throw failure(failed);
        }
    }

    /**
     * Waits for an answer to what changes nothing, as {@link #await} does. If none comes, a command of which nothing else is
     * under way has had no effect.
     */
    static <T> T awaitLook(CompletableFuture<T> answer, Deadline deadline) throws StoreFailure {
        try {
            return await(answer, deadline);
        } catch (StoreFailure failure) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE, failure.reason(), String.valueOf(failure.getMessage()), failure);
        }
    }

    private static StoreFailure failure(ExecutionException failed) {
        if (failed.getCause() instanceof StoreFailure failure) {
            return new StoreFailure(failure.effect(), failure.reason(), String.valueOf(failure.getMessage()), failure);
        }
        return new StoreFailure(
                StoreFailure.Effect.UNKNOWN, "the answer was not understood: " + failed.getCause(), failed);
    }

    /** Returns one future for all answers, in order. */
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<T> all = new ArrayList<>(answers.size());
                    answers.forEach(each -> all.add(each.join()));
                    return all;
                });
    }
}
