package dev.baton.tck.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * Answers of a server that tells its clients of a write only when its replica has it. Pushes do not wait, and neither do
 * answers to commands that write nothing. If the replica takes too long, the client learns that the outcome is unknown. Not
 * thread-safe.
 */
final class Replication {
    /** As long as a store waits that has to leave time for another attempt: about a sixth of a lease. */
    private static final long PATIENCE_NANOS = Scenario.LEASE_MILLIS * World.MILLI / 6;

    /** What the client of a write is told. */
    private static final class Answer {
        private final Runnable confirmed;
        private final Runnable unknown;

        Answer(Runnable confirmed, Runnable unknown) {
            this.confirmed = confirmed;
            this.unknown = unknown;
        }
    }

    private final World world;
    private final List<Answer> waiting = new ArrayList<>();

    Replication(World world) {
        this.world = world;
    }

    /**
     * Keeps an answer back.
     *
     * @param confirmed runs when the replica has all writes so far
     * @param unknown runs if this takes too long, or never happens
     */
    void await(Runnable confirmed, Runnable unknown) {
        Answer answer = new Answer(confirmed, unknown);
        waiting.add(answer);
        world.in(PATIENCE_NANOS, () -> {
            if (waiting.remove(answer)) {
                unknown.run();
            }
        });
    }

    /** The replica has all writes so far. */
    void arrived() {
        take().forEach(answer -> answer.confirmed.run());
    }

    /** The server is gone, and perhaps its last writes with it. */
    void broken() {
        take().forEach(answer -> answer.unknown.run());
    }

    private List<Answer> take() {
        List<Answer> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
