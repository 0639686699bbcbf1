package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends releases on a wire that nobody else uses yet. What they name is freed by attempt and token, or not at all. They
 * go many in one piece, so that a server far away is told all of them in the time of one answer. What the server says
 * to a release is nobody's concern; a connection that breaks, or falls silent, would be of no use afterwards either.
 */
final class Resending {
    /** Of a send buffer in which there is nothing else, so that a write always fits. */
    private static final int MOST_BYTES = 2 * Pipeline.MOST_IN_FLIGHT;

    private final Wire wire;
    private final RespReader reader = new RespReader();
    private final RespWriter writer = new RespWriter();

    private Resending(Wire wire) {
        this.wire = wire;
    }

    static void send(List<Release> releases, Commands commands, Wire wire) throws StoreFailure {
        List<Commands.Request> batches = new ArrayList<>();
        for (int from = 0; from < releases.size(); from += AcquireReleaseBatch.MOST) {
            batches.add(commands.releases(
                    releases.subList(from, Math.min(releases.size(), from + AcquireReleaseBatch.MOST))));
        }
        try {
            new Resending(wire).send(batches, false);
        } catch (IOException e) {
            throw new StoreFailure(
                    Effect.NONE, Reason.UNREACHABLE, "the new connection broke at once: " + e.getMessage(), e);
        }
    }

    /** With the script's text in the first, if the server has to be told it. */
    private void send(List<Commands.Request> batches, boolean whole) throws IOException {
        List<Commands.Request> forgotten = new ArrayList<>();
        int sent = 0;
        while (sent < batches.size()) {
            writer.truncate(0);
            int answered = sent;
            while (sent < batches.size() && writer.size() < MOST_BYTES) {
                batches.get(sent).write(writer, wire, whole && sent == 0);
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
