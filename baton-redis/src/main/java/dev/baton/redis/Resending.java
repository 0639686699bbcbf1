package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeats commands on a wire that no other code uses yet. Many go in one piece, so that even a distant server receives
 * all of them in the time of one answer. The server's answers do not matter; if the connection breaks or falls silent,
 * it would be useless afterwards anyway.
 */
final class Resending {
    /** The share of an empty send buffer that is used, so that a write always fits. */
    private static final int MOST_BYTES = 2 * Outbound.MOST_IN_FLIGHT;

    private final Wire wire;
    private final RespReader reader = new RespReader();
    private final RespWriter writer = new RespWriter();

    private Resending(Wire wire) {
        this.wire = wire;
    }

    static void send(List<Request> requests, Wire wire) throws StoreFailure {
        try {
            new Resending(wire).send(requests, false);
        } catch (IOException e) {
            throw new StoreFailure(
                    Effect.NONE, Reason.UNREACHABLE, "the new connection broke at once: " + e.getMessage(), e);
        }
    }

    /** Sends the requests, with their scripts' texts if the server needs them. */
    private void send(List<Request> batches, boolean whole) throws IOException {
        List<Request> forgotten = new ArrayList<>();
        int sent = 0;
        while (sent < batches.size()) {
            writer.truncate(0);
            int answered = sent;
            while (sent < batches.size() && writer.size() < MOST_BYTES) {
                batches.get(sent).write(writer, wire, whole);
                sent++;
            }
            wire.send(writer.bytes(), writer.size());
            for (; answered < sent; answered++) {
                if (ServerErrors.isNoScript(answer())) {
                    forgotten.add(batches.get(answered));
                }
            }
        }
        if (!forgotten.isEmpty() && !whole) {
            send(forgotten, true);
        }
    }

    private Object answer() throws IOException {
        Deadline patience = Deadline.in(Pipeline.SILENCE_NANOS);
        Object answer = reader.next();
        while (answer == null) {
            if (patience.leftNanos() <= 0) {
                throw new IOException("the server is silent");
            }
            boolean unused = reader.fill(wire, patience.leftNanos());
            answer = reader.next();
        }
        return answer;
    }
}
