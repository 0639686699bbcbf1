package dev.baton.internal.engine;

import dev.baton.BatonEvent;
import dev.baton.BatonListener;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One client's engine: takes events from callers, answers, pushes and the timer to the resource that they are for, by
 * its name. It has a {@link LocalResource} for every name that is held or waited for; an idle one is forgotten.
 *
 * <p>An event reads the monotonic clock once and takes one resource's lock. Everything that follows from it goes into an
 * {@link Outbox}, which the caller flushes after the lock is released. Thread-safe.
 */
public final class Engine {
    /** More than clocks are slewed between two reads, and less than any lease. */
    private static final long SLEPT_MILLIS = 50;

    final Surroundings around;

    private final PassingOn policy;
    private final Map<String, LocalResource> resources = new ConcurrentHashMap<>();
    private final AtomicLong wallLeadMillis;

    /**
     * Creates an engine.
     *
     * @param settings the client's settings
     * @param clock the client's clocks
     * @param random 0 to 1, for jitter
     * @param secrets unguessable random numbers, one for each ticket
     * @param listener receives events; null for none
     */
    public Engine(
            EngineSettings settings,
            Clock clock,
            DoubleSupplier random,
            LongSupplier secrets,
            @Nullable BatonListener listener) {
        this.around = new Surroundings(settings, clock, random, secrets, new Reports(listener));
        this.policy = new PassingOn(around);
        this.wallLeadMillis = new AtomicLong(wallLead());
    }

    private long now() {
        return around.clock().nanos();
    }

    // ---- to the resource -----------------------------------------------------------------------------------------

    private LocalResource enter(Resource id) {
        while (true) {
            LocalResource found = resources.get(id.name());
            if (found == null) {
                found = resources.computeIfAbsent(id.name(), name -> new LocalResource(around, policy, id));
            }
            if (found.enter()) {
                return found;
            }
            resources.remove(id.name(), found);
        }
    }

    private void leave(LocalResource resource) {
        if (resource.leave()) {
            resources.remove(resource.name(), resource);
        }
    }

    private <T extends @Nullable Object> T at(Resource id, long now, Outbox out, Function<LocalResource, T> event) {
        LocalResource resource = enter(id);
        try {
            T result = event.apply(resource);
            resource.proceed(now, out);
            return result;
        } finally {
            leave(resource);
        }
    }

    private void atPresent(@Nullable LocalResource resource, long now, Outbox out, Consumer<LocalResource> event) {
        if (resource == null || !resource.enter()) {
            return;
        }
        try {
            event.accept(resource);
            resource.proceed(now, out);
        } finally {
            leave(resource);
        }
    }

    /** Takes an event to a resource, if it still has any state. */
    private void atPresent(String name, long now, Outbox out, Consumer<LocalResource> event) {
        atPresent(resources.get(name), now, out, event);
    }

    // ---- callers -------------------------------------------------------------------------------------------------

    /** Takes a caller that asks for a resource. */
    public void acquire(Resource id, Waiter waiter, Outbox out) {
        requireOpen();
        long now = now();
        // As at() does it, but without an object for each request.
        LocalResource resource = enter(id);
        try {
            resource.acquire(id, waiter, now, out);
            resource.proceed(now, out);
        } finally {
            leave(resource);
        }
    }

    /** Refuses requests of a client that is closed. */
    public void requireOpen() {
        if (around.isClosed()) {
            throw around.closedException();
        }
    }

    /** Removes a caller whose time is over or that was cancelled; no effect if it has its outcome already. */
    public void giveUp(Waiter waiter, BatonEvent.Reason reason, Outbox out) {
        Resource asked = waiter.asked;
        if (asked != null) {
            long now = now();
            atPresent(asked.name(), now, out, resource -> resource.giveUp(waiter, reason, now, out));
        }
    }

    /**
     * Releases a lock.
     *
     * @param releasing receives the outcome once the store has answered, and says how long the lock is kept
     * @param out receives the command, if one is needed
     * @return the outcome if the store need not be asked, or null
     */
    public @Nullable ReleaseOutcome release(Grant grant, Releasing releasing, Outbox out) {
        long now = now();
        return at(grant.resource(), now, out, resource -> resource.release(grant, releasing, now, out));
    }

    /**
     * Asks the store for a longer deadline, within {@code maxHold}.
     *
     * @param atLeastNanos how long from now
     * @return the command to send, or null if there is nothing to ask: enough time is left already, or the grant is
     *     lost
     */
    public @Nullable Command extend(Grant grant, long atLeastNanos, Outbox out) {
        long now = now();
        return at(grant.resource(), now, out, resource -> resource.extend(grant, atLeastNanos, now));
    }

    /**
     * Returns a command that writes the note of a held name.
     *
     * @param bytes the note
     * @return the command to send, or null if the grant is not held
     */
    public Command.@Nullable Write write(Grant grant, byte[] bytes, Outbox out) {
        return at(grant.resource(), now(), out, resource -> resource.write(grant, bytes));
    }

    /** Returns an action that stops offering a removed note to a store that may have forgotten it; for after the removal. */
    public Runnable forgettingNote(String name) {
        return around.keptNotes().forgetting(name);
    }

    /** Returns a command that asks the store whether it is held, for a caller that cannot go on without the answer. */
    public Command confirmation(Grant grant, Outbox out) {
        return at(grant.resource(), now(), out, resource -> resource.confirmation(grant));
    }

    /** Has the store asked about a grant whose two clocks disagree. */
    public void confirmSoon(Grant grant, Outbox out) {
        atPresent(grant.name(), now(), out, resource -> resource.confirmSoon(grant));
    }

    /**
     * Returns why a grant was lost, even if it ended just now and no timer has noticed yet; null if it was not.
     *
     * @param out receives the actions that follow from the loss
     */
    public @Nullable LossCause lossNow(Grant grant, Outbox out) {
        if (grant.isOpen() && !grant.isHeld()) {
            long now = now();
            atPresent(grant.name(), now, out, resource -> resource.loseWhatIsOver(now, out));
        }
        return grant.loss();
    }

    /**
     * Registers an action for the loss of a grant; calls it at once if the grant is lost already.
     *
     * @param out receives the call
     */
    public void onLoss(Grant grant, Consumer<LossCause> action, Outbox out) {
        long now = now();
        at(grant.resource(), now, out, resource -> {
            resource.addLossAction(grant, action, now, out);
            return resource;
        });
    }

    /**
     * Begins to use a grant that was one of several until now.
     *
     * @param atLeastNanos for how long from now its resource is kept, even if it is released sooner; 0 for none
     * @return false if it has ended already
     */
    public boolean begin(Grant grant, long atLeastNanos, Outbox out) {
        long now = now();
        // Under the resource's lock, so that it cannot be lost between the look and the change.
        return at(grant.resource(), now, out, resource -> grant.begin(atLeastNanos, now));
    }

    /** Lets the loss of a grant interrupt the thread that acquired it, from now on; one that has ended interrupts nobody. */
    public void interruptOnLoss(Grant grant, Outbox out) {
        at(grant.resource(), now(), out, resource -> {
            grant.interruptOnLoss();
            return true;
        });
    }

    /**
     * Makes a reader of the writer of a read-write lock.
     *
     * @param grant a writer's
     * @param out receives the heartbeat that tells the store
     * @return false if it has ended already
     */
    public boolean downgrade(Grant grant, Outbox out) {
        long now = now();
        return at(grant.resource(), now, out, resource -> resource.downgrade(grant, now, out));
    }

    /** Handles that the user's handle became unreachable without a release. */
    public void abandoned(Grant grant, Outbox out) {
        long now = now();
        atPresent(grant.name(), now, out, resource -> resource.abandon(grant, now, out));
    }

    /** Ends the local hold of a name as if its time were over. Only for the published test store. */
    public void expire(String name, Outbox out) {
        long now = now();
        atPresent(name, now, out, resource -> resource.expire(now, out));
    }

    /** Returns whether a thread has a lease of a name that it acquired itself. */
    public boolean holds(Thread thread, String name) {
        LocalResource resource = resources.get(name);
        if (resource == null || !resource.enter()) {
            return false;
        }
        try {
            return resource.isHeldBy(thread);
        } finally {
            leave(resource);
        }
    }

    /** Tells the client's listener of an event that is not of this engine. */
    public void report(BatonEvent event, Outbox out) {
        around.reports().event(event, out);
    }

    // ---- commands and their answers ------------------------------------------------------------------------------

    /** Records the time of sending. Must be called before the store is called, because belief counts from this time. */
    public void sending(Command command) {
        long now = now();
        if (!command.isSent() && command.leavesTimeToAnswer()) {
            around.outage().sent(now);
        }
        command.sentAt(now, around.clock().wallMillis());
    }

    /** Takes a command's answer. */
    public void answered(Command command, Object reply, Outbox out) {
        long now = now();
        if (command instanceof Command.Ask ask) {
            Acquire.Reply answer = (Acquire.Reply) reply;
            Belief.Sync sync = synced(ask, answer.stamp(), now, out);
            atPresent(
                    ask.resource().name(), now, out, resource -> resource.onAcquireReply(ask, answer, sync, now, out));
        } else if (command instanceof Command.Free free) {
            Release.Reply answer = (Release.Reply) reply;
            synced(free, answer.stamp(), now, out);
            returned(free, answer.released() ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD, out);
            atPresent(free.release.resource().name(), now, out, resource -> resource.onFreed(free, now));
        } else if (command instanceof Command.Undo undo) {
            synced(undo, (Stamp) reply, now, out);
            atPresent(undo.cancel.resource().name(), now, out, resource -> resource.onFreed(undo, now));
        } else if (command instanceof Command.Beat beat) {
            beatAnswered(beat, (Heartbeat.Reply) reply, now, out);
        } else if (command instanceof Command.Write write) {
            writeAnswered(write, (WriteNote.Reply) reply, now, out);
        } else if (command instanceof Command.Restore restore) {
            synced(restore, ((WriteNote.Reply) reply).stamp(), now, out);
            around.keptNotes().answered(restore, now);
        } else {
            around.outage().asked("");
            synced(command, (Stamp) reply, now, out);
        }
    }

    private void beatAnswered(Command.Beat beat, Heartbeat.Reply reply, long now, Outbox out) {
        Belief.Sync sync = synced(beat, reply.stamp(), reply.fromMemory(), now, out);
        Command.Beat.Extending extending = beat.extending;
        if (extending != null) {
            Grant grant = extending.grant();
            long until = sync.sentNanos() + extending.atLeastNanos();
            at(grant.resource(), now, out, resource -> {
                resource.extended(grant, until, out);
                return resource;
            });
        }
        each(
                beat.heartbeat.holds(),
                reply.holds(),
                (hold, answer) -> at(hold.resource(), now, out, resource -> {
                    resource.onHoldReply(hold, answer, sync, now, out);
                    return resource;
                }));
        each(
                beat.heartbeat.tickets(),
                reply.tickets(),
                (ticket, answer) -> atPresent(
                        ticket.resource().name(),
                        now,
                        out,
                        resource -> resource.onTicketReply(ticket, answer, sync, now, out)));
    }

    private void writeAnswered(Command.Write write, WriteNote.Reply reply, long now, Outbox out) {
        synced(write, reply.stamp(), now, out);
        write.settle(reply);
        String name = write.name();
        if (write.isWritten()) {
            around.keptNotes().written(name, write.write.note(), write.sentNanos());
            atPresent(name, now, out, resource -> resource.written(write.write));
        } else {
            // The hold may be over, or the store may not have heard of it yet.
            atPresent(name, now, out, LocalResource::askAgain);
        }
    }

    private static <Q, A> void each(List<Q> questions, List<A> answers, BiConsumer<Q, A> action) {
        for (int i = 0; i < questions.size(); i++) {
            action.accept(questions.get(i), answers.get(i));
        }
    }

    /** Takes a command's failure. */
    public void failed(Command command, StoreFailure failure, Outbox out) {
        long now = now();
        if (command.isSent()) {
            noteFailure(command, now);
        }
        if (command instanceof Command.Ask ask) {
            atPresent(ask.resource().name(), now, out, resource -> resource.onAcquireFailed(ask, failure, now, out));
        } else if (command instanceof Command.Free free) {
            returned(free, ReleaseOutcome.UNKNOWN, out);
            String name = free.release.resource().name();
            atPresent(name, now, out, resource -> resource.onUndoFailed(free, failure, now, out));
        } else if (command instanceof Command.Undo undo) {
            String name = undo.cancel.resource().name();
            atPresent(name, now, out, resource -> resource.onUndoFailed(undo, failure, now, out));
        } else if (command instanceof Command.Beat beat) {
            beatFailed(beat, failure, now, out);
        } else if (command instanceof Command.Restore restore) {
            around.keptNotes().failed(restore, now);
        } else if (command instanceof Command.Ping) {
            String message = failure.getMessage();
            around.outage().asked(message == null ? failure.toString() : message);
        }
    }

    private void noteFailure(Command command, long now) {
        if (command.leavesTimeToAnswer()) {
            around.outage().ended();
        } else if (!command.ranOutOfHurry(now)) {
            around.outage().refused(command.sentNanos());
        }
    }

    private void beatFailed(Command.Beat beat, StoreFailure failure, long now, Outbox out) {
        for (Heartbeat.Hold hold : beat.heartbeat.holds()) {
            String name = hold.resource().name();
            atPresent(name, now, out, resource -> resource.onHoldBeatFailed(hold.attempt(), now, out));
        }
        for (Heartbeat.Ticket ticket : beat.heartbeat.tickets()) {
            String name = ticket.resource().name();
            atPresent(name, now, out, resource -> resource.onTicketBeatFailed(ticket.attempt(), failure, now, out));
        }
    }

    private void returned(Command.Free free, ReleaseOutcome outcome, Outbox out) {
        around.strays().returned(free.release);
        Releasing releasing = free.releasing;
        if (releasing != null) {
            releasing.settle(outcome);
            CompletableFuture<ReleaseOutcome> future = releasing.future();
            if (future != null) {
                out.call(Driver.Kind.COMPLETION, () -> future.complete(outcome));
            }
        }
    }

    /** Records an answer. If it came from another server than before, asks that server about everything it has. */
    private Belief.Sync synced(Command command, Stamp stamp, long now, Outbox out) {
        return synced(command, stamp, false, now, out);
    }

    private Belief.Sync synced(Command command, Stamp stamp, boolean fromMemory, long now, Outbox out) {
        Belief.Sync sync = command.answeredAs(stamp);
        if (command.leavesTimeToAnswer()) {
            around.outage().ended();
        }
        if (fromMemory) {
            around.outage().notAsked(sync.sentNanos(), now);
        }
        String name = command.name();
        if (name == null) {
            around.outage().answered(sync.sentNanos(), now, now, out);
        } else {
            int shard = around.settings().shardOf(name);
            ShardAnswers answers = around.answersOf(shard);
            long given = answers.givenNanos(sync, now);
            if (!fromMemory) {
                around.outage().answered(sync.sentNanos(), given, now, out);
            }
            around.gracePeriods().answered(command, stamp.graceMicros(), given, now, out);
            if (answers.record(sync)) {
                around.keptNotes().offerSoon(now);
                askAgain(each -> around.settings().shardOf(each) == shard, now, out);
            }
        }
        return sync;
    }

    // ---- the store speaks ----------------------------------------------------------------------------------------

    /** Takes a grant that the store pushed. */
    public void onPush(Push push, Outbox out) {
        long now = now();
        atPresent(push.name(), now, out, resource -> resource.onPush(push, now, out));
    }

    /** Asks about everything at once, because pushes may have been missed or the server is another one. */
    public void askAgain(Outbox out) {
        long now = now();
        around.keptNotes().offerSoon(now);
        askAgain(name -> true, now, out);
    }

    private void askAgain(Predicate<String> names, long now, Outbox out) {
        for (LocalResource each : resources.values()) {
            if (names.test(each.name())) {
                atPresent(each, now, out, LocalResource::askAgain);
            }
        }
    }

    /** Asks about one name at once, because this client changed the name's hold at the store. */
    public void askAgain(String name, Outbox out) {
        long now = now();
        atPresent(name, now, out, LocalResource::askAgain);
    }

    /** Returns how many pushes were ignored because they did not repeat the secret of their ticket. */
    public long forgedPushes() {
        return around.forgedPushes();
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    /**
     * Checks whether the machine slept, whether the store has fallen silent, and whether its grace period is over, and
     * offers the store the notes that it may have forgotten. Must be called a few times a second.
     */
    public void look(Outbox out) {
        lookAtClocks(out);
        long now = now();
        around.outage().look(now, out);
        around.gracePeriods().look(now, out);
        around.keptNotes().look(now, out);
    }

    /**
     * Compares the two clocks. If the wall clock has run ahead, the machine slept or the clock was set: the engine
     * confirms everything at once, because monotonic timers do not count the time in between.
     */
    private void lookAtClocks(Outbox out) {
        long lead = wallLead();
        if (lead - wallLeadMillis.getAndSet(lead) > SLEPT_MILLIS) {
            askAgain(out);
        }
    }

    private long wallLead() {
        return around.clock().wallMillis() - now() / 1_000_000;
    }

    /** Does the work that is due: renews, confirms, polls, reports losses, and resumes paused requests. */
    public void tick(Outbox out) {
        look(out);
        long now = now();
        HeartbeatBatch batch = new HeartbeatBatch(around, out);
        for (LocalResource each : resources.values()) {
            tick(each, now, batch, out);
        }
        batch.send();
    }

    /** A defect in one resource must not keep the others from being renewed. */
    private void tick(LocalResource each, long now, HeartbeatBatch batch, Outbox out) {
        try {
            atPresent(each, now, out, resource -> resource.tick(now, batch, out));
        } catch (Throwable defect) {
            around.reports().defect(each.name(), defect, out);
            out.wakeAt(now + EngineSettings.RETRY_MAX_NANOS);
        }
    }

    // ---- counts --------------------------------------------------------------------------------------------------

    /** Returns how many grants are held here. */
    public int heldLeases() {
        return sum(LocalResource::heldLeases);
    }

    /** Returns how many callers wait here. */
    public int waitingCallers() {
        return sum(LocalResource::waitingCallers);
    }

    private int sum(ToIntFunction<LocalResource> count) {
        int sum = 0;
        for (LocalResource each : resources.values()) {
            if (each.enter()) {
                try {
                    sum += count.applyAsInt(each);
                } finally {
                    leave(each);
                }
            }
        }
        return sum;
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    /** Fails all waiters, loses all holds, and returns the holds and attempts to end at the store. */
    public Closing close(Outbox out) {
        around.close();
        long now = now();
        Closing closing = new Closing();
        for (LocalResource each : resources.values()) {
            atPresent(each, now, out, resource -> resource.close(closing, now, out));
        }
        around.strays().forEach(closing::release);
        return closing;
    }

    /** Returns the number of names with any state here, for the residue checks. */
    public int size() {
        return resources.size();
    }
}
