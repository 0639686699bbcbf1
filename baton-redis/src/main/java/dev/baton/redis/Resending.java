package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.List;

/** Sends releases on a wire that nobody else uses yet. What they name is freed by attempt and token, or not at all. */
final class Resending {
    private Resending() {}

    static void send(List<Release> releases, Commands commands, Wire wire) throws StoreFailure {
        Deadline deadline = Deadline.in(Pipeline.SILENCE_NANOS);
        RespReader reader = new RespReader();
        RespWriter writer = new RespWriter();
        try {
            // One by one: after a restart this is rare, and what is unanswered keeps within its bound.
            for (Release release : releases) {
                writer.truncate(0);
                commands.release(release).write(writer, wire, false);
                wire.send(writer.bytes(), writer.size());
                while (reader.next() == null) {
                    if (deadline.leftNanos() <= 0) {
                        throw new IOException("the server is silent");
                    }
                    reader.fill(wire, deadline.leftNanos());
                }
            }
        } catch (IOException e) {
            throw new StoreFailure(
                    Effect.NONE, Reason.UNREACHABLE, "the new connection broke at once: " + e.getMessage(), e);
        }
    }
}
