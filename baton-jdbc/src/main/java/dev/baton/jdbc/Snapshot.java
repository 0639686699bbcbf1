package dev.baton.jdbc;

import dev.baton.spi.Heartbeat;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.Timings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tables said of one name at one moment.
 *
 * @param resource what it is recorded as; null where no lease row is
 * @param waiters how many tickets its lease row counts; -1 where that row is missing
 * @param notBeforeMicros end of a lock-delay
 * @param lastToken the last token drawn for it, as far as its row remembers
 * @param holds its holds
 * @param seats where they are kept: row numbers of the lease table, in the order of {@code holds}
 * @param queue its queue, or what was read of it
 * @param nowMicros the database's clock; 0 where no row was
 */
record Snapshot(
        @Nullable Resource resource,
        int waiters,
        long notBeforeMicros,
        long lastToken,
        List<Hold> holds,
        List<Long> seats,
        Queue queue,
        long nowMicros) {

    /** Of a name without rows. */
    static final Snapshot NOTHING = new Snapshot(null, 0, 0, 0, List.of(), List.of(), Queue.EMPTY, 0);

    /** Whether the row of the name itself is there. */
    boolean hasNameRow() {
        return resource != null && waiters >= 0;
    }

    /** Whether nothing is recorded. */
    boolean isEmpty() {
        return resource == null && queue.tickets().isEmpty();
    }

    /** The machine's state, as of a resource that is only used where none is recorded, or a free one is. */
    ResourceState state(Resource asked, Timings timings, long nowMicros) {
        Resource recorded = resource != null ? resource : asked;
        ResourceState state = new ResourceState(recorded, timings, notBeforeMicros, holds, queue.tickets());
        return state.isIdle(nowMicros) ? new ResourceState(asked, timings) : state;
    }

    /** Whether a state says the same as the rows, so that nothing needs to be written. */
    boolean matches(ResourceState state) {
        return matchesName(state)
                && (resource == null || state.resource().equals(resource))
                && holds.equals(state.holds())
                && queue.tickets().equals(state.tickets());
    }

    /** Whether a state says the same of the name itself. */
    boolean matchesName(ResourceState state) {
        return waiters == queue.size(state) && notBeforeMicros == state.notBeforeMicros();
    }

    /** The deadline of a hold; null if it is not there, or revoked. */
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
