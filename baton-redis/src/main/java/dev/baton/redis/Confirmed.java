package dev.baton.redis;

import dev.baton.spi.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A request whose caller gets the answer only when replicas have its writes.
 *
 * @param request what to ask
 * @param mostNanos how long to wait for the replicas
 * @param deadline until when the caller waits
 */
record Confirmed(Request request, long mostNanos, Deadline deadline) implements Request {
    @Override
    public void write(RespWriter out, Wire wire, boolean whole) {
        request.write(out, wire, whole);
    }

    @Override
    public void encode(RespWriter out, Wire wire) {
        request.encode(out, wire);
    }

    @Override
    public Call.@Nullable Joint joint() {
        return request.joint();
    }

    @Override
    public boolean needsConfirmation() {
        return true;
    }

    @Override
    public long confirmNanos() {
        return Math.min(mostNanos, deadline.leftNanos());
    }

    @Override
    public Request whole() {
        return new Confirmed(request.whole(), mostNanos, deadline);
    }
}
