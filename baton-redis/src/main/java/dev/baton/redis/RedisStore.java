package dev.baton.redis;

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
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

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

    private final Commands commands;
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
            Commands commands,
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
        this.commands = commands;
        this.keys = keys;
        this.topology = topology;
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
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
        Node node = anyNode();
        Call call = node.commands().ask((out, wire) -> out.command(1).bulk("TIME"), Deadline.in(timeoutNanos));
        List<?> time = Answer.list(call, node.target());
        long micros =
                Long.parseLong(RespReader.text(time.get(0))) * 1_000_000 + Long.parseLong(RespReader.text(time.get(1)));
        return new Stamp(call.runId(), commands.clock(micros), 0);
    }

    @Override
    public Optional<Grace> grace(long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        List<Evidence> found = new ArrayList<>();
        for (Node node : topology.nodes()) {
            List<Call.Encoder> asked = IntStream.range(0, Protocol.BUCKETS)
                    .filter(bucket -> topology.of(bucket) == node)
                    .<Call.Encoder>mapToObj(this::evidenceOf)
                    .toList();
            for (Call call : node.commands().askAll(asked, deadline)) {
                Evidence evidence = Evidence.read(call.answer());
                if (evidence != null) {
                    found.add(evidence);
                }
            }
        }
        return Evidence.longest(found, ping(deadline.leftNanos()).nowMicros());
    }

    private Call.Encoder evidenceOf(int bucket) {
        return (out, wire) ->
                out.command(3).bulk("HGET").bulk(keys.bucket(bucket)).bulk("e");
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Node node = nodeOf(command.resource().name());
        Deadline deadline = Deadline.in(timeoutNanos);
        Request request = confirmed(commands.acquire(command), shareOf(command.leaseMicros()), deadline);
        Answer answer = ask(node, request, deadline);
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
        List<Heartbeat> parts = commands.split(command, crowded);
        Deadline deadline = Deadline.in(timeoutNanos);
        List<Request> requests =
                parts.stream().map(part -> confirmed(part, deadline)).toList();
        Node node = nodeOf(command);
        List<Answer> answers = askAll(node.heartbeats(), requests, deadline);
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
        Node node = nodeOf(command.resource().name());
        Deadline deadline = Deadline.in(timeoutNanos);
        Answer answer = ask(node, confirmed(commands.release(command), Long.MAX_VALUE, deadline), deadline);
        node.ended(command);
        return answer.release();
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> all, long timeoutNanos) throws StoreFailure {
        if (all.isEmpty()) {
            return List.of();
        }
        Deadline deadline = Deadline.in(timeoutNanos);
        List<Request> requests = all.stream()
                .map(each -> confirmed(commands.release(each), Long.MAX_VALUE, deadline))
                .toList();
        Node node = nodeOf(all.get(0).resource().name());
        List<Release.Reply> replies = new ArrayList<>(all.size());
        for (Answer answer : askAll(node.commands(), requests, deadline)) {
            replies.add(answer.release());
        }
        all.forEach(node::ended);
        return replies;
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Node node = nodeOf(command.resource().name());
        Deadline deadline = Deadline.in(timeoutNanos);
        Stamp stamp = ask(node, commands.cancel(command), deadline).stamp(0);
        node.ended(command);
        heedGrace(node, stamp, deadline);
        return stamp;
    }

    /**
     * If a grace period has begun, repeats what the server may have forgotten. The connection may be older than that: a
     * server that was a replica in between keeps its connections.
     */
    private static void heedGrace(Node node, Stamp stamp, Deadline deadline) {
        if (stamp.graceMicros() > 0 && node.noted(stamp.graceMicros())) {
            try {
                askAll(node.commands(), node.forgotten(), deadline);
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
     * Reads long queues in parts, so that inspecting them delays no other client: a ticket that is granted between two
     * parts appears in neither.
     */
    private List<ResourceView> views(List<String> names, Deadline deadline) throws StoreFailure {
        Node node = nodeOf(names.get(0));
        Answer first = ask(node, commands.inspect(names, 0), deadline);
        List<ResourceView> views = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Optional<ResourceView> start = first.view(name, i);
            if (start.isPresent()) {
                ResourceView view = start.get();
                List<ResourceView.Ticket> tickets = new ArrayList<>(view.tickets());
                for (long rest = first.rest(i); rest > 0; ) {
                    Answer next = ask(node, commands.inspect(List.of(name), rest), deadline);
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
        List<String> names = new ArrayList<>(scan(anyNode(), prefix, deadline).tailSet(after, false));
        List<ResourceView> views = new ArrayList<>();
        for (int from = 0; from < names.size() && views.size() < limit; from += NAMES_AT_ONCE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + NAMES_AT_ONCE));
            views.addAll(views(some, deadline));
        }
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
        Request request = confirmed(commands.force(name, token, now), Long.MAX_VALUE, deadline);
        return ask(nodeOf(name), request, deadline).number(1) == 1;
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Request request = confirmed(commands.withhold(semaphore, weight), Long.MAX_VALUE, deadline);
        Answer answer = ask(nodeOf(semaphore.name()), request, deadline);
        return answer.number(1) == 1
                ? semaphore
                : new Resource(semaphore.name(), Stored.kind(answer.number(2)), (int) answer.number(3));
    }

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        Node node = nodeOf(name);
        Deadline deadline = Deadline.in(timeoutNanos);
        NoteView view = ask(node, commands.readNote(name), deadline).note();
        heedGrace(node, view.stamp(), deadline);
        return view;
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        return changeNote(command.resource().name(), commands.writeNote(command), timeoutNanos);
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        return changeNote(name, commands.restoreNote(name, note), timeoutNanos);
    }

    @Override
    public WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        return changeNote(name, commands.forgetNote(name), timeoutNanos);
    }

    private WriteNote.Reply changeNote(String name, Request request, long timeoutNanos) throws StoreFailure {
        Node node = nodeOf(name);
        Deadline deadline = Deadline.in(timeoutNanos);
        WriteNote.Reply reply = ask(node, confirmed(request, Long.MAX_VALUE, deadline), deadline)
                .noteChange();
        heedGrace(node, reply.stamp(), deadline);
        return reply;
    }

    /** Lets the caller wait for the replicas, if that is asked for. */
    private Request confirmed(Request request, long mostNanos, Deadline deadline) {
        return isReplicated ? new Confirmed(request, mostNanos, deadline) : request;
    }

    /** Tickets need no confirmation: a grant that the answer tells of is confirmed by its first heartbeat. */
    private Request confirmed(Heartbeat part, Deadline deadline) {
        Request request = commands.heartbeat(part);
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

    private Node nodeOf(String name) {
        return topology.of(Protocol.bucketOf(name));
    }

    /** Returns the node of a heartbeat: the engine sends the names of one node in one. */
    private Node nodeOf(Heartbeat command) {
        if (!command.holds().isEmpty()) {
            return nodeOf(command.holds().get(0).resource().name());
        }
        return command.tickets().isEmpty()
                ? anyNode()
                : nodeOf(command.tickets().get(0).resource().name());
    }

    /** Returns the node that answers for the store as a whole. */
    private Node anyNode() {
        return topology.nodes().get(0);
    }

    private static Answer ask(Node node, Request request, Deadline deadline) throws StoreFailure {
        Pipeline pipeline = node.commands();
        return answered(pipeline, pipeline.ask(request, deadline), request, deadline);
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
