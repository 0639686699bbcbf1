package dev.baton.jdbc;

import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.Timings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one name at one moment.
 *
 * @param resource the recorded resource; null if there is no lease row
 * @param waiters how many tickets its lease row counts; -1 if that row is missing
 * @param notBeforeMicros end of a lock-delay
 * @param lastToken the last token drawn for the name, as far as its row remembers
 * @param holds its holds
 * @param seats row numbers in the lease table, in the order of {@code holds}
 * @param queue its queue, or the part that was read
 * @param moment when they were read; 0 if there was no row
 */
record Snapshot(
        @Nullable Resource resource,
        int waiters,
        long notBeforeMicros,
        long lastToken,
        List<Hold> holds,
        List<Long> seats,
        Queue queue,
        Moment moment) {

    /** The snapshot of a name without rows. */
    static final Snapshot NOTHING = nothingAt(new Moment(0, 0));

    /** Returns the snapshot of a name that had no rows at that moment. */
    static Snapshot nothingAt(Moment moment) {
        return new Snapshot(null, 0, 0, 0, List.of(), List.of(), Queue.EMPTY, moment);
    }

    /** Returns the database's clock. */
    long nowMicros() {
        return moment.micros();
    }

    /** Returns whether the row of the name itself exists. */
    boolean hasNameRow() {
        return resource != null && waiters >= 0;
    }

    /** Returns whether nothing is recorded. */
    boolean isEmpty() {
        return resource == null && queue.tickets().isEmpty();
    }

    /** Returns the machine's state; the given resource counts if none is recorded, or the recorded one is free. */
    ResourceState state(Resource asked, Timings timings, long nowMicros) {
        Resource recorded = resource != null ? resource : asked;
        ResourceState state = new ResourceState(recorded, timings, notBeforeMicros, holds, queue.tickets());
        return state.isIdle(nowMicros) ? new ResourceState(asked, timings) : state;
    }

    /** Returns whether a state says the same as the rows, so that nothing needs to be written. */
    boolean matches(ResourceState state) {
        return matchesName(state)
                && (resource == null || state.resource().equals(resource))
                && holds.equals(state.holds())
                && queue.tickets().equals(state.tickets());
    }

    /** Returns whether a state says the same about the name itself. */
    boolean matchesName(ResourceState state) {
        return waiters == queue.size(state) && notBeforeMicros == state.notBeforeMicros();
    }

    /** Returns the deadline of a hold; null if it does not exist, or was revoked. */
    @Nullable
    Long heldUntil(String client, Heartbeat.Hold named) {
        return holds.stream()
                .filter(hold -> hold.client().equals(client)
                        && hold.attempt() == named.attempt()
                        && hold.token() == named.token()
                        && !hold.revoked())
                .map(Hold::deadlineMicros)
                .findFirst()
                .orElse(null);
    }
}
