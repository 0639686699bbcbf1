package dev.baton.spi.line;

import dev.baton.spi.Deadline;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.line.LineServer.Noted;
import dev.baton.spi.line.LineServer.Proof;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One heartbeat: proves all entries in one command, and looks at the line of every ticket that still waits. */
final class Beat {
    private final LineStore store;
    private final Heartbeat command;
    private final Set<Own> taken = new HashSet<>();

    Beat(LineStore store, Heartbeat command) {
        this.store = store;
        this.command = command;
    }

    Heartbeat.Reply answer(Deadline deadline) throws StoreFailure {
        List<@Nullable Own> holds = new ArrayList<>();
        for (Heartbeat.Hold named : command.holds()) {
            Own own = store.owns().find(named.resource().name(), named.attempt());
            holds.add(own != null && own.isHeld(named.token()) ? own : null);
        }
        List<@Nullable Own> tickets = new ArrayList<>();
        for (Heartbeat.Ticket named : command.tickets()) {
            tickets.add(store.owns().find(named.resource().name(), named.attempt()));
        }
        prove(holds, tickets, deadline);
        List<Heartbeat.HoldReply> holdReplies = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            holdReplies.add(reply(command.holds().get(i), holds.get(i)));
        }
        List<Heartbeat.TicketReply> ticketReplies = new ArrayList<>();
        for (Own own : tickets) {
            ticketReplies.add(reply(own));
        }
        return new Heartbeat.Reply(store.proved(), holdReplies, ticketReplies);
    }

    private void prove(List<@Nullable Own> holds, List<@Nullable Own> tickets, Deadline deadline) throws StoreFailure {
        Map<Own, Noted> named = new HashMap<>();
        List<Own> waiting = new ArrayList<>();
        for (Own own : holds) {
            note(own, named);
        }
        for (Own own : tickets) {
            note(own, named);
            if (own != null && own.isWaiting()) {
                waiting.add(own);
            }
        }
        List<Own> asked = List.copyOf(named.keySet());
        CompletableFuture<List<Proof>> proving =
                store.server().prove(asked.stream().map(named::get).toList());
        List<CompletableFuture<Verdict>> looking = new ArrayList<>();
        for (Own own : waiting) {
            looking.add(store.judge().look(own));
        }
        List<Proof> proofs = Answers.await(proving, deadline);
        List<Own> changed = new ArrayList<>();
        for (int i = 0; i < proofs.size(); i++) {
            if (proofs.get(i) == Proof.GONE) {
                removed(asked.get(i));
            } else if (proofs.get(i) == Proof.CHANGED) {
                changed.add(asked.get(i));
            }
        }
        reread(changed, deadline);
        for (int i = 0; i < waiting.size(); i++) {
            store.apply(waiting.get(i), Answers.await(looking.get(i), deadline));
        }
    }

    private void note(@Nullable Own own, Map<Own, Noted> named) {
        Noted noted = own == null ? null : own.noted();
        if (own == null || noted == null) {
            return;
        }
        if (own.isOfSession(store.server().session())) {
            named.put(own, noted);
        } else {
            gone(own);
        }
    }

    /** What this client did not remove itself, and its session did not take along, somebody took away. */
    private void removed(Own own) {
        if (own.isHeld() && own.isOfSession(store.server().session())) {
            taken.add(own);
        }
        gone(own);
    }

    private void gone(Own own) {
        own.end();
        store.owns().remove(own);
    }

    private void reread(List<Own> changed, Deadline deadline) throws StoreFailure {
        if (changed.isEmpty()) {
            return;
        }
        Map<String, Noted> found = new HashMap<>();
        for (Noted each : Answers.await(Force.reread(store.server(), changed), deadline)) {
            found.put(each.entry().id(), each);
        }
        for (Own own : changed) {
            Noted before = own.noted();
            Noted after = before == null ? null : found.get(before.entry().id());
            if (after == null) {
                gone(own);
            } else if (after.notes().revoked()) {
                own.noted(after);
                own.revoke();
            } else {
                own.noted(after);
            }
        }
    }

    private Heartbeat.HoldReply reply(Heartbeat.Hold named, @Nullable Own own) {
        long now = store.now();
        if (own != null && taken.contains(own)) {
            return new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
        }
        if (own != null && own.isHeld(named.token()) && own.untilMicros() > now && own.isRevoked()) {
            return new Heartbeat.Lost(Heartbeat.Reason.REVOKED);
        }
        // The sweep may have ended it since.
        OptionalLong renewed = own == null || !own.isHeld(named.token())
                ? OptionalLong.empty()
                : own.renew(now, named.leaseMicros(), named.extend());
        return renewed.isPresent()
                ? new Heartbeat.Renewed(renewed.getAsLong(), true)
                : new Heartbeat.Lost(Heartbeat.Reason.EXPIRED);
    }

    private Heartbeat.TicketReply reply(@Nullable Own own) {
        if (own != null && own.isHeld() && !own.isRevoked()) {
            return new Heartbeat.TicketGranted(own.token(), own.untilMicros());
        }
        if (own == null || !own.isWaiting()) {
            return new Heartbeat.Gone();
        }
        own.present(store.now() + store.presenceMicros());
        return new Heartbeat.Waiting(own.position(), 0);
    }
}
