package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Grace;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import dev.baton.spi.WriteNote;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The store on Redis. Every command is one call of one script, which is atomic there: {@link Script.Name}. All threads
 * share one connection for commands; grants are pushed on another.
 *
 * <p>Thread-safe.
 */
final class RedisStore implements Store {
    /** The store's capabilities, if answers do not wait for replicas. */
    static final Capabilities CAPABILITIES = Capabilities.builder("Redis", Capabilities.Reach.NETWORK)
            .shares(true)
            .notes(true)
            .queue(true)
            .push(true)
            .idempotentAttempts(true)
            .reclaim(true)
            .tokens(Capabilities.TokenOrder.HYBRID)
            .build();

    private static final int SHARE_OF_LEASE = 6;
    private static final int NAMES_AT_ONCE = 32;
    private static final int MANY_CONTENDED = 32;
    private static final int SCANNED_AT_ONCE = 1_000;

    private final ScriptCalls calls;
    private final Keys keys;
    private final Topology topology;
    private final Credentials credentials;
    private final Examination examination;
    private final boolean isReplicated;
    private final Capabilities capabilities;

    /** Whether many of this client's locks have waiters, which makes heartbeats expensive; from the last one. */
    private volatile boolean crowded;

    /**
     * Creates a store whose connections are open.
     *
     * @param isReplicated whether callers wait until replicas have what was written
     */
    RedisStore(
            ScriptCalls calls,
            Keys keys,
            Topology topology,
            Credentials credentials,
            Examination examination,
            boolean isReplicated) {
        this.credentials = credentials;
        this.examination = examination;
        this.isReplicated = isReplicated;
        // A push leaves before the replicas have what it tells of.
        this.capabilities =
                isReplicated ? CAPABILITIES.toBuilder().confirmsHandOffs(true).build() : CAPABILITIES;
        this.calls = calls;
        this.keys = keys;
        this.topology = topology;
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public int shardOf(String name) {
        return topology.shardOf(name);
    }

    @Override
    public String namespaceId() {
        return topology.nodes().get(0).namespaceId();
    }

    @Override
    public List<String> warnings() {
        return topology.warnings();
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return examination.facts(Deadline.in(timeoutNanos));
    }

    /** Reads the clock without a script: a script that the server forgot would take a second round trip. */
    @Override
    public Stamp ping(long timeoutNanos) throws StoreFailure {
        return ping(anyNode(), timeoutNanos);
    }

    private Stamp ping(Node node, long timeoutNanos) throws StoreFailure {
        Call call = node.commands().ask((out, wire) -> out.command(1).bulk("TIME"), Deadline.in(timeoutNanos));
        List<?> time = Answer.list(call, node.target());
        long micros =
                Long.parseLong(RespReader.text(time.get(0))) * 1_000_000 + Long.parseLong(RespReader.text(time.get(1)));
        return new Stamp(call.runId(), calls.clock(micros), 0);
    }

    @Override
    public Optional<Grace> grace(long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        List<Grace> graces = new ArrayList<>();
        for (Node node : topology.nodes()) {
            List<Call.Encoder> asked = IntStream.range(0, Protocol.BUCKETS)
                    .filter(bucket -> topology.of(bucket) == node)
                    .<Call.Encoder>mapToObj(this::evidenceOf)
                    .toList();
            List<Evidence> found = new ArrayList<>();
            for (Call call : node.commands().askAll(asked, deadline)) {
                Evidence evidence = Evidence.read(call.answer());
                if (evidence != null) {
                    found.add(evidence);
                }
            }
            // Each node has a clock of its own.
            Evidence.longest(found, ping(node, deadline.leftNanos()).nowMicros())
                    .ifPresent(graces::add);
        }
        int names = graces.stream().mapToInt(Grace::buckets).sum();
        return graces.stream()
                .max(Comparator.comparingLong(Grace::restMicros))
                .map(longest -> new Grace(longest.restMicros(), longest.reason(), names));
    }

    private Call.Encoder evidenceOf(int bucket) {
        return (out, wire) ->
                out.command(3).bulk("HGET").bulk(keys.bucket(bucket)).bulk("e");
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Told told = ask(
                command.resource().name(),
                requests -> confirmed(requests.acquire(command), shareOf(command.leaseMicros()), deadline),
                deadline);
        Node node = told.node();
        Answer answer = told.answer();
        if (isReplicated && answer.repeatsAGrant()) {
            throw new StoreFailure(
                    Effect.UNKNOWN,
                    Reason.UNREACHABLE,
                    node.target() + " repeated an earlier grant, and wrote nothing: so nothing proves that its replicas"
                            + " have it",
                    null);
        }
        Acquire.Reply reply = answer.acquire(command.leaseMicros());
        heedGrace(node, reply.stamp(), deadline);
        return reply;
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        // Drawn before any part is sent: every release that is sent from now on has a greater number.
        command.number().value();
        List<Heartbeat> parts = Commands.split(command, crowded);
        Deadline deadline = Deadline.in(timeoutNanos);
        ToldAll told = askAll(
                nameIn(command),
                Node::heartbeats,
                requests -> parts.stream()
                        .map(part -> confirmed(part, requests, deadline))
                        .toList(),
                deadline);
        Node node = told.node();
        List<Answer> answers = told.answers();
        long rest = 0;
        List<Heartbeat.HoldReply> holds = new ArrayList<>(command.holds().size());
        List<Heartbeat.TicketReply> tickets = new ArrayList<>(command.tickets().size());
        String runId = answers.get(0).runId();
        for (int i = 0; i < parts.size(); i++) {
            if (!answers.get(i).runId().equals(runId)) {
                throw new StoreFailure(
                        Effect.UNKNOWN, node.target() + " was replaced in the middle of a heartbeat", null);
            }
            answers.get(i).addTo(holds, tickets, parts.get(i));
            rest = Math.max(rest, answers.get(i).stamp(0).graceMicros());
        }
        crowded = holds.stream()
                        .filter(hold -> hold instanceof Heartbeat.Renewed renewed && renewed.contended())
                        .count()
                >= MANY_CONTENDED;
        // The time of the first part: a client believes in its holds from before it was sent, so a later time must not
        // be used.
        Stamp stamp = new Stamp(runId, answers.get(0).number(0), rest);
        heedGrace(node, stamp, deadline);
        return new Heartbeat.Reply(stamp, holds, tickets);
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Told told = ask(
                command.resource().name(),
                requests -> confirmed(requests.release(command), Long.MAX_VALUE, deadline),
                deadline);
        told.node().ended(command);
        return told.answer().release();
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> all, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Release.Reply[] replies = new Release.Reply[all.size()];
        for (List<Integer> part : byShard(all, release -> release.resource().name())) {
            List<Release> some = part.stream().map(all::get).toList();
            ToldAll told = askAll(
                    some.get(0).resource().name(),
                    Node::commands,
                    requests -> some.stream()
                            .map(each -> confirmed(requests.release(each), Long.MAX_VALUE, deadline))
                            .toList(),
                    deadline);
            for (int i = 0; i < part.size(); i++) {
                replies[part.get(i)] = told.answers().get(i).release();
            }
            some.forEach(told.node()::ended);
        }
        return List.of(replies);
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Told told = ask(command.resource().name(), requests -> requests.cancel(command), deadline);
        Stamp stamp = told.answer().stamp(0);
        told.node().ended(command);
        heedGrace(told.node(), stamp, deadline);
        return stamp;
    }

    /**
     * If a grace period has begun, repeats what the server may have forgotten. The connection may be older than that: a
     * server that was a replica in between keeps its connections.
     */
    private static void heedGrace(Node node, Stamp stamp, Deadline deadline) {
        if (stamp.graceMicros() > 0 && node.noted(stamp.graceMicros())) {
            try {
                List<Answer> unused = askAll(node.commands(), node.forgotten(), deadline);
            } catch (StoreFailure failed) {
                // The next answer begins anew: the outcome of the caller's own command is known.
                node.noteAgain();
            }
        }
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return views(List.of(name), Deadline.in(timeoutNanos)).stream().findFirst();
    }

    /**
     * Reads the names of one shard. Reads long queues in parts, so that inspecting them delays no other client: a
     * ticket that is granted between two parts appears in neither.
     */
    private List<ResourceView> views(List<String> names, Deadline deadline) throws StoreFailure {
        Answer first = ask(names.get(0), requests -> requests.inspect(names, 0), deadline)
                .answer();
        List<ResourceView> views = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Optional<ResourceView> start = first.view(name, i);
            if (start.isPresent()) {
                ResourceView view = start.get();
                List<ResourceView.Ticket> tickets = new ArrayList<>(view.tickets());
                for (long rest = first.rest(i); rest > 0; ) {
                    long from = rest;
                    Answer next = ask(name, requests -> requests.inspect(List.of(name), from), deadline)
                            .answer();
                    next.view(name, 0).ifPresent(more -> tickets.addAll(more.tickets()));
                    rest = next.rest(0);
                }
                if (!view.holds().isEmpty() || !tickets.isEmpty() || view.restMicros() > 0) {
                    views.add(
                            new ResourceView(view.resource(), view.stamp(), view.holds(), tickets, view.restMicros()));
                }
            }
        }
        return views;
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        NavigableSet<String> found = new TreeSet<>(Protocol.NAME_ORDER);
        for (Node node : topology.nodes()) {
            found.addAll(scan(node, prefix, deadline));
        }
        List<String> names = new ArrayList<>(found.tailSet(after, false));
        List<ResourceView> views = new ArrayList<>();
        for (int from = 0; from < names.size() && views.size() < limit; from += NAMES_AT_ONCE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + NAMES_AT_ONCE));
            for (List<Integer> part : byShard(some, name -> name)) {
                views.addAll(views(part.stream().map(some::get).toList(), deadline));
            }
        }
        views.sort(Comparator.comparing(view -> view.resource().name(), Protocol.NAME_ORDER));
        return views.subList(0, Math.min(views.size(), limit));
    }

    /** Scans all keys of the database, step by step: for operators, not for programs. */
    private NavigableSet<String> scan(Node node, String prefix, Deadline deadline) throws StoreFailure {
        NavigableSet<String> names = new TreeSet<>(Protocol.NAME_ORDER);
        String cursor = "0";
        do {
            String from = cursor;
            Call call = node.commands()
                    .ask(
                            (out, wire) -> out.command(6)
                                    .bulk("SCAN")
                                    .bulk(from)
                                    .bulk("MATCH")
                                    .bulk(keys.recordPattern(prefix))
                                    .bulk("COUNT")
                                    .bulk(SCANNED_AT_ONCE),
                            deadline);
            List<?> page = Answer.list(call, node.target());
            cursor = RespReader.text(page.get(0));
            for (Object key : (List<?>) page.get(1)) {
                String name = Keys.nameIn(RespReader.text(key));
                if (name.startsWith(prefix)) {
                    names.add(name);
                }
            }
        } while (!cursor.equals("0"));
        return names;
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Told told =
                ask(name, requests -> confirmed(requests.force(name, token, now), Long.MAX_VALUE, deadline), deadline);
        return told.answer().number(1) == 1;
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Answer answer = ask(
                        semaphore.name(),
                        requests -> confirmed(requests.withhold(semaphore, weight), Long.MAX_VALUE, deadline),
                        deadline)
                .answer();
        return answer.number(1) == 1
                ? semaphore
                : new Resource(semaphore.name(), Stored.kind(answer.number(2)), (int) answer.number(3));
    }

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Told told = ask(name, requests -> requests.readNote(name), deadline);
        NoteView view = told.answer().note();
        heedGrace(told.node(), view.stamp(), deadline);
        return view;
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        return changeNote(command.resource().name(), requests -> requests.writeNote(command), timeoutNanos);
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        return changeNote(name, requests -> requests.restoreNote(name, note), timeoutNanos);
    }

    @Override
    public WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        return changeNote(name, requests -> requests.forgetNote(name), timeoutNanos);
    }

    private WriteNote.Reply changeNote(String name, Function<Commands, Request> request, long timeoutNanos)
            throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Told told = ask(name, requests -> confirmed(request.apply(requests), Long.MAX_VALUE, deadline), deadline);
        WriteNote.Reply reply = told.answer().noteChange();
        heedGrace(told.node(), reply.stamp(), deadline);
        return reply;
    }

    /** Lets the caller wait for the replicas, if that is asked for. */
    private Request confirmed(Request request, long mostNanos, Deadline deadline) {
        return isReplicated ? new Confirmed(request, mostNanos, deadline) : request;
    }

    /** Tickets need no confirmation: a grant that the answer tells of is confirmed by its first heartbeat. */
    private Request confirmed(Heartbeat part, Commands requests, Deadline deadline) {
        Request request = requests.heartbeat(part);
        if (part.holds().isEmpty()) {
            return request;
        }
        long shortest = part.holds().stream()
                .mapToLong(Heartbeat.Hold::leaseMicros)
                .min()
                .orElseThrow();
        return confirmed(request, shareOf(shortest), deadline);
    }

    /** Returns how long to wait for replicas, so that a lease can be asked for again before it ends. */
    private static long shareOf(long leaseMicros) {
        return TimeUnit.MICROSECONDS.toNanos(leaseMicros / SHARE_OF_LEASE);
    }

    @Override
    public void close() {
        credentials.close();
        topology.close();
    }

    /** Returns a name of a heartbeat: the engine sends the names of one shard in one. */
    private static String nameIn(Heartbeat command) {
        if (!command.holds().isEmpty()) {
            return command.holds().get(0).resource().name();
        }
        return command.tickets().isEmpty()
                ? ""
                : command.tickets().get(0).resource().name();
    }

    /** Returns the positions of elements by the shards of their names: a call may only have names of one. */
    private <T> Collection<List<Integer>> byShard(List<T> all, Function<T, String> name) {
        return IntStream.range(0, all.size())
                .boxed()
                .collect(Collectors.groupingBy(
                        at -> shardOf(name.apply(all.get(at))), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /** Returns the node that answers for the store as a whole. */
    private Node anyNode() {
        return topology.nodes().get(0);
    }

    /** The answer of a node. */
    private record Told(Node node, Answer answer) {}

    /** Several answers of a node. */
    private record ToldAll(Node node, List<Answer> answers) {}

    /** Asks the node that keeps a name, and the next one if that does not keep it any more. */
    private Told ask(String name, Function<Commands, Request> request, Deadline deadline) throws StoreFailure {
        while (true) {
            Node node = topology.of(name);
            Pipeline pipeline = node.commands();
            Request written = request.apply(node.requests());
            Call call = pipeline.ask(written, deadline);
            RespError redirected = redirection(call);
            if (redirected == null) {
                return new Told(node, answered(pipeline, call, written, deadline));
            }
            topology.redirected(Protocol.bucketOf(name), node, redirected, deadline);
        }
    }

    /**
     * Returns the error of a node that did not execute a command because it does not keep the name; null for any other
     * answer.
     */
    private static @Nullable RespError redirection(Call call) throws StoreFailure {
        return call.answer() instanceof RespError error && ServerErrors.isRedirection(error) ? error : null;
    }

    /**
     * Asks several things of the node that keeps a name, and asks again, as {@link #ask} does, for the commands that it
     * did not execute.
     *
     * @param name one of the names, which are all of one shard
     * @param way where to send the commands
     * @param requests writes the commands to a node
     */
    private ToldAll askAll(
            String name, Function<Node, Pipeline> way, Function<Commands, List<Request>> requests, Deadline deadline)
            throws StoreFailure {
        int bucket = Protocol.bucketOf(name);
        Map<Integer, Answer> answers = new TreeMap<>();
        while (true) {
            Node node = topology.of(bucket);
            List<Request> all = requests.apply(node.requests());
            List<Integer> open = IntStream.range(0, all.size())
                    .filter(at -> !answers.containsKey(at))
                    .boxed()
                    .toList();
            Pipeline pipeline = way.apply(node);
            List<Call> calls = pipeline.askAll(open.stream().map(all::get).toList(), deadline);
            RespError redirected = null;
            for (int i = 0; i < open.size(); i++) {
                RespError error = redirection(calls.get(i));
                if (error != null) {
                    redirected = error;
                } else {
                    answers.put(open.get(i), answered(pipeline, calls.get(i), all.get(open.get(i)), deadline));
                }
            }
            if (redirected == null) {
                return new ToldAll(node, List.copyOf(answers.values()));
            }
            topology.redirected(bucket, node, redirected, deadline);
        }
    }

    private static List<Answer> askAll(Pipeline pipeline, List<Request> requests, Deadline deadline)
            throws StoreFailure {
        List<Call> calls = pipeline.askAll(requests, deadline);
        List<Answer> answers = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            answers.add(answered(pipeline, calls.get(i), requests.get(i), deadline));
        }
        return answers;
    }

    /** Returns the answer; a server that does not know the script has done nothing, so it gets the whole text. */
    private static Answer answered(Pipeline pipeline, Call first, Request request, Deadline deadline)
            throws StoreFailure {
        Call call = ServerErrors.isNoScript(first.answer()) ? pipeline.ask(request.whole(), deadline) : first;
        return new Answer(Answer.list(call, pipeline.target()), call.runId());
    }
}
