package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Joined;
import dev.baton.internal.store.HostClock;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The abstract machine over a server that keeps lines of entries.
 *
 * <p>An attempt is a ticket in its name's line, and a hold once enough of those before it are gone; the server needs to
 * know no more, so a hand-off is what happens when an entry goes. Entries end with the session of their client. Within
 * the session their client keeps the deadlines itself, on its own clock: it removes a hold whose lease is over and a
 * ticket that is not wanted any more. All commands of a client go through its one store, so that an attempt is granted
 * at most once is decided here: an attempt that was undone never joins a line.
 *
 * <p>Thread-safe.
 */
public final class OrderedStore implements Store {
    private static final long TIDY_AFTER_MICROS = 1_000_000;

    /**
     * The time by which a client keeps deadlines.
     *
     * @param clock microseconds
     * @param passesByItself whether what is due is done at once; otherwise {@link #timePassed} does it
     */
    public record Time(LongSupplier clock, boolean passesByItself) {
        /** The time of this machine. */
        public static final Time HOST = new Time(HostClock::micros, true);

        /**
         * A time that stands still until it is moved.
         *
         * @param clock microseconds
         * @return the time
         */
        public static Time movedBy(LongSupplier clock) {
            return new Time(clock, false);
        }
    }

    private final OrderedServer server;
    private final Supplier<Capabilities> capabilities;
    private final List<String> warnings;
    private final StoreConfig config;
    private final LongSupplier clock;
    private final Attempts attempts;
    private final Refusals refusals = new Refusals();
    private final LockDelays delays;
    private final TurnCheck turnCheck;
    private final Proofs proofs;
    private final Views views;
    private final EntryRemover remover;
    private final Sweeper sweeper;
    private final boolean sweeps;

    /**
     * Returns what every store can do that keeps lines of entries.
     *
     * @param store the store's name for people
     * @param shortestLease the shortest lease time that it can keep
     * @param session how long a client's session lives on for certain after its last answered command
     * @return the capabilities
     */
    public static Capabilities capabilities(String store, Duration shortestLease, Duration session) {
        return Capabilities.builder(store, Capabilities.Reach.NETWORK)
                .shares(true)
                .queue(true)
                .push(true)
                .durable(true)
                .tokens(Capabilities.TokenOrder.CONSENSUS)
                .shortestLease(shortestLease)
                .session(session)
                .build();
    }

    /**
     * A store.
     *
     * @param config what the store was opened with
     * @param time the clock by which it keeps deadlines, and who watches it
     * @param server a connected server of the store's own; told about sessions by {@link #sessionEnded} and
     *     {@link #reconnected}
     * @param capabilities what the store can do now
     * @param warnings what was found unwise when connecting
     */
    public OrderedStore(
            StoreConfig config,
            Time time,
            OrderedServer server,
            Supplier<Capabilities> capabilities,
            List<String> warnings) {
        this.config = config;
        this.server = server;
        this.capabilities = capabilities;
        this.warnings = List.copyOf(warnings);
        this.clock = time.clock();
        this.attempts = new Attempts();
        this.delays = new LockDelays(clock);
        this.turnCheck = new TurnCheck(server, delays, this::onChange);
        this.proofs = new Proofs(server, clock, !time.passesByItself());
        this.views = new Views(server, attempts, delays, this::stamp);
        this.remover = new EntryRemover(server, attempts, delays, clock, TIDY_AFTER_MICROS);
        this.sweeper = new Sweeper(this::sweep, config.clientId());
        this.sweeps = time.passesByItself();
        if (sweeps) {
            sweeper.start();
        }
    }

    @Override
    public Capabilities capabilities() {
        return capabilities.get();
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return Answers.await(server.facts(), Deadline.in(timeoutNanos));
    }

    // ---- sessions ------------------------------------------------------------------------------------------------

    /**
     * A session is over: its entries are gone, or will be before long.
     *
     * @param session its identity
     */
    public void sessionEnded(String session) {
        attempts.all().stream().filter(own -> own.isOfSession(session)).forEach(own -> {
            own.end();
            attempts.remove(own);
            remover.idle(own.name());
        });
        config.listener().onReconnect();
    }

    /** The connection was away, and changes may not have been heard of. */
    public void reconnected() {
        attempts.all().forEach(Attempt::doubt);
        config.listener().onReconnect();
    }

    Stamp stamp() {
        return new Stamp(server.session(), clock.getAsLong(), 0);
    }

    private void requireSession() throws StoreFailure {
        if (server.session().isEmpty()) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNREACHABLE,
                    "there is no session with the server: it is being connected to again",
                    null);
        }
    }

    // ---- acquire -------------------------------------------------------------------------------------------------

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        requireSession();
        Attempt own = new Attempt(config.clientId(), command);
        if (!attempts.begin(own)) {
            return stale(own, deadline);
        }
        if (!own.queues && refusals.contains(own.name())) {
            Optional<Acquire.Reply> refused = look(own, deadline);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        Joined joined = join(own, deadline);
        try {
            Turn verdict = Answers.await(turnCheck.turnCheck(own, joined.line()), deadline);
            while (verdict instanceof Turn.Waits waits && waits.joinsReaders() && !own.queues) {
                verdict = Answers.await(turnCheck.look(own), deadline);
            }
            return reply(command, own, verdict, joined.line(), deadline);
        } catch (StoreFailure failure) {
            // Whatever was refused, the ticket is in the line, and has to be undone.
            throw failure.effect() == StoreFailure.Effect.UNKNOWN
                    ? failure
                    : new StoreFailure(
                            StoreFailure.Effect.UNKNOWN,
                            failure.reason(),
                            String.valueOf(failure.getMessage()),
                            failure);
        }
    }

    /** Looks before it joins; empty if it seems to be free. */
    private Optional<Acquire.Reply> look(Attempt own, Deadline deadline) throws StoreFailure {
        boolean joins = false;
        try {
            List<Entry> line = Answers.await(server.lineNow(own.name()), deadline);
            OrderedView view = new OrderedView(line);
            Optional<Entry> other = view.otherKind(own.label);
            joins = other.isEmpty()
                    && view.hasRoom(own.label)
                    && delays.inTheWay(own.name(), view).isEmpty();
            if (joins) {
                return Optional.empty();
            }
            // A look proves nothing.
            CompletableFuture<?> proving = server.prove(List.of());
            Acquire.Reply refused =
                    other.isPresent() ? mismatch(other.get()) : views.held(own, line, remaining(), deadline);
            Answers.await(proving, deadline);
            return Optional.of(refused);
        } catch (StoreFailure nothingMade) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    nothingMade.reason(),
                    String.valueOf(nothingMade.getMessage()),
                    nothingMade);
        } finally {
            if (!joins) {
                attempts.remove(own);
            }
        }
    }

    private Joined join(Attempt own, Deadline deadline) throws StoreFailure {
        try {
            long called = clock.getAsLong();
            CompletableFuture<Joined> joining =
                    server.join(own.name(), own.label, own.notes).thenApply(joined -> onJoined(own, joined));
            Joined joined = Answers.await(joining, deadline);
            proofs.proved(called);
            own.proved(called);
            remover.inUse(own.name());
            return joined;
        } catch (StoreFailure failure) {
            if (failure.effect() == StoreFailure.Effect.NONE) {
                // Nobody will undo it.
                attempts.remove(own);
            }
            throw failure;
        }
    }

    /** Numbers are used up by a cancel alone, and it may have come while the ticket was on its way. */
    private Joined onJoined(Attempt own, Joined joined) {
        long presentUntil = clock.getAsLong() + config.timings().presenceMicros();
        if (!own.joined(joined, presentUntil)) {
            remover.begin(own);
        }
        return joined;
    }

    private Acquire.Reply stale(Attempt own, Deadline deadline) throws StoreFailure {
        OrderedView view = new OrderedView(Answers.await(server.lineNow(own.name()), deadline));
        Optional<Entry> other = view.otherKind(own.label);
        Answers.await(server.prove(List.of()), deadline);
        return other.<Acquire.Reply>map(this::mismatch).orElseGet(() -> new Acquire.Stale(stamp()));
    }

    private Acquire.Reply reply(Acquire command, Attempt own, Turn verdict, List<Entry> line, Deadline deadline)
            throws StoreFailure {
        long now = clock.getAsLong();
        if (verdict instanceof Turn.Holds holds) {
            long until = now + command.leaseMicros();
            if (own.isOfSession(server.session()) && own.hold(holds.token(), until, true, now)) {
                refusals.remove(own.name());
                return new Acquire.Granted(stamp(), holds.token(), until);
            }
            // A watch may have been faster.
            OptionalLong renewed = own.renew(now, command.leaseMicros(), true);
            if (renewed.isPresent()) {
                return new Acquire.Granted(stamp(), own.token(), renewed.getAsLong());
            }
        } else if (verdict instanceof Turn.Waits waits && command.mode() == Acquire.Mode.QUEUE) {
            return new Acquire.Queued(stamp(), waits.position(), remaining());
        } else if (verdict instanceof Turn.Waits) {
            refusals.add(own.name());
            Acquire.Held held = views.held(own, line, remaining(), deadline);
            Answers.await(remover.send(own, false), deadline);
            return held;
        } else if (verdict instanceof Turn.OtherKind other) {
            Answers.await(remover.send(own, false), deadline);
            return mismatch(other.entry());
        }
        Answers.await(remover.send(own, false), deadline);
        return new Acquire.Stale(stamp());
    }

    private Acquire.Mismatch mismatch(Entry entry) {
        return new Acquire.Mismatch(stamp(), entry.label().kind(), entry.label().capacity());
    }

    /** How long others' holds may stay is theirs to know: without them, as long as a session. */
    private long remaining() {
        return server.trust().toNanos() / 1_000;
    }

    // ---- heartbeat -----------------------------------------------------------------------------------------------

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        requireSession();
        return new HeartbeatCommand(this, command).answer(Deadline.in(timeoutNanos));
    }

    OrderedServer server() {
        return server;
    }

    Attempts attempts() {
        return attempts;
    }

    TurnCheck turnCheck() {
        return turnCheck;
    }

    long now() {
        return clock.getAsLong();
    }

    long presenceMicros() {
        return config.timings().presenceMicros();
    }

    Proofs proofs() {
        return proofs;
    }

    /** A ticket was looked at: it may hold from now on. Returns whether it does. */
    boolean apply(Attempt own, Turn verdict) {
        long now = clock.getAsLong();
        if (verdict instanceof Turn.Gone && own.isWaiting()) {
            // By somebody's hand; the server is to forget it as well.
            remover.begin(own);
        } else if (verdict instanceof Turn.Holds holds && own.isOfSession(server.session())) {
            long until = now + config.timings().claimMicros();
            if (own.hold(holds.token(), until, false, now)) {
                // The client saw this for itself: its own secret vouches for it.
                config.listener()
                        .onPush(new Push(
                                own.name(),
                                own.label.attempt(),
                                holds.token(),
                                proofs.believable(until),
                                now,
                                server.session(),
                                own.secret));
            }
        }
        return own.isHeld();
    }

    /** What a ticket waits for has changed. Failures are left to the heartbeat. */
    private void onChange(Attempt own, boolean only) {
        CompletableFuture<Turn> finding = only ? turnCheck.holds(own) : turnCheck.look(own);
        remover.track(finding.thenAccept(verdict -> apply(own, verdict)));
    }

    // ---- release, cancel -----------------------------------------------------------------------------------------

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return releaseAll(List.of(command), timeoutNanos).get(0);
    }

    @Override
    public List<Release.Reply> releaseAll(List<Release> commands, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        requireSession();
        List<CompletableFuture<Boolean>> sent = new ArrayList<>(commands.size());
        for (Release command : commands) {
            sent.add(release(command));
        }
        List<Release.Reply> replies = new ArrayList<>(commands.size());
        for (CompletableFuture<Boolean> each : sent) {
            boolean released = Answers.await(each, deadline);
            replies.add(new Release.Reply(stamp(), released));
        }
        return replies;
    }

    private CompletableFuture<Boolean> release(Release command) {
        command.number().value();
        Attempt own = attempts.find(command.resource().name(), command.attempt());
        if (own == null) {
            return server.prove(List.of()).thenApply(proved -> false);
        }
        if (own.isHeld() && !own.isHeld(command.token())) {
            return server.prove(List.of()).thenApply(proved -> false);
        }
        boolean held = own.isHeld() || own.isUnanswered();
        CompletableFuture<Boolean> left = sweeps ? remover.sendUntilGone(own) : remover.send(own, false);
        return left.thenApply(was -> held && was);
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        String name = command.resource().name();
        // Drawn although nothing here compares numbers: the client's next attempt must not be one that was undone.
        command.number().value();
        Attempt own = attempts.cancel(name, command.attempt());
        requireSession();
        if (own == null) {
            Answers.await(server.prove(List.of()), deadline);
        } else if (own.noted() != null) {
            Answers.await(remover.send(own, false), deadline);
        } else {
            own.end();
            Answers.await(server.undo(name, config.clientId(), command.attempt()), deadline);
            attempts.remove(own);
            remover.idle(name);
        }
        return stamp();
    }

    // ---- for people ----------------------------------------------------------------------------------------------

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return Answers.await(views.inspect(name), Deadline.in(timeoutNanos));
    }

    @Override
    public List<ResourceView> list(String prefix, int limit, long timeoutNanos) throws StoreFailure {
        return views.list(prefix, limit, Deadline.in(timeoutNanos));
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return new Force(server, name, token, now).run(Deadline.in(timeoutNanos));
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    private void sweep() {
        remover.sweep();
        if (!delays.isEmpty()) {
            long now = clock.getAsLong();
            delays.over(now).forEach(name -> remover.endDelays(name, now));
        }
    }

    /**
     * For tests that move the clock by hand: does what is due, and returns when it is done.
     *
     * @param timeoutNanos time for it
     * @throws StoreFailure if the server did not answer
     */
    public void timePassed(long timeoutNanos) throws StoreFailure {
        sweep();
        remover.settle(Deadline.in(timeoutNanos));
    }

    /**
     * For tests that move the clock by hand: looks at what this client's tickets wait for, and returns when it knows.
     *
     * @param timeoutNanos time for it
     * @throws StoreFailure if the server did not answer
     */
    public void lookAround(long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        for (Attempt own : attempts.all()) {
            if (own.isWaiting()) {
                Answers.await(server.prove(List.of()), deadline);
                apply(own, Answers.await(turnCheck.look(own), deadline));
            }
        }
    }

    @Override
    public void close() {
        remover.close(server.ownsSession());
        if (server.ownsSession()) {
            sweeper.close();
            BoundedClose.run(config.clientId(), server::close);
        } else {
            // What cannot be removed now would stand as long as the application's session: no longer than that.
            Deadline atMost = Deadline.in(2 * server.trust().toNanos());
            sweeper.closeWhen(() -> remover.isDone() || atMost.leftNanos() <= 0, server::close);
        }
    }
}
