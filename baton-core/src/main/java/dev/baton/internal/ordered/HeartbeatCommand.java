package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.internal.ordered.OrderedServer.Proof;
import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One heartbeat: proves holds, tickets and the entries that tickets wait for, in one command. A ticket that hears of
 * changes by a watch is proved only every few seconds, and is answered from memory in between.
 */
final class HeartbeatCommand {
    private final OrderedServer server;
    private final Attempts attempts;
    private final Proofs proofs;
    private final Tickets turns;
    private final Supplier<Stamp> stamp;
    private final Heartbeat command;
    private final List<@Nullable Attempt> holds = new ArrayList<>();
    private final List<@Nullable Attempt> tickets = new ArrayList<>();

    /** The entries to prove, as they were last seen. */
    private final Map<Attempt, Noted> named = new LinkedHashMap<>();

    /** The notes to write, which proves the entries as well: another caller of this client has the hold, or waits. */
    private final Map<Attempt, EntryNotes> renamed = new LinkedHashMap<>();

    /** The entries that tickets wait for, to be proved with them. */
    private final Map<Attempt, Noted> before = new LinkedHashMap<>();

    /** Tickets that have to read their queue. */
    private final Set<Attempt> looking = new HashSet<>();

    private final List<Attempt> changed = new ArrayList<>();
    private final Set<Attempt> taken = new HashSet<>();

    HeartbeatCommand(
            OrderedServer server,
            Attempts attempts,
            Proofs proofs,
            Tickets turns,
            Supplier<Stamp> stamp,
            Heartbeat command) {
        this.server = server;
        this.attempts = attempts;
        this.proofs = proofs;
        this.turns = turns;
        this.stamp = stamp;
        this.command = command;
        for (Heartbeat.Hold each : command.holds()) {
            Attempt own = attempts.find(each.resource().name(), each.attempt());
            holds.add(own != null && own.isHeld(each.token()) ? own : null);
        }
        for (Heartbeat.Ticket each : command.tickets()) {
            tickets.add(attempts.find(each.resource().name(), each.attempt()));
        }
    }

    Heartbeat.Reply answer(Deadline deadline) throws StoreFailure {
        if (holds.isEmpty() && !tickets.isEmpty()) {
            List<Heartbeat.TicketReply> quiet = quietReplies();
            if (quiet.size() == tickets.size()) {
                proofs.answeredQuietly();
                return new Heartbeat.Reply(stamp.get(), List.of(), quiet, true);
            }
        }
        // First, because the sign of a writer that has become a reader is an entry of its own, and entries are counted.
        lower(deadline);
        Crowds crowds = new Crowds(server, holds);
        prove(deadline);
        Set<Attempt> contended = crowds.contended(deadline);
        List<Heartbeat.HoldReply> holdReplies = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            holdReplies.add(reply(command.holds().get(i), holds.get(i), contended));
        }
        List<Heartbeat.TicketReply> ticketReplies = new ArrayList<>();
        for (Attempt own : tickets) {
            ticketReplies.add(reply(own));
        }
        return new Heartbeat.Reply(stamp.get(), holdReplies, ticketReplies);
    }

    /**
     * Without a proof, the only possible answer is that a ticket waits: fewer answers than tickets if one needs a
     * proof.
     */
    private List<Heartbeat.TicketReply> quietReplies() {
        List<Heartbeat.TicketReply> replies = new ArrayList<>();
        for (int i = 0; i < tickets.size(); i++) {
            Attempt own = tickets.get(i);
            if (own != null && proofs.isQuiet(own) && isDescribed(own, description(i, own))) {
                own.present(turns.presentUntilMicros());
                replies.add(new Heartbeat.Waiting(own.position(), 0));
            }
        }
        return replies;
    }

    /** Lowers the tickets of writers that have become readers. One that is gone is noticed by its proof. */
    private void lower(Deadline deadline) throws StoreFailure {
        Map<Attempt, CompletableFuture<Boolean>> lowering = new LinkedHashMap<>();
        for (int i = 0; i < holds.size(); i++) {
            Attempt own = holds.get(i);
            int weight = command.holds().get(i).weight();
            Noted noted = own == null ? null : own.noted();
            if (own != null && noted != null && own.isLoweredBy(weight)) {
                EntryLabel sign = own.label.lowered(weight);
                own.lowers(sign);
                lowering.put(own, server.lower(noted.entry(), sign).thenApply(there -> {
                    if (there) {
                        own.lowered();
                    }
                    return there;
                }));
            }
        }
        for (CompletableFuture<Boolean> each : lowering.values()) {
            Answers.await(each, deadline);
        }
    }

    // ---- proof ---------------------------------------------------------------------------------------------------

    private void prove(Deadline deadline) throws StoreFailure {
        for (int i = 0; i < holds.size(); i++) {
            Attempt own = holds.get(i);
            if (own != null) {
                addHold(own, command.holds().get(i).description());
            }
        }
        for (int i = 0; i < tickets.size(); i++) {
            Attempt own = tickets.get(i);
            if (own != null && !(proofs.isQuiet(own) && isDescribed(own, description(i, own)))) {
                addTicket(own, description(i, own));
            }
        }
        long called = stamp.get().nowMicros();
        List<Attempt> asked = List.copyOf(named.keySet());
        List<Attempt> behind = List.copyOf(before.keySet());
        List<Noted> entries = new ArrayList<>(named.values());
        entries.addAll(before.values());
        CompletableFuture<List<Proof>> proving = entries.isEmpty() && !renamed.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : server.prove(entries);
        Map<Attempt, CompletableFuture<Optional<Noted>>> writing = new LinkedHashMap<>();
        renamed.forEach((own, notes) -> writing.put(own, write(own, notes)));
        Map<Attempt, CompletableFuture<Turn>> looks = new LinkedHashMap<>();
        looking.forEach(own -> looks.put(own, turns.look(own)));

        List<Proof> proved = Answers.await(proving, deadline);
        awaitWritten(writing, deadline);
        proofs.proved(called);
        for (int i = 0; i < asked.size(); i++) {
            found(asked.get(i), proved.get(i), called);
        }
        for (int i = 0; i < behind.size(); i++) {
            if (proved.get(asked.size() + i) == Proof.GONE) {
                // The event is still to come, or was lost.
                looks.put(behind.get(i), turns.look(behind.get(i)));
            }
        }
        reread(deadline);
        for (Map.Entry<Attempt, CompletableFuture<Turn>> each : looks.entrySet()) {
            turns.apply(each.getKey(), Answers.await(each.getValue(), deadline));
        }
    }

    private void addHold(Attempt own, String description) {
        Noted noted = own.noted();
        if (noted == null) {
            return;
        }
        if (!own.isOfSession(server.session())) {
            gone(own);
        } else {
            proveOrRename(own, noted, description);
        }
    }

    private void proveOrRename(Attempt own, Noted noted, String description) {
        if (noted.notes().description().equals(description) || noted.notes().revoked()) {
            named.put(own, noted);
        } else {
            renamed.put(own, noted.notes().withDescription(description));
        }
    }

    /** The description that a ticket is to have. */
    private String description(int ticket, Attempt own) {
        Noted noted = own.noted();
        return command.tickets()
                .get(ticket)
                .describes(noted == null ? "" : noted.notes().description());
    }

    private static boolean isDescribed(Attempt own, String description) {
        Noted noted = own.noted();
        return noted == null || noted.notes().description().equals(description);
    }

    private void addTicket(Attempt own, String description) {
        Noted noted = own.noted();
        if (noted == null) {
            return;
        }
        if (!own.isOfSession(server.session())) {
            gone(own);
            return;
        }
        proveOrRename(own, noted, description);
        Entry entry = own.before();
        if (entry != null && !proofs.looksAlways()) {
            before.put(own, Noted.anyOf(entry));
        } else if (own.isWaiting()) {
            looking.add(own);
        }
    }

    private CompletableFuture<Optional<Noted>> write(Attempt own, EntryNotes notes) {
        Noted noted = own.noted();
        return noted == null ? CompletableFuture.completedFuture(Optional.empty()) : server.note(noted, notes);
    }

    private void awaitWritten(Map<Attempt, CompletableFuture<Optional<Noted>>> writing, Deadline deadline)
            throws StoreFailure {
        for (Map.Entry<Attempt, CompletableFuture<Optional<Noted>>> each : writing.entrySet()) {
            Optional<Noted> written = Answers.await(each.getValue(), deadline);
            if (written.isPresent()) {
                each.getKey().noted(written.get());
            } else {
                changed.add(each.getKey());
            }
        }
    }

    private void found(Attempt own, Proof proof, long called) {
        switch (proof) {
            case STANDS -> own.proved(called);
            case CHANGED -> changed.add(own);
            case GONE -> removed(own);
        }
    }

    /** If neither this client nor the end of its session removed a hold, it was taken away by force. */
    private void removed(Attempt own) {
        if (own.isHeld() && own.isOfSession(server.session())) {
            taken.add(own);
        }
        gone(own);
    }

    private void gone(Attempt own) {
        own.end();
        attempts.remove(own);
    }

    private void reread(Deadline deadline) throws StoreFailure {
        if (changed.isEmpty()) {
            return;
        }
        Map<String, Noted> found = new HashMap<>();
        for (Noted each : Answers.await(Force.reread(server, changed), deadline)) {
            found.put(each.entry().id(), each);
        }
        for (Attempt own : changed) {
            Noted seen = own.noted();
            Noted after = seen == null ? null : found.get(seen.entry().id());
            if (after == null) {
                removed(own);
            } else if (after.notes().revoked()) {
                own.noted(after);
                own.revoke();
            } else {
                own.noted(after);
            }
        }
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    private Heartbeat.HoldReply reply(Heartbeat.Hold each, @Nullable Attempt own, Set<Attempt> contended) {
        long now = stamp.get().nowMicros();
        if (own != null && taken.contains(own)) {
            return new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
        }
        if (own != null && own.isHeld(each.token()) && own.untilMicros() > now && own.isRevoked()) {
            return new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
        }
        // The sweep may have ended it since.
        OptionalLong renewed = own == null || !own.isHeld(each.token())
                ? OptionalLong.empty()
                : own.renew(now, each.leaseMicros(), each.extend());
        return renewed.isPresent()
                ? new Heartbeat.Renewed(renewed.getAsLong(), contended.contains(own))
                : new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
    }

    private Heartbeat.TicketReply reply(@Nullable Attempt own) {
        if (own != null && own.isHeld() && !own.isRevoked()) {
            return new Heartbeat.TicketGranted(own.token(), own.untilMicros());
        }
        if (own == null || !own.isWaiting()) {
            return new Heartbeat.Gone();
        }
        own.present(turns.presentUntilMicros());
        return new Heartbeat.Waiting(own.position(), 0);
    }
}
