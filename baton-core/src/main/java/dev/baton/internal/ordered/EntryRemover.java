package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Removes entries that are over, and the rest of idle names. Thread-safe. */
final class EntryRemover {
    /** More at a time would delay other commands. */
    private static final int TIDIED_AT_ONCE = 1_000;

    private final OrderedServer server;
    private final Attempts attempts;
    private final LockDelays delays;
    private final LongSupplier clock;
    private final long tidyAfterMicros;
    private final Map<String, Long> idle = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<?>> onTheirWay = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    EntryRemover(OrderedServer server, Attempts attempts, LockDelays delays, LongSupplier clock, long tidyAfterMicros) {
        this.server = server;
        this.attempts = attempts;
        this.delays = delays;
        this.clock = clock;
        this.tidyAfterMicros = tidyAfterMicros;
    }

    /** Notes that a name is used again. */
    void inUse(String name) {
        idle.remove(name);
    }

    /** Notes that a name may have become idle. */
    void idle(String name) {
        idle.put(name, clock.getAsLong() + tidyAfterMicros);
    }

    /**
     * Removes an entry. This client forgets it when the server has answered; until then the removal can be sent again.
     */
    CompletableFuture<Boolean> send(Attempt own, boolean keepsDelay) {
        boolean again = own.isUnanswered();
        boolean keeps = own.remover(keepsDelay);
        Noted noted = own.noted();
        CompletableFuture<Boolean> sent = noted == null
                ? server.undo(own.name(), own.label.client(), own.label.attempt())
                        .thenApply(done -> false)
                : server.leave(noted.entry(), keeps);
        return sent.whenComplete((was, failure) -> own.left(failure == null)).thenApply(was -> {
            own.gone.complete(was || again);
            attempts.remove(own);
            idle(own.name());
            return was || again;
        });
    }

    /**
     * Removes an entry. If the server cannot be reached, waits until it is removed: {@link #sweep} retries removals
     * without an answer.
     */
    CompletableFuture<Boolean> sendUntilGone(Attempt own) {
        return send(own, false)
                .exceptionallyCompose(
                        failure -> isUnreachable(failure) ? own.gone : CompletableFuture.failedFuture(failure));
    }

    private static boolean isUnreachable(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof StoreFailure known && known.reason() == StoreFailure.Reason.UNREACHABLE;
    }

    /** Ends overdue holds and tickets, retries removals without an answer, and tidies names that stayed idle. */
    void sweep() {
        long now = clock.getAsLong();
        for (Attempt own : List.copyOf(attempts.all())) {
            if (own.endIfOverdue(now)) {
                end(own, now);
            } else if (own.isStranded()) {
                begin(own);
            }
        }
        List<String> tidied = idle.entrySet().stream()
                .filter(each -> each.getValue() <= now)
                .limit(TIDIED_AT_ONCE)
                .map(Map.Entry::getKey)
                .toList();
        for (String name : tidied) {
            if (idle.remove(name) != null) {
                server.tidy(name);
            }
        }
    }

    private void end(Attempt own, long now) {
        long delay = own.label.lockDelayMicros();
        long delayEnd = own.untilMicros() + delay;
        boolean delays = own.hasFailed() && delay > 0 && delayEnd > now;
        if (delays) {
            this.delays.begin(own.name(), own.label, delayEnd);
        }
        track(send(own, delays));
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
                idle(name);
            });
        }));
    }

    /** Removes an entry without waiting for the answer. */
    void begin(Attempt own) {
        track(send(own, false));
    }

    /** Tracks a command without a waiting caller. Heartbeats and sweeps repair its failures. */
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

    /** Tidies names at the end. If the session goes on, it also removes the entries, which would stay otherwise. */
    void close(boolean endsSession) {
        if (!endsSession) {
            List.copyOf(attempts.all()).forEach(this::begin);
        }
        idle.keySet().forEach(server::tidy);
        idle.clear();
    }
}
