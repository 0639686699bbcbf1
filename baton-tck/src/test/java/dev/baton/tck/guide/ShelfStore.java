package dev.baton.tck.guide;

import dev.baton.internal.store.HostClock;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Ledger;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The guide's store: loads a bucket, lets {@link ResourceState} decide, and writes the bucket back as a whole. */
final class ShelfStore implements Store {
    // tag::capabilities[]
    static final Capabilities CAPABILITIES = Capabilities.builder("shelf", Capabilities.Reach.JVM)
            .shares(true) // read-write locks and semaphores
            .queue(true) // first come, first served; waiting clients ask, because nothing is pushed
            .idempotentAttempts(true) // attempts that were sent twice are recognised
            .tokens(Capabilities.TokenOrder.HYBRID)
            .build();
    // end::capabilities[]

    /** What a command does to a bucket, at one moment. */
    private interface Step<T> {
        T on(Bucket bucket, Stamp stamp);
    }

    private final Shelf shelf;
    private final StoreConfig config;
    private final String client;
    private final LongSupplier clock;

    ShelfStore(Shelf shelf, StoreConfig config) {
        this.shelf = shelf;
        this.config = config;
        this.client = config.clientId();
        LongSupplier moved = config.clock();
        this.clock = moved != null ? moved : HostClock::micros;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) {
        return Map.of("version", "1");
    }

    // tag::change[]
    /** Runs a step on the bucket of a name; again, if another client has written meanwhile, as long as there is time. */
    private <T> T change(int number, Deadline deadline, Step<T> step) throws StoreFailure {
        String key = config.namespace() + '/' + number;
        do {
            Shelf.Document read = shelf.read(key);
            Stamp stamp = new Stamp("shelf", clock.getAsLong(), 0);
            try {
                Bucket bucket = read == null ? new Bucket() : Bucket.decode(read.content(), config.timings());
                T answer = step.on(bucket, stamp);
                bucket.tidy(stamp.nowMicros());
                if (shelf.replace(key, read, bucket.encode())) {
                    return answer;
                }
            } catch (IOException broken) {
                throw new StoreFailure(Effect.NONE, Reason.UNFIT, key + " is not a bucket: " + broken, broken);
            }
        } while (deadline.leftNanos() > 0);
        throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, "others wrote for all of the call's time", null);
    }
    // end::change[]

    private <T> T change(String name, long timeoutNanos, Step<T> step) throws StoreFailure {
        return change(Protocol.bucketOf(name), Deadline.in(timeoutNanos), step);
    }

    private ResourceState stateOf(Bucket bucket, Resource resource) {
        return bucket.resources.computeIfAbsent(resource.name(), name -> new ResourceState(resource, config.timings()));
    }

    // tag::acquire[]
    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Resource resource = command.resource();
        return change(resource.name(), timeoutNanos, (bucket, stamp) -> {
            ResourceState old = bucket.resources.get(resource.name());
            if (old == null || old.isIdle(stamp.nowMicros())) {
                bucket.resources.put(resource.name(), new ResourceState(resource, config.timings()));
            }
            return stateOf(bucket, resource).acquire(client, command, new Moment(bucket, stamp));
        });
    }
    // end::acquire[]

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        long number = command.number().value();
        List<Heartbeat.HoldReply> holds = new ArrayList<>();
        for (Heartbeat.Hold hold : command.holds()) {
            holds.add(change(
                    Protocol.bucketOf(hold.resource().name()),
                    deadline,
                    (bucket, stamp) -> stateOf(bucket, hold.resource())
                            .heartbeat(client, hold, number, new Moment(bucket, stamp))));
        }
        List<Heartbeat.TicketReply> tickets = new ArrayList<>();
        for (Heartbeat.Ticket ticket : command.tickets()) {
            tickets.add(change(
                    Protocol.bucketOf(ticket.resource().name()),
                    deadline,
                    (bucket, stamp) -> stateOf(bucket, ticket.resource())
                            .heartbeat(client, ticket.attempt(), new Moment(bucket, stamp))));
        }
        // The time is read after the commands: deadlines in the answer are not older than it says.
        return new Heartbeat.Reply(new Stamp("shelf", clock.getAsLong(), 0), holds, tickets);
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return change(
                command.resource().name(),
                timeoutNanos,
                (bucket, stamp) -> new Release.Reply(
                        stamp,
                        stateOf(bucket, command.resource()).release(client, command, new Moment(bucket, stamp))));
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        return change(command.resource().name(), timeoutNanos, (bucket, stamp) -> {
            stateOf(bucket, command.resource()).cancel(client, command, new Moment(bucket, stamp));
            return stamp;
        });
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return change(name, timeoutNanos, (bucket, stamp) -> {
            ResourceState state = bucket.resources.get(name);
            return state != null && state.forceRelease(token, now, new Moment(bucket, stamp));
        });
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return change(
                name,
                timeoutNanos,
                (bucket, stamp) ->
                        Optional.ofNullable(bucket.resources.get(name)).flatMap(state -> state.view(stamp)));
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        List<ResourceView> found = new ArrayList<>();
        for (int number = 0; number < Protocol.BUCKETS; number++) {
            found.addAll(change(
                    number,
                    deadline,
                    (bucket, stamp) -> bucket.resources.values().stream()
                            .filter(state -> state.resource().name().startsWith(prefix))
                            .filter(state ->
                                    Protocol.NAME_ORDER.compare(state.resource().name(), after) > 0)
                            .flatMap(state -> state.view(stamp).stream())
                            .toList()));
        }
        return found.stream()
                .sorted(Comparator.comparing(view -> view.resource().name(), Protocol.NAME_ORDER))
                .limit(limit)
                .toList();
    }

    /** How many names have any state. */
    long names() throws StoreFailure {
        long names = 0;
        for (int number = 0; number < Protocol.BUCKETS; number++) {
            names += change(number, Deadline.in(0), (bucket, stamp) -> {
                bucket.tidy(stamp.nowMicros());
                return bucket.resources.size();
            });
        }
        return names;
    }

    @Override
    public void close() {
        // There is no connection.
    }

    // tag::ledger[]
    /** What a command records beyond its resource: in the same document, so that both are written or neither. */
    private final class Moment implements Ledger {
        private final Bucket bucket;
        private final Stamp stamp;

        Moment(Bucket bucket, Stamp stamp) {
            this.bucket = bucket;
            this.stamp = stamp;
        }

        @Override
        public Stamp stamp() {
            return stamp;
        }

        @Override
        public long nextToken() {
            bucket.highWater = Protocol.nextToken(bucket.highWater, stamp.nowMicros());
            return bucket.highWater;
        }

        @Override
        public void raiseHighWater(long token) {
            bucket.highWater = Math.max(bucket.highWater, token);
        }

        @Override
        public boolean isFinished(String ofClient, long attempt) {
            return attempt <= mark(ofClient).attempt();
        }

        @Override
        public boolean isOutdated(String ofClient, long number) {
            return number <= mark(ofClient).end();
        }

        @Override
        public void recordGrant(String ofClient, long attempt) {
            raise(ofClient, attempt, 0);
        }

        @Override
        public void recordEnd(String ofClient, long attempt, long number) {
            raise(ofClient, attempt, number);
        }

        @Override
        public void handedOff(Resource resource, ResourceView.Hold hold, long secret) {
            // Nothing is pushed: the next heartbeat of the hold's client finds it.
        }

        private Bucket.Mark mark(String ofClient) {
            return bucket.marks.getOrDefault(ofClient, Bucket.Mark.NONE);
        }

        private void raise(String ofClient, long attempt, long end) {
            Bucket.Mark old = mark(ofClient);
            bucket.marks.put(
                    ofClient,
                    new Bucket.Mark(Math.max(old.attempt(), attempt), Math.max(old.end(), end), stamp.nowMicros()));
        }
    }
    // end::ledger[]
}
