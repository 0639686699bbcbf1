package dev.baton.spi;

import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The abstract machine for one resource, in plain Java: the definition that every store is compared with.
 *
 * <p>State: holds, a queue of tickets first come first served, and a time before which nothing is granted (the
 * lock-delay after a holder failed). Every command first <em>advances</em> the resource: it drops holds and tickets
 * whose time is over and grants the head of the queue while it fits, so whoever comes by heals it. A grant to the
 * caller of {@link #acquire} has its full lease; a grant to the queue stands for the claim window until its first
 * heartbeat.
 *
 * <p>The rules that live here were each broken by a model checker where they were missing: an attempt is granted at
 * most once ({@link Ledger#isFinished}); a release or cancel purges ticket and hold of its attempt alike; a hold is
 * freed by attempt <em>and</em> token; in a grace period nothing is granted and named holds are put back, except by a
 * heartbeat that is older than the client's last release or cancel; outside one a missing hold is never re-created.
 *
 * <p>A store may keep this state as it likes (a script, SQL, nodes), or load it, run a command here and write it back
 * inside a transaction. Not thread-safe.
 *
 * @since 0.1
 */
public final class ResourceState {

    private Resource resource;
    private final Timings timings;
    private final List<Hold> holds;
    private final List<Ticket> tickets;
    private long notBeforeMicros;

    /**
     * A resource nobody holds or waits for.
     *
     * @param resource what it is
     * @param timings the namespace's times
     */
    public ResourceState(Resource resource, Timings timings) {
        this(resource, timings, 0, List.of(), List.of());
    }

    /**
     * A resource as it was recorded.
     *
     * @param resource what it is
     * @param timings the namespace's times
     * @param notBeforeMicros end of a lock-delay, or anything in the past
     * @param holds its holds
     * @param tickets its queue, head first
     */
    public ResourceState(
            Resource resource, Timings timings, long notBeforeMicros, List<Hold> holds, List<Ticket> tickets) {
        this.resource = resource;
        this.timings = timings;
        this.notBeforeMicros = notBeforeMicros;
        this.holds = new ArrayList<>(holds);
        this.tickets = new ArrayList<>(tickets);
    }

    /**
     * An independent copy.
     *
     * @return the copy
     */
    public ResourceState copy() {
        return new ResourceState(resource, timings, notBeforeMicros, holds, tickets);
    }

    /**
     * What it is.
     *
     * @return name, kind and capacity
     */
    public Resource resource() {
        return resource;
    }

    /**
     * Present holds.
     *
     * @return a copy
     */
    public List<Hold> holds() {
        return List.copyOf(holds);
    }

    /**
     * The queue.
     *
     * @return a copy, head first
     */
    public List<Ticket> tickets() {
        return List.copyOf(tickets);
    }

    /**
     * End of the last lock-delay.
     *
     * @return microseconds on the store's clock; in the past where none is on
     */
    public long notBeforeMicros() {
        return notBeforeMicros;
    }

    /**
     * Whether nothing needs to be remembered.
     *
     * @param nowMicros the store's clock
     * @return true if there is no hold, no ticket and no lock-delay
     */
    public boolean isIdle(long nowMicros) {
        return holds.isEmpty() && tickets.isEmpty() && notBeforeMicros <= nowMicros;
    }

    /**
     * Whether nothing here can matter any more, though nobody has come to advance it.
     *
     * @param nowMicros the store's clock
     * @return true if all holds, tickets and lock-delays are over
     */
    public boolean isOver(long nowMicros) {
        return notBeforeMicros <= nowMicros
                && holds.stream().allMatch(hold -> hold.deadlineMicros() + hold.lockDelayMicros() <= nowMicros)
                && tickets.stream().allMatch(ticket -> ticket.presentUntilMicros() <= nowMicros);
    }

    /**
     * Drops what is dead and grants the head of the queue while it fits.
     *
     * @param ledger the moment
     */
    public void advance(Ledger ledger) {
        long now = ledger.stamp().nowMicros();
        for (Iterator<Hold> each = holds.iterator(); each.hasNext(); ) {
            Hold hold = each.next();
            if (hold.deadlineMicros() <= now) {
                each.remove();
                if (hold.lockDelayMicros() > 0) {
                    notBeforeMicros = Math.max(notBeforeMicros, hold.deadlineMicros() + hold.lockDelayMicros());
                }
            }
        }
        tickets.removeIf(ticket -> ticket.presentUntilMicros() <= now);
        while (!tickets.isEmpty() && hasRoom(tickets.get(0).weight(), ledger)) {
            Ticket head = tickets.remove(0);
            Hold hold = grant(
                    head.client(),
                    head.attempt(),
                    head.weight(),
                    now + timings.claimMicros(),
                    head.lockDelayMicros(),
                    false,
                    head.description(),
                    ledger);
            ledger.handedOff(resource, hold, head.secret());
        }
    }

    /**
     * Works on an acquire.
     *
     * @param client who asks
     * @param command what is asked
     * @param ledger the moment
     * @return the answer
     */
    public Acquire.Reply acquire(String client, Acquire command, Ledger ledger) {
        advance(ledger);
        Stamp stamp = ledger.stamp();
        if (isIdle(stamp.nowMicros())) {
            // What was left has just died: the name stands for what is asked now.
            resource = command.resource();
        } else if (!resource.equals(command.resource())) {
            return new Acquire.Mismatch(stamp, resource.kind(), resource.capacity());
        }
        long attempt = command.attempt().value();
        Hold held = findHold(client, attempt);
        if (held != null) {
            return held.revoked()
                    ? new Acquire.Stale(stamp)
                    : new Acquire.Granted(stamp, held.token(), held.deadlineMicros());
        }
        int position = positionOf(client, attempt);
        if (position >= 0) {
            showPresence(position, stamp.nowMicros());
            return queued(stamp, position);
        }
        if (ledger.isFinished(client, attempt)) {
            return new Acquire.Stale(stamp);
        }
        if (tickets.isEmpty() && hasRoom(command.weight(), ledger)) {
            long deadline = stamp.nowMicros() + command.leaseMicros();
            Hold hold = grant(
                    client,
                    attempt,
                    command.weight(),
                    deadline,
                    command.lockDelayMicros(),
                    true,
                    command.description(),
                    ledger);
            return new Acquire.Granted(stamp, hold.token(), deadline);
        }
        return command.mode() == Acquire.Mode.QUEUE ? enqueue(client, command, stamp) : refuse(stamp);
    }

    /**
     * Works on one hold of a heartbeat.
     *
     * @param client who sends it
     * @param named the hold it names
     * @param number the heartbeat's number
     * @param ledger the moment
     * @return the answer
     */
    public Heartbeat.HoldReply heartbeat(String client, Heartbeat.Hold named, long number, Ledger ledger) {
        advance(ledger);
        long now = ledger.stamp().nowMicros();
        int at = indexOfHold(client, named.attempt(), named.token());
        if (at >= 0) {
            Hold hold = holds.get(at);
            if (hold.revoked()) {
                return new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
            }
            boolean starts = named.extend() || !hold.claimed();
            // Never shortens: a late heartbeat would cut what its client already believes in.
            long wished = starts ? now + named.leaseMicros() : 0;
            Hold kept = hold.claimedUntil(Math.max(hold.deadlineMicros(), wished), named.description());
            holds.set(at, kept);
            return new Heartbeat.Renewed(kept.deadlineMicros(), !tickets.isEmpty());
        }
        return isGrace(ledger) ? reclaim(client, named, number, ledger) : new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
    }

    /**
     * Works on one ticket of a heartbeat.
     *
     * @param client who sends it
     * @param attempt the attempt that queues
     * @param ledger the moment
     * @return the answer
     */
    public Heartbeat.TicketReply heartbeat(String client, long attempt, Ledger ledger) {
        advance(ledger);
        Hold hold = findHold(client, attempt);
        if (hold != null && !hold.revoked()) {
            return new Heartbeat.TicketGranted(hold.token(), hold.deadlineMicros());
        }
        int position = positionOf(client, attempt);
        if (position < 0) {
            return new Heartbeat.Gone();
        }
        showPresence(position, ledger.stamp().nowMicros());
        return new Heartbeat.Waiting(position, remaining(ledger.stamp().nowMicros()));
    }

    /**
     * Works on a release.
     *
     * @param client who releases
     * @param command what is released
     * @param ledger the moment
     * @return whether it was held
     */
    public boolean release(String client, Release command, Ledger ledger) {
        advance(ledger);
        ledger.recordEnd(client, command.attempt(), command.number().value());
        tickets.removeIf(ticket -> ticket.is(client, command.attempt()));
        int at = indexOfHold(client, command.attempt(), command.token());
        if (at >= 0) {
            holds.remove(at);
        }
        advance(ledger);
        return at >= 0;
    }

    /**
     * Works on a cancel.
     *
     * @param client who cancels
     * @param command what is undone
     * @param ledger the moment
     */
    public void cancel(String client, Cancel command, Ledger ledger) {
        ledger.recordEnd(client, command.attempt(), command.number().value());
        holds.removeIf(hold -> hold.is(client, command.attempt()));
        tickets.removeIf(ticket -> ticket.is(client, command.attempt()));
        advance(ledger);
    }

    /**
     * Takes holds away by force.
     *
     * @param token the store token of the holds to revoke
     * @param immediately whether to free them at once
     * @param ledger the moment
     * @return whether there was one
     */
    public boolean forceRelease(long token, boolean immediately, Ledger ledger) {
        advance(ledger);
        boolean found = holds.stream().anyMatch(hold -> hold.token() == token);
        if (immediately) {
            holds.removeIf(hold -> hold.token() == token);
        } else {
            holds.replaceAll(hold -> hold.token() == token ? hold.asRevoked() : hold);
        }
        advance(ledger);
        return found;
    }

    /**
     * The state for people, without advancing it: what is dead is left out.
     *
     * @param stamp server and time
     * @return the view, or empty where nothing is alive
     */
    public Optional<ResourceView> view(Stamp stamp) {
        List<Hold> liveHolds = holds.stream()
                .filter(hold -> hold.deadlineMicros() > stamp.nowMicros())
                .toList();
        List<Ticket> liveTickets = tickets.stream()
                .filter(ticket -> ticket.presentUntilMicros() > stamp.nowMicros())
                .map(Ticket::withoutSecret)
                .toList();
        return liveHolds.isEmpty() && liveTickets.isEmpty()
                ? Optional.empty()
                : Optional.of(new ResourceView(resource, stamp, liveHolds, liveTickets));
    }

    private static boolean isGrace(Ledger ledger) {
        return ledger.stamp().graceMicros() > 0;
    }

    private boolean hasRoom(int weight, Ledger ledger) {
        return !isGrace(ledger)
                && notBeforeMicros <= ledger.stamp().nowMicros()
                && used() + weight <= resource.capacity();
    }

    /** A long: a reclaim may over-commit, and two writers of a read-write lock would overflow an int. */
    private long used() {
        return holds.stream().mapToLong(Hold::weight).sum();
    }

    private Hold grant(
            String client,
            long attempt,
            int weight,
            long deadline,
            long lockDelay,
            boolean claimed,
            String description,
            Ledger ledger) {
        Hold hold = new Hold(
                client, attempt, weight, tokenFor(weight, ledger), deadline, lockDelay, claimed, false, description);
        holds.add(hold);
        ledger.recordGrant(client, attempt);
        return hold;
    }

    /** Readers that hold together share one token, drawn by the first of them; all others get their own. */
    private long tokenFor(int weight, Ledger ledger) {
        boolean joinsReaders = resource.kind() == Kind.READ_WRITE && weight < resource.capacity() && !holds.isEmpty();
        return joinsReaders ? holds.stream().mapToLong(Hold::token).max().getAsLong() : ledger.nextToken();
    }

    private Acquire.Reply enqueue(String client, Acquire command, Stamp stamp) {
        tickets.add(new Ticket(
                client,
                command.attempt().value(),
                command.weight(),
                command.lockDelayMicros(),
                stamp.nowMicros() + timings.presenceMicros(),
                command.description(),
                command.secret()));
        return queued(stamp, tickets.size() - 1);
    }

    private Acquire.Queued queued(Stamp stamp, int position) {
        return new Acquire.Queued(stamp, position, remaining(stamp.nowMicros()));
    }

    private Acquire.Reply refuse(Stamp stamp) {
        return stamp.graceMicros() > 0
                ? new Acquire.Recovering(stamp)
                : new Acquire.Held(
                        stamp,
                        holds.stream().map(Hold::description).toList(),
                        remaining(stamp.nowMicros()),
                        tickets.size());
    }

    private long remaining(long now) {
        long latest = holds.stream().mapToLong(Hold::deadlineMicros).max().orElse(notBeforeMicros);
        return Math.max(0, latest - now);
    }

    private Heartbeat.HoldReply reclaim(String client, Heartbeat.Hold named, long number, Ledger ledger) {
        if (ledger.isOutdated(client, number)) {
            return new Heartbeat.AskAgain();
        }
        if (resource.capacity() == 1) {
            // The larger token is the later grant. For a larger capacity order says nothing: over-commit drains.
            if (holds.stream().anyMatch(hold -> hold.token() >= named.token())) {
                return new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
            }
            holds.clear();
        }
        // The grant was forgotten, its ticket may not have been: left in the queue it would be granted a second time.
        tickets.removeIf(ticket -> ticket.is(client, named.attempt()));
        long deadline = ledger.stamp().nowMicros() + named.leaseMicros();
        holds.add(new Hold(
                client,
                named.attempt(),
                named.weight(),
                named.token(),
                deadline,
                named.lockDelayMicros(),
                true,
                false,
                named.description()));
        ledger.raiseHighWater(named.token());
        ledger.recordGrant(client, named.attempt());
        return new Heartbeat.Renewed(deadline, !tickets.isEmpty());
    }

    private void showPresence(int position, long now) {
        tickets.set(position, tickets.get(position).presentUntil(now + timings.presenceMicros()));
    }

    private @Nullable Hold findHold(String client, long attempt) {
        for (Hold hold : holds) {
            if (hold.is(client, attempt)) {
                return hold;
            }
        }
        return null;
    }

    private int indexOfHold(String client, long attempt, long token) {
        for (int i = 0; i < holds.size(); i++) {
            if (holds.get(i).is(client, attempt) && holds.get(i).token() == token) {
                return i;
            }
        }
        return -1;
    }

    private int positionOf(String client, long attempt) {
        for (int i = 0; i < tickets.size(); i++) {
            if (tickets.get(i).is(client, attempt)) {
                return i;
            }
        }
        return -1;
    }
}
