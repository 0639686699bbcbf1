package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Protocol;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The store on Redis. Every command is one call of one script, which is atomic there: {@link Script.Name}. All threads
 * share one connection for commands; grants are pushed on another.
 *
 * <p>Thread-safe.
 */
final class RedisStore implements Store {
    /** The store's capabilities. */
    static final Capabilities CAPABILITIES = Capabilities.builder("Redis", Capabilities.Reach.NETWORK)
            .shares(true)
            .queue(true)
            .push(true)
            .idempotentAttempts(true)
            .tokens(Capabilities.TokenOrder.HYBRID)
            .build();

    private static final int NAMES_AT_ONCE = 32;
    private static final int MANY_CONTENDED = 32;
    private static final int SCANNED_AT_ONCE = 1_000;

    private final Commands commands;
    private final Keys keys;
    private final Pipeline pipeline;
    private final Subscription subscription;
    private final RecentReleases recent;
    private final List<String> warnings;
    private final String target;

    /** Whether many of this client's locks have waiters, which makes heartbeats expensive; from the last one. */
    private volatile boolean crowded;

    /** Creates a store whose connections are open. */
    RedisStore(
            Commands commands,
            Keys keys,
            Pipeline pipeline,
            Subscription subscription,
            RecentReleases recent,
            List<String> warnings,
            String target) {
        this.commands = commands;
        this.keys = keys;
        this.pipeline = pipeline;
        this.subscription = subscription;
        this.recent = recent;
        this.warnings = warnings;
        this.target = target;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        Call info = pipeline.ask((out, wire) -> out.command(1).bulk("INFO"), deadline);
        Map<String, String> facts =
                Server.of(RespReader.text(list(info).get(0)), target).facts(fsync(deadline));
        long malformed = subscription.malformed();
        if (malformed > 0) {
            facts.put("ignored messages", malformed + " on this client's channel were no pushes: others publish there");
        }
        return facts;
    }

    /** Returns an empty text if the server denies it: locks do not need this right. */
    private String fsync(Deadline deadline) throws StoreFailure {
        Call call = pipeline.ask(
                (out, wire) -> out.command(3).bulk("CONFIG").bulk("GET").bulk("appendfsync"), deadline);
        try {
            List<?> pair = list(call);
            return pair.size() < 2 ? "" : RespReader.text(pair.get(1));
        } catch (StoreFailure refused) {
            return "";
        }
    }

    /** Reads the clock without a script: a script that the server forgot would take a second round trip. */
    @Override
    public Stamp ping(long timeoutNanos) throws StoreFailure {
        Call call = pipeline.ask((out, wire) -> out.command(1).bulk("TIME"), Deadline.in(timeoutNanos));
        List<?> time = list(call);
        long micros =
                Long.parseLong(RespReader.text(time.get(0))) * 1_000_000 + Long.parseLong(RespReader.text(time.get(1)));
        return new Stamp(call.runId(), commands.clock(micros), 0);
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        return ask(commands.acquire(command), Deadline.in(timeoutNanos)).acquire(command.leaseMicros());
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        // Drawn before any part is sent: every release that is sent from now on has a greater number.
        command.number().value();
        List<Heartbeat> parts = commands.split(command, crowded);
        List<Request> requests = parts.stream().map(commands::heartbeat).toList();
        List<Answer> answers = askAll(requests, Deadline.in(timeoutNanos));
        List<Heartbeat.HoldReply> holds = new ArrayList<>(command.holds().size());
        List<Heartbeat.TicketReply> tickets = new ArrayList<>(command.tickets().size());
        String runId = answers.get(0).runId();
        for (int i = 0; i < parts.size(); i++) {
            if (!answers.get(i).runId().equals(runId)) {
                throw new StoreFailure(Effect.UNKNOWN, target + " was replaced in the middle of a heartbeat", null);
            }
            answers.get(i).addTo(holds, tickets, parts.get(i));
        }
        crowded = holds.stream()
                        .filter(hold -> hold instanceof Heartbeat.Renewed renewed && renewed.contended())
                        .count()
                >= MANY_CONTENDED;
        // The time of the first part: a client believes in its holds from before it was sent, so a later time must not
        // be used.
        return new Heartbeat.Reply(answers.get(0).stamp(0), holds, tickets);
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        Answer answer = ask(commands.release(command), Deadline.in(timeoutNanos));
        recent.add(command);
        return answer.release();
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> all, long timeoutNanos) throws StoreFailure {
        List<Request> requests = all.stream().map(commands::release).toList();
        List<Release.Reply> replies = new ArrayList<>(all.size());
        for (Answer answer : askAll(requests, Deadline.in(timeoutNanos))) {
            replies.add(answer.release());
        }
        all.forEach(recent::add);
        return replies;
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        return ask(commands.cancel(command), Deadline.in(timeoutNanos)).stamp(0);
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
        Answer first = ask(commands.inspect(names, 0), deadline);
        List<ResourceView> views = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Optional<ResourceView> start = first.view(name, i);
            if (start.isPresent()) {
                ResourceView view = start.get();
                List<ResourceView.Ticket> tickets = new ArrayList<>(view.tickets());
                for (long rest = first.rest(i); rest > 0; ) {
                    Answer next = ask(commands.inspect(List.of(name), rest), deadline);
                    next.view(name, 0).ifPresent(more -> tickets.addAll(more.tickets()));
                    rest = next.rest(0);
                }
                if (!view.holds().isEmpty() || !tickets.isEmpty()) {
                    views.add(new ResourceView(view.resource(), view.stamp(), view.holds(), tickets));
                }
            }
        }
        return views;
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        List<String> names = new ArrayList<>(scan(prefix, deadline).tailSet(after, false));
        List<ResourceView> views = new ArrayList<>();
        for (int from = 0; from < names.size() && views.size() < limit; from += NAMES_AT_ONCE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + NAMES_AT_ONCE));
            views.addAll(views(some, deadline));
        }
        return views.subList(0, Math.min(views.size(), limit));
    }

    /** Scans all keys of the database, step by step: for operators, not for programs. */
    private NavigableSet<String> scan(String prefix, Deadline deadline) throws StoreFailure {
        NavigableSet<String> names = new TreeSet<>(Protocol.NAME_ORDER);
        String cursor = "0";
        do {
            String from = cursor;
            Call call = pipeline.ask(
                    (out, wire) -> out.command(6)
                            .bulk("SCAN")
                            .bulk(from)
                            .bulk("MATCH")
                            .bulk(keys.recordPattern(prefix))
                            .bulk("COUNT")
                            .bulk(SCANNED_AT_ONCE),
                    deadline);
            List<?> page = list(call);
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
        return ask(commands.force(name, token, now), Deadline.in(timeoutNanos)).number(1) == 1;
    }

    @Override
    public void close() {
        subscription.close();
        pipeline.close();
    }

    private Answer ask(Request request, Deadline deadline) throws StoreFailure {
        Call call = pipeline.ask(request, deadline);
        return answered(call, request, deadline);
    }

    private List<Answer> askAll(List<Request> requests, Deadline deadline) throws StoreFailure {
        List<Call> calls = pipeline.askAll(requests, deadline);
        List<Answer> answers = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            answers.add(answered(calls.get(i), requests.get(i), deadline));
        }
        return answers;
    }

    /** Returns the answer; a server that does not know the script has done nothing, so it gets the whole text. */
    private Answer answered(Call first, Request request, Deadline deadline) throws StoreFailure {
        Call call = ServerErrors.isNoScript(first.answer())
                ? pipeline.ask((out, wire) -> request.write(out, wire, true), deadline)
                : first;
        return new Answer(list(call), call.runId());
    }

    private List<?> list(Call call) throws StoreFailure {
        Object answer = call.answer();
        if (answer instanceof RespError error) {
            throw ServerErrors.failure(error.message(), target, null);
        }
        if (answer instanceof List<?> values) {
            return values;
        }
        if (answer instanceof Long || answer instanceof byte[]) {
            return List.of(answer);
        }
        throw new StoreFailure(Effect.UNKNOWN, target + " gave an answer of another kind: " + answer, null);
    }
}
