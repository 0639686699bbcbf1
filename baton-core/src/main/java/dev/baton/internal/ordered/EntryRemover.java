package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Removes entries that are over, and sends again what was not answered. Thread-safe. */
final class EntryRemover {
    private final OrderedServer server;
    private final Attempts attempts;
    private final LockDelays delays;
    private final IdleNames idle;
    private final LongSupplier clock;
    private final LongSupplier wallClock;
    private final Runnable needed;

    /** Attempts whose removal was not answered. */
    private final Set<Attempt> stranded = ConcurrentHashMap.newKeySet();

    private final Map<Long, CompletableFuture<?>> onTheirWay = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /**
     * Creates a remover.
     *
     * @param needed called when there is something to send again
     */
    EntryRemover(
            OrderedServer server,
            Attempts attempts,
            LockDelays delays,
            IdleNames idle,
            LongSupplier clock,
            LongSupplier wallClock,
            Runnable needed) {
        this.server = server;
        this.attempts = attempts;
        this.delays = delays;
        this.idle = idle;
        this.clock = clock;
        this.wallClock = wallClock;
        this.needed = needed;
    }

    /**
     * Removes an entry. This client forgets it when the server has answered; until then the removal can be sent again.
     */
    CompletableFuture<Boolean> send(Attempt own, boolean keepsDelay) {
        boolean again = own.isUnanswered();
        boolean keeps = own.remover(keepsDelay);
        Noted noted = own.noted();
        EntryLabel keeper = own.keeper();
        CompletableFuture<Boolean> sent;
        if (noted == null) {
            sent = server.undo(own.name(), own.label.client(), own.label.attempt())
                    .thenApply(done -> false);
        } else {
            // A keeper that is sent again late has nothing to keep any more.
            sent = keeper == null || keeper.untilMicros() <= wallClock.getAsLong()
                    ? server.leave(noted.entry(), keeps)
                    : server.keep(noted.entry(), keeper);
            EntryLabel sign = own.sign();
            if (sign != null) {
                // Afterwards: without its sign, the ticket would count as a writer's once more.
                sent = sent.thenCompose(
                        was -> server.removeSign(noted.entry(), sign).thenApply(done -> was));
            }
        }
        return sent.whenComplete((was, failure) -> left(own, failure == null)).thenApply(was -> {
            own.gone.complete(was || again);
            attempts.remove(own);
            idle.add(own.name());
            return was || again;
        });
    }

    private void left(Attempt own, boolean answered) {
        own.left(answered);
        if (answered) {
            stranded.remove(own);
        } else {
            stranded.add(own);
            needed.run();
        }
    }

    /**
     * Removes the entry of a hold that is released or has failed. A failed one leaves its delay record: its delay began
     * at its deadline, or begins now if that is ahead.
     *
     * @param keepMicros how long the name is kept from all clients; 0 if it is not
     */
    CompletableFuture<Boolean> release(Attempt own, boolean failed, long keepMicros) {
        long now = clock.getAsLong();
        if (keepMicros > 0) {
            EntryLabel keeper = own.leaves(own.label.keeper(keepMicros, wallClock.getAsLong()));
            delays.begin(own.name(), keeper, now + keepMicros);
        }
        long end = Math.min(now, own.untilMicros()) + own.label.lockDelayMicros();
        boolean delayed = failed && end > now;
        if (delayed) {
            delays.begin(own.name(), own.label, end);
        }
        return send(own, delayed);
    }

    /**
     * Like {@link #release}. If the server cannot be reached, waits until the entry is removed: {@link #sendAgain}
     * retries removals without an answer.
     */
    CompletableFuture<Boolean> releaseUntilGone(Attempt own, boolean failed, long keepMicros) {
        return release(own, failed, keepMicros)
                .exceptionallyCompose(
                        failure -> isUnreachable(failure) ? own.gone : CompletableFuture.failedFuture(failure));
    }

    private static boolean isUnreachable(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof StoreFailure known && known.reason() == StoreFailure.Reason.UNREACHABLE;
    }

    /** Removes the entry of an attempt that was ended because it is overdue. */
    void endOverdue(Attempt own) {
        track(release(own, own.hasFailed(), 0));
    }

    /** Whether removals are without an answer. */
    boolean hasStranded() {
        return !stranded.isEmpty();
    }

    /** Sends the removals again that were not answered. */
    void sendAgain() {
        for (Attempt own : List.copyOf(stranded)) {
            if (attempts.find(own.name(), own.label.attempt()) != own) {
                stranded.remove(own);
            } else if (own.isStranded()) {
                begin(own);
            }
        }
    }

    /** Removes the delay records of a name whose delays are over. */
    void endDelays(String name, long now) {
        track(server.lineNow(name).thenCompose(line -> {
            List<CompletableFuture<Boolean>> sent = new ArrayList<>();
            for (Entry orphan : new OrderedView(line).orphans()) {
                if (delays.isOver(orphan, now)) {
                    sent.add(server.leave(orphan, false));
                }
            }
            return Answers.all(sent).thenAccept(done -> {
                delays.forgetOver(name, now);
                idle.add(name);
            });
        }));
    }

    /** Removes an entry without waiting for the answer. */
    void begin(Attempt own) {
        track(send(own, false));
    }

    /** Tracks a command without a waiting caller. Heartbeats and {@link #sendAgain} repair its failures. */
    void track(CompletableFuture<?> sent) {
        long number = numbers.incrementAndGet();
        onTheirWay.put(number, sent);
        CompletableFuture<Boolean> over =
                sent.handle((done, failed) -> onTheirWay.keySet().remove(number));
        onTheirWay.replace(number, sent, over);
    }

    /** Waits for the tracked commands. */
    void settle(Deadline deadline) throws StoreFailure {
        for (CompletableFuture<?> each : onTheirWay.values()) {
            Answers.await(each, deadline);
        }
    }

    /** Whether no entry is left that would stay in a session that goes on. */
    boolean isDone() {
        return attempts.all().isEmpty();
    }

    /** Removes the entries at the end, which would stay in a session that goes on. */
    void removeAll() {
        List.copyOf(attempts.all()).forEach(this::begin);
    }
}
