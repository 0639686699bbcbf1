package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the answers of one pipeline back until enough replicas have the writes: behind each flush with commands that need
 * it goes a {@code WAIT}, on the same connection, because the server waits for the writes of that connection alone.
 *
 * <p>At most one {@code WAIT} is under way. The server would leave later commands unread meanwhile, so the pipeline does
 * not send them: a caller that gives up then knows that its command had no effect. Only the leader uses it.
 */
final class Confirmation {
    /**
     * How late the answer to a {@code WAIT} may be: an idle server looks for waits that have ended only with its timer,
     * ten times a second ({@code hz}).
     */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(120);

    private static final int TENTH = 10;

    private final int replicas;
    private final String target;
    private final long silenceNanos;
    private final Deque<Call> parked = new ArrayDeque<>();
    private final Deque<Object> answers = new ArrayDeque<>();
    private @Nullable Call wait;
    private long millis;

    /**
     * Creates it for one pipeline.
     *
     * @param replicas how many must have the writes
     * @param target the server, as messages show it
     * @param silenceNanos after this time without an answer the pipeline gives the connection up
     */
    Confirmation(int replicas, String target, long silenceNanos) {
        this.replicas = replicas;
        this.silenceNanos = silenceNanos;
        this.target = target;
    }

    /** Returns whether a {@code WAIT} is under way. */
    boolean isUnderWay() {
        return wait != null;
    }

    /** Returns the calls that the server has answered, and whose writes the replicas have not confirmed yet. */
    Collection<Call> parked() {
        return parked;
    }

    /**
     * Ends a flush: adds a {@code WAIT} if a call needs one.
     *
     * @param sent the calls without an answer; those that need confirmation are of this flush
     */
    void demand(Collection<Call> sent, RespWriter out, Wire wire, Deadline patience) {
        long nanos = Long.MAX_VALUE;
        for (Call call : sent) {
            if (call.needsConfirmation()) {
                nanos = Math.min(nanos, call.confirmNanos());
            }
        }
        if (nanos == Long.MAX_VALUE) {
            return;
        }
        // Zero would wait for ever.
        millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(withinNanos(Math.min(nanos, silenceNanos))));
        Call fresh =
                new Call((to, any) -> to.command(3).bulk("WAIT").bulk(replicas).bulk(millis));
        if (!fresh.encode(out, wire, patience)) {
            throw new IllegalStateException("a WAIT could not be written");
        }
        // The leader does not wait for it, and may be gone when the answer arrives.
        boolean unused = fresh.abandon();
        wait = fresh;
        sent.add(fresh);
    }

    /** Returns how long to wait, so that the answer comes before the connection counts as silent or a caller gives up. */
    private static long withinNanos(long nanos) {
        return nanos - Math.max(nanos / TENTH, Math.min(nanos / 2, LATE_NANOS));
    }

    /** Takes the answer to a call, if its caller must not have it yet, or if it is that of the {@code WAIT}. */
    boolean takes(Call call, Object answer, Wire wire) {
        if (call == wait) {
            wait = null;
            settle(answer, wire);
            return true;
        }
        // An error means that the command itself was refused: there is nothing to confirm.
        if (!call.needsConfirmation() || answer instanceof RespError) {
            return false;
        }
        parked.add(call);
        answers.add(answer);
        return true;
    }

    private void settle(Object answer, Wire wire) {
        boolean enough = answer instanceof Long count && count >= replicas;
        for (Call call = parked.poll(); call != null; call = parked.poll()) {
            Object own = answers.remove();
            if (enough) {
                call.complete(own, wire.runId());
            } else {
                call.fail(Effect.UNKNOWN, Reason.UNREACHABLE, why(answer), null);
            }
        }
    }

    private String why(Object answer) {
        return answer instanceof Long count
                ? count + " of " + replicas + " replicas confirmed the write within " + millis + " ms: see whether the"
                        + " replicas of " + target + " follow it (baton check shows them), or ask for fewer with"
                        + " replicated="
                : target + " could not say whether replicas have the write: "
                        + (answer instanceof RespError error ? error.message() : answer);
    }

    /** Forgets everything, because the connection broke; the parked calls must have failed. */
    void reset() {
        wait = null;
        parked.clear();
        answers.clear();
    }
}
