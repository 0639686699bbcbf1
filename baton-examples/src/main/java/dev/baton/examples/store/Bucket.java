package dev.baton.examples.store;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.baton.spi.Ledger;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Stamp;
import dev.baton.spi.Timings;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All names of one bucket, and what commands record beside them: one document, read for one command. */
final class Bucket implements Ledger {
    /** What is written. */
    record Document(long highWater, Map<String, Mark> marks, List<Name> names) {}

    /** Up to which number a client's attempts and commands are over, and when the client was last heard. */
    record Mark(long attempt, long end, long touchedMicros) {}

    /** A name's state. */
    record Name(Resource resource, long notBeforeMicros, List<Hold> holds, List<Ticket> tickets) {}

    private static final Mark NONE = new Mark(0, 0, 0);

    private final Map<String, ResourceState> states = new TreeMap<>();
    private final Map<String, Mark> marks = new TreeMap<>();
    private final Timings timings;
    private final Stamp stamp;
    private long highWater;

    // tag::document[]
    /** Reads a document; no bytes stand for an empty bucket. */
    Bucket(byte[] content, Timings timings, Stamp stamp) throws IOException {
        this.timings = timings;
        this.stamp = stamp;
        if (content.length > 0) {
            Document document = JSON.std.beanFrom(Document.class, content);
            highWater = document.highWater();
            marks.putAll(document.marks());
            for (Name each : document.names()) {
                states.put(
                        each.resource().name(),
                        new ResourceState(
                                each.resource(), timings, each.notBeforeMicros(), each.holds(), each.tickets()));
            }
        }
    }

    /** The document, without the names and marks that no longer matter. */
    byte[] content() throws IOException {
        states.values().removeIf(state -> state.isOver(stamp.nowMicros()));
        marks.values().removeIf(mark -> mark.touchedMicros() + Protocol.MARK_MICROS < stamp.nowMicros());
        List<Name> names = states.values().stream()
                .map(state -> new Name(state.resource(), state.notBeforeMicros(), state.holds(), state.tickets()))
                .toList();
        return JSON.std.asBytes(new Document(highWater, marks, names));
    }
    // end::document[]

    Collection<ResourceState> states() {
        return states.values();
    }

    ResourceState state(Resource resource) {
        return states.computeIfAbsent(resource.name(), name -> new ResourceState(resource, timings));
    }

    // tag::ledger[]
    @Override
    public Stamp stamp() {
        return stamp;
    }

    @Override
    public long nextToken() {
        highWater = Protocol.nextToken(highWater, stamp.nowMicros());
        return highWater;
    }

    @Override
    public void raiseHighWater(long token) {
        highWater = Math.max(highWater, token);
    }

    @Override
    public boolean isFinished(String client, long attempt) {
        return attempt <= marks.getOrDefault(client, NONE).attempt();
    }

    @Override
    public boolean isOutdated(String client, long number) {
        return number <= marks.getOrDefault(client, NONE).end();
    }

    @Override
    public void recordGrant(String client, long attempt) {
        recordEnd(client, attempt, 0);
    }

    @Override
    public void recordEnd(String client, long attempt, long number) {
        Mark old = marks.getOrDefault(client, NONE);
        marks.put(client, new Mark(Math.max(old.attempt(), attempt), Math.max(old.end(), number), stamp.nowMicros()));
    }

    @Override
    public void handedOff(Resource resource, Hold hold, long secret) {
        // Nothing is pushed: the client of the hold finds it when it asks.
    }
    // end::ledger[]
}
