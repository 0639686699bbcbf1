package dev.baton.examples.store;

import dev.baton.spi.Acquire;
import dev.baton.spi.Agreement;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Reads a bucket, lets {@link ResourceState} decide, and writes the bucket back. Thread-safe. */
record DirectoryStore(StoreConfig config, SharedFiles files, String namespaceId, LongSupplier clock) implements Store {
    // tag::capabilities[]
    static final Capabilities CAPABILITIES = Capabilities.builder("directory", Capabilities.Reach.HOST)
            .shares(true) // read-write locks and semaphores
            .queue(true) // first come, first served; clients that wait ask, because nothing is pushed
            .idempotentAttempts(true) // an attempt that arrives twice is recognised
            .tokens(Capabilities.TokenOrder.HYBRID) // Protocol.nextToken
            .build();
    // end::capabilities[]

    private static final String DESCRIPTOR = "namespace";

    // tag::open[]
    static Store open(StoreConfig config, SharedFiles files, LongSupplier clock) throws StoreFailure {
        config.requireDriverObjectsOf(); // it has no use for objects of the application
        Agreement own = Agreement.of(config.timings());
        String where = "the namespace in " + files.directory();
        try {
            Files.createDirectories(files.directory());
            Deadline deadline = Deadline.in(config.connectTimeout().toNanos());
            try (SharedFiles.Turn turn = files.turn(DESCRIPTOR, deadline)) {
                String recorded = new String(files.read(DESCRIPTOR), StandardCharsets.UTF_8);
                if (recorded.isEmpty()) {
                    recorded = own.text();
                    turn.prepare(recorded.getBytes(StandardCharsets.UTF_8));
                    turn.commit();
                }
                Agreement agreement = Agreement.parse(recorded, where);
                agreement.require(own, where);
                return new DirectoryStore(config, files, agreement.namespaceId(), clock);
            }
        } catch (IOException e) {
            throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, "cannot use " + where + ": " + e, e);
        }
    }
    // end::open[]

    // tag::clock[]
    /** The processes of a machine share its wall clock. */
    static long wallMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private Stamp stamp() {
        return new Stamp(namespaceId, clock.getAsLong(), 0);
    }
    // end::clock[]

    // tag::change[]
    /** Works on one bucket: no other writer comes in between, and what changes is written before it is answered. */
    private <T> T change(String name, long timeoutNanos, Function<Bucket, T> command) throws StoreFailure {
        Effect effect = Effect.NONE;
        try (SharedFiles.Turn turn = files.turn(name, Deadline.in(timeoutNanos))) {
            byte[] old = files.read(name);
            Bucket bucket = new Bucket(old, config.timings(), stamp());
            T answer = command.apply(bucket);
            byte[] content = bucket.content();
            if (!Arrays.equals(old, content)) {
                turn.prepare(content);
                effect = Effect.UNKNOWN;
                turn.commit();
            }
            return answer;
        } catch (IOException e) {
            throw new StoreFailure(effect, Reason.UNREACHABLE, "cannot change " + name + ": " + e, e);
        }
    }
    // end::change[]

    // tag::many[]
    /** Works on many names, and writes each bucket once. If one of them fails, the others are still tried. */
    private <C, T> List<T> changeAll(
            List<C> commands, Function<C, Resource> resource, long timeoutNanos, BiFunction<C, Bucket, T> work)
            throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        IdentityHashMap<C, T> answers = new IdentityHashMap<>();
        Map<String, List<C>> buckets = commands.stream()
                .collect(Collectors.groupingBy(
                        each -> bucketOf(resource.apply(each).name())));
        StoreFailure failed = null;
        for (Map.Entry<String, List<C>> each : buckets.entrySet()) {
            try {
                change(each.getKey(), deadline.leftNanos(), bucket -> {
                    each.getValue().forEach(command -> answers.put(command, work.apply(command, bucket)));
                    return answers;
                });
            } catch (StoreFailure failure) {
                failed = failure;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return commands.stream().map(answers::get).toList();
    }
    // end::many[]

    private static String bucketOf(String name) {
        return "bucket-" + Protocol.bucketOf(name);
    }

    // tag::commands[]
    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Resource resource = command.resource();
        return change(
                bucketOf(resource.name()),
                timeoutNanos,
                bucket -> bucket.state(resource).acquire(config.clientId(), command, bucket));
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return releaseAll(List.of(command), timeoutNanos).get(0);
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        return changeAll(commands, Release::resource, timeoutNanos, (command, bucket) -> {
            ResourceState state = bucket.state(command.resource());
            return new Release.Reply(bucket.stamp(), state.release(config.clientId(), command, bucket));
        });
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        return change(bucketOf(command.resource().name()), timeoutNanos, bucket -> {
            bucket.state(command.resource()).cancel(config.clientId(), command, bucket);
            return bucket.stamp();
        });
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        // A state that is there stays of its kind.
        return change(
                bucketOf(name),
                timeoutNanos,
                bucket -> bucket.state(Resource.lock(name)).forceRelease(token, now, bucket));
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        return change(
                bucketOf(semaphore.name()),
                timeoutNanos,
                bucket -> bucket.state(semaphore).withhold(semaphore, weight, bucket));
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        String client = config.clientId();
        long number = command.number().value();
        List<Heartbeat.HoldReply> holds = changeAll(
                command.holds(),
                Heartbeat.Hold::resource,
                timeoutNanos,
                (each, bucket) -> bucket.state(each.resource()).heartbeat(client, each, number, bucket));
        List<Heartbeat.TicketReply> tickets = changeAll(
                command.tickets(),
                Heartbeat.Ticket::resource,
                deadline.leftNanos(),
                (each, bucket) -> bucket.state(each.resource()).heartbeat(client, each, bucket));
        return new Heartbeat.Reply(stamp(), holds, tickets); // the time comes last, after all that it stands for
    }
    // end::commands[]

    // tag::look[]
    /** Files are replaced as a whole, so that a look needs no lock. */
    Bucket look(String bucket) throws StoreFailure {
        try {
            return new Bucket(files.read(bucket), config.timings(), stamp());
        } catch (IOException e) {
            throw new StoreFailure(Effect.NONE, Reason.UNREACHABLE, "cannot read " + bucket + ": " + e, e);
        }
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        Bucket bucket = look(bucketOf(name));
        return bucket.state(Resource.lock(name)).view(bucket.stamp());
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        List<ResourceView> found = new ArrayList<>();
        for (int number = 0; number < Protocol.BUCKETS; number++) {
            Bucket bucket = look("bucket-" + number);
            bucket.states().forEach(state -> state.view(bucket.stamp()).ifPresent(found::add));
        }
        return found.stream()
                .filter(view -> view.resource().name().startsWith(prefix))
                .filter(view -> Protocol.NAME_ORDER.compare(view.resource().name(), after) > 0)
                .sorted(Comparator.comparing(view -> view.resource().name(), Protocol.NAME_ORDER))
                .limit(limit)
                .toList();
    }
    // end::look[]

    @Override
    public Map<String, String> facts(long timeoutNanos) {
        return Map.of("version", "1", "directory", files.directory().toString());
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        // There is no connection.
    }
}
