package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Joined;
import dev.baton.internal.store.HostClock;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
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
 * The abstract machine over a server that keeps queues of entries.
 *
 * <p>An attempt is a ticket in its name's queue, and becomes a hold once enough entries before it are gone. The server
 * needs to know nothing else: a hand-off happens when an entry is removed. Entries end with the session of their
 * client. Within the session the client's engine ends what is over: it releases a hold whose time has passed, and cancels
 * a ticket that nobody wants any more; {@link Chores} says what is left to this store. All commands of a client go through
 * its one store, which therefore ensures that an attempt is granted at most once: an undone attempt never joins a queue.
 *
 * <p>Thread-safe.
 */
public final class OrderedStore implements Store {
    /**
     * The time of a client.
     *
     * @param clock microseconds
     * @param passesByItself whether the chores are done when they are due; otherwise {@link #timePassed} does them
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
    private final String namespaceId;
    private final List<String> warnings;
    private final StoreConfig config;
    private final LongSupplier clock;
    private final Attempts attempts;
    private final Refusals refusals = new Refusals();
    private final Chores chores;
    private final Deadlines deadlines;
    private final LockDelays delays;
    private final EntryRemover remover;
    private final IdleNames idle;
    private final Proofs proofs;
    private final Views views;
    private final NameNotes notes;
    private final Tickets tickets;
    private final boolean timePasses;

    /**
     * Returns the capabilities of every store that keeps queues of entries.
     *
     * @param store the store's display name
     * @param shortestLease the shortest lease time that it can keep
     * @param session how long a client's session is certain to live after its last answered command
     * @return the capabilities
     */
    public static Capabilities capabilities(String store, Duration shortestLease, Duration session) {
        return Capabilities.builder(store, Capabilities.Reach.NETWORK)
                .shares(true)
                .notes(true)
                .queue(true)
                .push(true)
                .durable(true)
                .tokens(Capabilities.TokenOrder.CONSENSUS)
                .shortestLease(shortestLease)
                .session(session)
                .build();
    }

    /**
     * Creates a store.
     *
     * @param config the client's configuration
     * @param time the clock, and the way in which the store learns that time has passed
     * @param server a connected server that only this store uses; it reports by {@link #sessionEnded} and
     *     {@link #reconnected}
     * @param capabilities the store's present capabilities
     * @param namespaceId the namespace's identity
     * @param warnings messages on unwise settings found when connecting
     */
    public OrderedStore(
            StoreConfig config,
            Time time,
            OrderedServer server,
            Supplier<Capabilities> capabilities,
            String namespaceId,
            List<String> warnings) {
        this.config = config;
        this.server = server;
        this.capabilities = capabilities;
        this.namespaceId = namespaceId;
        this.warnings = List.copyOf(warnings);
        this.clock = time.clock();
        this.timePasses = time.passesByItself();
        LongSupplier wallClock = timePasses ? HostClock::wallMicros : clock;
        this.chores = new Chores(server, config.clientId(), clock, wallClock, !timePasses);
        this.attempts = chores.attempts();
        this.deadlines = chores.deadlines();
        this.delays = chores.delays();
        this.remover = chores.remover();
        this.idle = chores.idle();
        this.proofs = new Proofs(server, clock, !timePasses);
        this.views = new Views(server, attempts, delays, this::stamp);
        this.notes = new NameNotes(server, attempts, this::stamp);
        this.tickets = new Tickets(server, delays, proofs, remover, deadlines, config, clock);
    }

    @Override
    public Capabilities capabilities() {
        return capabilities.get();
    }

    @Override
    public String namespaceId() {
        return namespaceId;
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
     * Called when a session is over: its entries are gone, or will soon be.
     *
     * @param session its identity
     */
    public void sessionEnded(String session) {
        attempts.all().stream().filter(own -> own.isOfSession(session)).forEach(own -> {
            own.end();
            attempts.remove(own);
            idle.add(own.name());
        });
        config.listener().onReconnect();
    }

    /** Called after the connection was lost: changes may have been missed. */
    public void reconnected() {
        attempts.all().forEach(Attempt::doubt);
        config.listener().onReconnect();
    }

    private Stamp stamp() {
        return new Stamp(server.session(), clock.getAsLong(), 0);
    }

    private void requireSession() throws StoreFailure {
        if (server.session().isEmpty()) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNREACHABLE,
                    "there is no session with the server: the client is reconnecting",
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
            Turn verdict = Answers.await(tickets.check(own, joined.line()), deadline);
            while (verdict instanceof Turn.Waits waits && waits.joinsReaders() && !own.queues) {
                verdict = Answers.await(tickets.look(own), deadline);
            }
            return reply(command, own, verdict, joined.line(), deadline);
        } catch (StoreFailure failure) {
            // Even if the server refused a later command, the ticket is in the queue and has to be undone.
            throw failure.effect() == StoreFailure.Effect.UNKNOWN
                    ? failure
                    : new StoreFailure(
                            StoreFailure.Effect.UNKNOWN,
                            failure.reason(),
                            String.valueOf(failure.getMessage()),
                            failure);
        }
    }

    /** Reads the queue before joining it; empty if the resource seems to be free. */
    private Optional<Acquire.Reply> look(Attempt own, Deadline deadline) throws StoreFailure {
        boolean joins = false;
        try {
            List<Entry> line = Answers.await(server.lineNow(own.name()), deadline);
            OrderedView view = new OrderedView(line);
            List<Entry> inTheWay = delays.inTheWay(own.name(), view);
            Optional<Entry> other = view.otherKind(own.label, inTheWay);
            joins = other.isEmpty() && view.hasRoom(own.label) && inTheWay.isEmpty();
            if (joins) {
                return Optional.empty();
            }
            // A read proves nothing.
            CompletableFuture<?> proving = server.prove(List.of());
            Acquire.Reply refused = other.isPresent()
                    ? mismatch(other.get())
                    : view.isUnfit(own.label)
                            ? new Acquire.Unfit(stamp(), own.label.capacity() - view.withheld())
                            : views.held(own, line, remaining(), deadline);
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
            idle.remove(own.name());
            return joined;
        } catch (StoreFailure failure) {
            if (failure.effect() == StoreFailure.Effect.NONE) {
                // The engine will not undo it.
                attempts.remove(own);
            }
            throw failure;
        }
    }

    /** Only a cancel uses up a number, and a cancel may have come while the ticket was in flight. */
    private Joined onJoined(Attempt own, Joined joined) {
        if (own.joined(joined, tickets.presentUntilMicros())) {
            deadlines.watch(own);
        } else {
            remover.begin(own);
        }
        return joined;
    }

    private Acquire.Reply stale(Attempt own, Deadline deadline) throws StoreFailure {
        OrderedView view = new OrderedView(Answers.await(server.lineNow(own.name()), deadline));
        Optional<Entry> other = view.otherKind(own.label, delays.inTheWay(own.name(), view));
        Answers.await(server.prove(List.of()), deadline);
        return other.<Acquire.Reply>map(this::mismatch).orElseGet(() -> new Acquire.Stale(stamp()));
    }

    private Acquire.Reply reply(Acquire command, Attempt own, Turn verdict, List<Entry> line, Deadline deadline)
            throws StoreFailure {
        long now = clock.getAsLong();
        if (verdict instanceof Turn.Holds holds) {
            long until = now + command.leaseMicros();
            if (own.isOfSession(server.session()) && own.hold(holds.token(), until, true, now)) {
                deadlines.watch(own);
                refusals.remove(own.name());
                return new Acquire.Granted(stamp(), holds.token(), until);
            }
            // A watch may have granted it first.
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
        } else if (verdict instanceof Turn.Unfit unfit) {
            Answers.await(remover.send(own, false), deadline);
            return new Acquire.Unfit(stamp(), unfit.permits());
        }
        Answers.await(remover.send(own, false), deadline);
        return new Acquire.Stale(stamp());
    }

    private Acquire.Mismatch mismatch(Entry entry) {
        return new Acquire.Mismatch(stamp(), entry.label().kind(), entry.label().capacity());
    }

    /** Only other clients know how long their holds may stay; without those clients, at most as long as a session. */
    private long remaining() {
        return server.trust().toNanos() / 1_000;
    }

    // ---- heartbeat -----------------------------------------------------------------------------------------------

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        requireSession();
        return new HeartbeatCommand(server, attempts, proofs, tickets, this::stamp, command)
                .answer(Deadline.in(timeoutNanos));
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
        CompletableFuture<Boolean> left = timePasses
                ? remover.releaseUntilGone(own, command.failed(), command.keepMicros())
                : remover.release(own, command.failed(), command.keepMicros());
        return left.thenApply(was -> held && was);
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        String name = command.resource().name();
        // Drawn although this store compares no numbers: the client's next attempt must not have the number of an
        // undone one.
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
            idle.add(name);
        }
        return stamp();
    }

    // ---- for users -----------------------------------------------------------------------------------------------

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return Answers.await(views.inspect(name), Deadline.in(timeoutNanos));
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        return views.list(prefix, after, limit, Deadline.in(timeoutNanos));
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return new Force(server, name, token, now).run(Deadline.in(timeoutNanos));
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        requireSession();
        try {
            return new Withholding(server, delays, config.clientId(), semaphore).set(weight, Deadline.in(timeoutNanos));
        } finally {
            idle.add(semaphore.name());
        }
    }

    // ---- notes ---------------------------------------------------------------------------------------------------

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        requireSession();
        return notes.read(name, Deadline.in(timeoutNanos));
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        requireSession();
        return notes.write(command, Deadline.in(timeoutNanos));
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        requireSession();
        return notes.restore(Deadline.in(timeoutNanos));
    }

    @Override
    public WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        requireSession();
        return notes.forget(name, Deadline.in(timeoutNanos));
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    /**
     * Does the due work and waits for its end, for tests that move the clock by hand.
     *
     * @param timeoutNanos the longest wait
     * @throws StoreFailure if the server did not answer
     */
    public void timePassed(long timeoutNanos) throws StoreFailure {
        chores.run();
        remover.settle(Deadline.in(timeoutNanos));
    }

    /**
     * Returns when the next entry may be overdue, for tests that move the clock by hand.
     *
     * @return microseconds on this store's clock
     */
    public long nextDeadlineMicros() {
        return deadlines.nextMicros();
    }

    /**
     * Returns whether a lock-delay may begin at {@link #nextDeadlineMicros}, for tests that move the clock by hand.
     *
     * @return true if the entry has one
     */
    public boolean isNextDelaying() {
        return deadlines.isNextDelaying();
    }

    /**
     * Checks the turns of this client's tickets, for tests that move the clock by hand.
     *
     * @param timeoutNanos the longest wait
     * @return how many of them still wait
     * @throws StoreFailure if the server did not answer
     */
    public int lookAround(long timeoutNanos) throws StoreFailure {
        Deadline deadline = Deadline.in(timeoutNanos);
        int waiting = 0;
        for (Attempt own : attempts.all()) {
            if (own.isWaiting()) {
                Answers.await(server.prove(List.of()), deadline);
                tickets.apply(own, Answers.await(tickets.look(own), deadline));
                waiting += own.isWaiting() ? 1 : 0;
            }
        }
        return waiting;
    }

    @Override
    public void close() {
        if (server.ownsSession()) {
            idle.tidyAll();
            chores.close();
            BoundedClose.run(config.clientId(), server::close);
        } else {
            // Entries that cannot be removed now would stay as long as the application's session, so removal is
            // retried, within a time limit.
            remover.removeAll();
            idle.tidyAll();
            Deadline atMost = Deadline.in(2 * server.trust().toNanos());
            chores.closeWhen(() -> remover.isDone() || atMost.leftNanos() <= 0, server::close);
        }
    }
}
