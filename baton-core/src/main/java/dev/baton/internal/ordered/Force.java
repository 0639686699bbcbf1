package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Releases by force all holds that share a token, or ends the delays and keepers of a name. */
final class Force {
    private final OrderedServer server;
    private final String name;
    private final long token;
    private final boolean now;

    Force(OrderedServer server, String name, long token, boolean now) {
        this.server = server;
        this.name = name;
        this.token = token;
        this.now = now;
    }

    boolean run(Deadline deadline) throws StoreFailure {
        OrderedView view = new OrderedView(Answers.await(server.lineNow(name), deadline));
        if (token == 0) {
            return ends(view, deadline);
        }
        List<Entry> holders = view.tickets().subList(0, view.holders());
        boolean found = false;
        for (Noted noted : Answers.await(server.look(holders), deadline)) {
            if (tokenOf(noted) == token) {
                found |= take(noted, deadline);
            }
        }
        return found;
    }

    private boolean ends(OrderedView view, Deadline deadline) throws StoreFailure {
        boolean found = false;
        for (Entry orphan : view.orphans()) {
            found |= Answers.await(server.leave(orphan, false), deadline);
        }
        return found;
    }

    /** Returns the token of a hold; 0 if its client has not taken it up. */
    static long tokenOf(Noted noted) {
        return noted.entry().label().capacity() == 1
                ? noted.token()
                : noted.notes().token();
    }

    private boolean take(Noted noted, Deadline deadline) throws StoreFailure {
        if (now) {
            return Answers.await(server.leave(noted.entry(), false), deadline);
        }
        Noted seen = noted;
        while (!seen.notes().revoked()) {
            Optional<Noted> written =
                    Answers.await(server.note(seen, seen.notes().asRevoked()), deadline);
            if (written.isPresent()) {
                return true;
            }
            List<Noted> again = Answers.await(server.look(List.of(seen.entry())), deadline);
            if (again.isEmpty()) {
                return false;
            }
            seen = again.get(0);
        }
        return true;
    }

    /** Reads own entries again that were written to. */
    static CompletableFuture<List<Noted>> reread(OrderedServer server, List<Attempt> changed) {
        List<Entry> entries = new ArrayList<>();
        for (Attempt own : changed) {
            Noted noted = own.noted();
            if (noted != null) {
                entries.add(noted.entry());
            }
        }
        return server.look(entries);
    }
}
