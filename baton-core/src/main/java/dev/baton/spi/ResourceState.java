package dev.baton.spi;

import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The abstract machine for one resource, in plain Java: the reference for every store.
 *
 * <p>State: holds, a first-come-first-served queue of tickets, and a time before which nothing is granted (the
 * lock-delay after a holder failed, or the time for which the last holder kept it after its release). Every command
 * first <em>advances</em> the resource: it drops holds and tickets whose time is over, and grants the head of the queue
 * while it fits. A command of any client thus brings the resource up to date. A grant to the caller of {@link #acquire}
 * has its full lease; a grant to a queued ticket lasts for the claim window until its first heartbeat.
 *
 * <p>For each of these rules, a model checker found a violation when the rule was missing: an attempt is granted at
 * most once ({@link Ledger#isFinished}); a release or cancel removes both the ticket and the hold of its attempt; a
 * hold is freed by attempt <em>and</em> token; in a grace period nothing is granted, and a heartbeat restores the holds
 * that it names, unless it is older than the client's last release or cancel; outside a grace period a missing hold is
 * never re-created.
 *
 * <p>A store may implement this machine in its own way (a script, SQL, nodes). It may also load the state, run a
 * command here and write the state back inside a transaction. Not thread-safe.
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
     * Creates a resource without holds or tickets.
     *
     * @param resource name, kind and capacity
     * @param timings the namespace's times
     */
    public ResourceState(Resource resource, Timings timings) {
        this(resource, timings, 0, List.of(), List.of());
    }

    /**
     * Creates a resource as it was recorded.
     *
     * @param resource name, kind and capacity
     * @param timings the namespace's times
     * @param notBeforeMicros end of a lock-delay, or any time in the past
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
     * Returns an independent copy.
     *
     * @return the copy
     */
    public ResourceState copy() {
        return new ResourceState(resource, timings, notBeforeMicros, holds, tickets);
    }

    /**
     * Returns the resource.
     *
     * @return name, kind and capacity
     */
    public Resource resource() {
        return resource;
    }

    /**
     * Returns the present holds.
     *
     * @return a copy
     */
    public List<Hold> holds() {
        return List.copyOf(holds);
    }

    /**
     * Returns the queue.
     *
     * @return a copy, head first
     */
    public List<Ticket> tickets() {
        return List.copyOf(tickets);
    }

    /**
     * Returns the end of the last lock-delay.
     *
     * @return microseconds on the store's clock; in the past if none is on
     */
    public long notBeforeMicros() {
        return notBeforeMicros;
    }

    /**
     * Returns whether the store can forget the resource.
     *
     * @param nowMicros the store's clock
     * @return true if there is no hold, no ticket and no lock-delay
     */
    public boolean isIdle(long nowMicros) {
        return holds.isEmpty() && tickets.isEmpty() && notBeforeMicros <= nowMicros;
    }

    /**
     * Returns whether the resource can have no effect any more, even if no command has advanced it.
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
     * Drops holds and tickets whose time is over, and grants the head of the queue while it fits.
     *
     * @param ledger time and records of this command
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
        while (!tickets.isEmpty() && grants(ledger)) {
            int weight = tickets.get(0).weight();
            if (isUnfit(weight)) {
                // It would keep all others waiting. Its client asks again, and is told.
                tickets.remove(0);
                continue;
            }
            if (!hasRoom(weight, ledger)) {
                break;
            }
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
     * Performs an acquire.
     *
     * @param client the client that asks
     * @param command the hold to acquire
     * @param ledger time and records of this command
     * @return the answer
     */
    public Acquire.Reply acquire(String client, Acquire command, Ledger ledger) {
        advance(ledger);
        Stamp stamp = ledger.stamp();
        if (isIdle(stamp.nowMicros())) {
            // The previous state has just ended: the name now stands for the requested kind and capacity.
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
            showPresence(position, stamp.nowMicros(), command.description());
            return queued(stamp, position);
        }
        if (ledger.isFinished(client, attempt)) {
            return new Acquire.Stale(stamp);
        }
        if (isUnfit(command.weight())) {
            return new Acquire.Unfit(stamp, resource.capacity() - withheld());
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
     * Performs a heartbeat for one hold.
     *
     * @param client the client that sends it
     * @param named the hold that it names
     * @param number the heartbeat's number
     * @param ledger time and records of this command
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
            // Never shortens the hold: a late heartbeat would cut time that its client already believes in.
            long wished = starts ? now + named.leaseMicros() : 0;
            Hold kept = hold.claimedUntil(
                    Math.max(hold.deadlineMicros(), wished),
                    Math.min(hold.weight(), named.weight()),
                    named.description());
            holds.set(at, kept);
            if (kept.weight() < hold.weight()) {
                advance(ledger);
            }
            return new Heartbeat.Renewed(kept.deadlineMicros(), !tickets.isEmpty());
        }
        return isGrace(ledger) ? reclaim(client, named, number, ledger) : new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
    }

    /**
     * Performs a heartbeat for one ticket.
     *
     * @param client the client that sends it
     * @param named the ticket that it names
     * @param ledger time and records of this command
     * @return the answer
     */
    public Heartbeat.TicketReply heartbeat(String client, Heartbeat.Ticket named, Ledger ledger) {
        advance(ledger);
        Hold hold = findHold(client, named.attempt());
        if (hold != null && !hold.revoked()) {
            holds.set(holds.indexOf(hold), hold.describedAs(named.describes(hold.description())));
            return new Heartbeat.TicketGranted(hold.token(), hold.deadlineMicros());
        }
        int position = positionOf(client, named.attempt());
        if (position < 0) {
            return new Heartbeat.Gone();
        }
        String before = tickets.get(position).description();
        showPresence(position, ledger.stamp().nowMicros(), named.describes(before));
        return new Heartbeat.Waiting(position, remaining(ledger.stamp().nowMicros()));
    }

    /**
     * Performs a release.
     *
     * @param client the client that releases
     * @param command the hold to release
     * @param ledger time and records of this command
     * @return true if the client held it
     */
    public boolean release(String client, Release command, Ledger ledger) {
        advance(ledger);
        ledger.recordEnd(client, command.attempt(), command.number().value());
        tickets.removeIf(ticket -> ticket.is(client, command.attempt()));
        int at = indexOfHold(client, command.attempt(), command.token());
        if (at >= 0) {
            Hold ended = holds.remove(at);
            long rest = Math.max(command.keepMicros(), command.failed() ? ended.lockDelayMicros() : 0);
            if (rest > 0) {
                notBeforeMicros = Math.max(notBeforeMicros, ledger.stamp().nowMicros() + rest);
            }
        }
        advance(ledger);
        return at >= 0;
    }

    /**
     * Performs a cancel.
     *
     * @param client the client that cancels
     * @param command the attempt to undo
     * @param ledger time and records of this command
     */
    public void cancel(String client, Cancel command, Ledger ledger) {
        ledger.recordEnd(client, command.attempt(), command.number().value());
        holds.removeIf(hold -> hold.is(client, command.attempt()));
        tickets.removeIf(ticket -> ticket.is(client, command.attempt()));
        advance(ledger);
    }

    /**
     * Takes holds away by force, or ends a time in which nothing is granted.
     *
     * @param token the store token of the holds to revoke; 0 for that time
     * @param immediately whether to free them at once
     * @param ledger time and records of this command
     * @return true if there was one
     */
    public boolean forceRelease(long token, boolean immediately, Ledger ledger) {
        advance(ledger);
        boolean isRest = token == 0 && notBeforeMicros > ledger.stamp().nowMicros();
        if (isRest) {
            notBeforeMicros = 0;
        }
        boolean found = isRest || holds.stream().anyMatch(hold -> isHeldBy(hold, token));
        if (immediately) {
            holds.removeIf(hold -> isHeldBy(hold, token));
        } else {
            holds.replaceAll(hold -> isHeldBy(hold, token) ? hold.asRevoked() : hold);
        }
        advance(ledger);
        return found;
    }

    private static boolean isHeldBy(Hold hold, long token) {
        return hold.token() == token && !hold.isWithheld();
    }

    /**
     * Sets how many permits are granted to no client.
     *
     * @param semaphore the semaphore that is meant
     * @param weight how many permits; 0 for none
     * @param ledger time and records of this command
     * @return the resource of the name; if it is not the semaphore that is meant, nothing has changed
     */
    public Resource withhold(Resource semaphore, int weight, Ledger ledger) {
        advance(ledger);
        if (isIdle(ledger.stamp().nowMicros())) {
            resource = semaphore;
        } else if (!resource.equals(semaphore)) {
            return resource;
        }
        holds.removeIf(Hold::isWithheld);
        if (weight > 0) {
            holds.add(Hold.withheld(weight));
        }
        advance(ledger);
        return resource;
    }

    /**
     * Returns the live parts, without advancing the state.
     *
     * @param stamp server and time
     * @return the view, or empty if nothing is alive
     */
    public Optional<ResourceView> view(Stamp stamp) {
        List<Hold> liveHolds = holds.stream()
                .filter(hold -> hold.deadlineMicros() > stamp.nowMicros())
                .toList();
        List<Ticket> liveTickets = tickets.stream()
                .filter(ticket -> ticket.presentUntilMicros() > stamp.nowMicros())
                .map(Ticket::withoutSecret)
                .toList();
        long rest = holds.stream()
                .filter(hold -> hold.deadlineMicros() <= stamp.nowMicros() && hold.lockDelayMicros() > 0)
                .mapToLong(hold -> hold.deadlineMicros() + hold.lockDelayMicros())
                .reduce(notBeforeMicros, Math::max);
        return liveHolds.isEmpty() && liveTickets.isEmpty() && rest <= stamp.nowMicros()
                ? Optional.empty()
                : Optional.of(new ResourceView(
                        resource, stamp, liveHolds, liveTickets, Math.max(0, rest - stamp.nowMicros())));
    }

    /**
     * Decides whether a client may write the name's note. Changes nothing.
     *
     * @param client the client that writes
     * @param command the hold and the note
     * @param present the present note; null for none
     * @param ledger time and records of this command
     * @return {@link WriteNote.Written} if the note takes the place of the present one, unless that is newer
     */
    public WriteNote.Reply writeNote(String client, WriteNote command, @Nullable Note present, Ledger ledger) {
        Stamp stamp = ledger.stamp();
        int at = indexOfHold(client, command.attempt(), command.token());
        Hold hold = at < 0 || holds.get(at).deadlineMicros() <= stamp.nowMicros() ? null : holds.get(at);
        if (hold == null && isGrace(ledger)) {
            // Forgotten, or renewed since then: its client puts it back.
            return new WriteNote.Recovering(stamp);
        }
        boolean excludes = hold != null
                && !resource.isSharedAt(hold.weight())
                && (present == null || present.token() <= command.note().token());
        return excludes ? new WriteNote.Written(stamp) : new WriteNote.Refused(stamp);
    }

    private static boolean isGrace(Ledger ledger) {
        return ledger.stamp().graceMicros() > 0;
    }

    private boolean grants(Ledger ledger) {
        return !isGrace(ledger) && notBeforeMicros <= ledger.stamp().nowMicros();
    }

    private boolean hasRoom(int weight, Ledger ledger) {
        return grants(ledger) && used() + weight <= resource.capacity();
    }

    /** Without a stream: each acquire asks this. */
    private int withheld() {
        int sum = 0;
        if (resource.kind() == Kind.SEMAPHORE) {
            for (Hold hold : holds) {
                sum += hold.isWithheld() ? hold.weight() : 0;
            }
        }
        return sum;
    }

    /** Whether a weight has no room for as long as permits are withheld. */
    private boolean isUnfit(int weight) {
        int withheld = withheld();
        return withheld > 0 && withheld + weight > resource.capacity();
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
                        holds.stream()
                                .filter(hold -> !hold.isWithheld())
                                .map(Hold::description)
                                .toList(),
                        remaining(stamp.nowMicros()),
                        tickets.size());
    }

    private long remaining(long now) {
        long latest = holds.stream()
                .filter(hold -> !hold.isWithheld())
                .mapToLong(Hold::deadlineMicros)
                .max()
                .orElse(notBeforeMicros);
        return Math.max(0, latest - now);
    }

    private Heartbeat.HoldReply reclaim(String client, Heartbeat.Hold named, long number, Ledger ledger) {
        if (!named.restorable() || ledger.isOutdated(client, number)) {
            return new Heartbeat.AskAgain();
        }
        if (isIdle(ledger.stamp().nowMicros())) {
            // The previous state has just ended: the name stands for what the holder knows of it.
            resource = named.resource();
        }
        if (resource.capacity() == 1) {
            // The larger token is the later grant. At a larger capacity the order proves nothing: over-commit drains.
            if (holds.stream().anyMatch(hold -> hold.token() >= named.token())) {
                return new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
            }
            holds.clear();
        }
        // The store forgot the grant, but perhaps not its ticket: a ticket left here would be granted a second time.
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

    private void showPresence(int position, long now, String description) {
        tickets.set(position, tickets.get(position).presentUntil(now + timings.presenceMicros(), description));
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
