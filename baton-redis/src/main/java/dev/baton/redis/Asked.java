package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A command that was sent to one of several servers, and its answer when there is one. The thread that sent it is woken then.
 * Thread-safe.
 *
 * @param <T> what the answer says
 */
final class Asked<T> {
    /** Reads an answer; it may be asked more than once. */
    interface Reading<T> {
        T read(Answer answer) throws StoreFailure;
    }

    /** What is known without a command, or why none was sent. */
    private record Known<T>(@Nullable T answer, @Nullable StoreFailure failure) {}

    private final @Nullable Pipeline pipeline;
    private final @Nullable Request request;
    private final @Nullable Reading<T> reading;
    private final AtomicBoolean repeats = new AtomicBoolean();
    private volatile @Nullable Call call;
    private volatile boolean repeated;
    private volatile @Nullable Known<T> known;

    private Asked(
            @Nullable Pipeline pipeline,
            @Nullable Request request,
            @Nullable Reading<T> reading,
            @Nullable Known<T> known) {
        this.pipeline = pipeline;
        this.request = request;
        this.reading = reading;
        this.known = known;
        this.call = pipeline == null || request == null ? null : pipeline.begin(request);
    }

    /** Sends a command, and does not wait. */
    static <T> Asked<T> of(Pipeline pipeline, Request request, Reading<T> reading) {
        return new Asked<>(pipeline, request, reading, null);
    }

    /** Returns one that was not sent, because its answer is known. */
    static <T> Asked<T> answered(T answer) {
        return new Asked<>(null, null, null, new Known<>(answer, null));
    }

    /** Returns one that was not sent. */
    static <T> Asked<T> failed(StoreFailure why) {
        return new Asked<>(null, null, null, new Known<>(null, why));
    }

    /** Returns whether {@link #answer} returns or throws at once. Sends the whole script to a server that does not know it. */
    boolean isDone() {
        Call sent = call;
        if (known != null || sent == null || pipeline == null || request == null) {
            return true;
        }
        if (!sent.isDone()) {
            return pipeline.isClosed();
        }
        if (repeated || !isScriptMissing(sent)) {
            return true;
        }
        if (repeats.compareAndSet(false, true)) {
            call = pipeline.begin(request.whole());
            repeated = true;
        }
        return false;
    }

    private static boolean isScriptMissing(Call sent) {
        try {
            return ServerErrors.isNoScript(sent.answer());
        } catch (StoreFailure failed) {
            return false;
        }
    }

    /** Returns the answer. Only if {@link #isDone}. */
    T answer() throws StoreFailure {
        Known<T> before = known;
        if (before == null) {
            before = read();
            known = before;
        }
        StoreFailure failure = before.failure();
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(before.answer());
    }

    private Known<T> read() {
        Call sent = call;
        if (sent == null || pipeline == null || reading == null) {
            throw new IllegalStateException("nothing was sent");
        }
        try {
            if (!sent.isDone()) {
                throw new StoreFailure(Effect.UNKNOWN, Reason.OTHER, "the client is closed", null);
            }
            return new Known<>(reading.read(new Answer(Answer.list(sent, pipeline.target()), sent.runId())), null);
        } catch (StoreFailure failed) {
            return new Known<>(null, failed);
        }
    }

    /** Returns why there is no answer; null if there is one, or if there is none yet. */
    @Nullable
    StoreFailure failure() {
        if (!isDone()) {
            return null;
        }
        try {
            T unused = answer();
            return null;
        } catch (StoreFailure failed) {
            return failed;
        }
    }

    /** Returns the answer; null if there is none, or none yet. */
    @Nullable
    T answerOrNull() {
        try {
            return isDone() ? answer() : null;
        } catch (StoreFailure failed) {
            return null;
        }
    }

    /** Does not send it any more; returns false, and does nothing, if it was sent already. */
    boolean withdraw() {
        Call sent = call;
        boolean withdrawn = sent == null || sent.withdraw();
        if (withdrawn && known == null) {
            known = new Known<>(null, new StoreFailure(Effect.NONE, "not needed any more", null));
        }
        return withdrawn;
    }
}
