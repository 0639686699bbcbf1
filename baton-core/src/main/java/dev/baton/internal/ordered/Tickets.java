package dev.baton.internal.ordered;

import dev.baton.spi.Push;
import dev.baton.spi.StoreConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Checks the turns of a client's tickets, and applies what the checks find. Thread-safe. */
final class Tickets {
    private final OrderedServer server;
    private final Proofs proofs;
    private final EntryRemover remover;
    private final Deadlines deadlines;
    private final StoreConfig config;
    private final LongSupplier clock;
    private final TurnCheck turnCheck;

    Tickets(
            OrderedServer server,
            LockDelays delays,
            Proofs proofs,
            EntryRemover remover,
            Deadlines deadlines,
            StoreConfig config,
            LongSupplier clock) {
        this.server = server;
        this.proofs = proofs;
        this.remover = remover;
        this.deadlines = deadlines;
        this.config = config;
        this.clock = clock;
        this.turnCheck = new TurnCheck(server, delays, this::onChange);
    }

    /** Checks a ticket in a queue that was just read. */
    CompletableFuture<Turn> check(Attempt own, List<Entry> line) {
        return turnCheck.turnCheck(own, line);
    }

    /** Reads a ticket's queue, and checks it. */
    CompletableFuture<Turn> look(Attempt own) {
        return turnCheck.look(own);
    }

    /** Applies the result of a check to a ticket. */
    void apply(Attempt own, Turn verdict) {
        long now = clock.getAsLong();
        if ((verdict instanceof Turn.Gone || verdict instanceof Turn.Unfit) && own.isWaiting()) {
            // Another user removed it, and the server must forget the rest of it as well; or it can never hold. Its
            // client asks again, and is told.
            remover.begin(own);
        } else if (verdict instanceof Turn.Holds holds && own.isOfSession(server.session())) {
            long until = now + config.timings().claimMicros();
            if (own.hold(holds.token(), until, false, now)) {
                deadlines.watch(own);
                // The client saw this itself, so it may vouch with its own secret.
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
    }

    /** Checks a ticket after a change in its queue. The heartbeat repairs failures. */
    private void onChange(Attempt own, boolean only) {
        CompletableFuture<Turn> finding = only ? turnCheck.holds(own) : turnCheck.look(own);
        remover.track(finding.thenAccept(verdict -> apply(own, verdict)));
    }

    /** Returns until when a ticket that the client wants now is present. */
    long presentUntilMicros() {
        return clock.getAsLong() + config.timings().presenceMicros();
    }
}
