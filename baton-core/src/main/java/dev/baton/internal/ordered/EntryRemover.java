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

/** Removes entries that are over, and what idle names leave behind. Thread-safe. */
final class EntryRemover {
    /** More at a time would keep other commands waiting. */
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

    /** A name is used again. */
    void inUse(String name) {
        idle.remove(name);
    }

    /** A name may not be used again. */
    void idle(String name) {
        idle.put(name, clock.getAsLong() + tidyAfterMicros);
    }

    /** Removes an entry. It is forgotten here when the server has answered, and until then can be removed again. */
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
     * Removes an entry; while the server cannot be reached, waits until it is removed: {@link #sweep} sends what got no
     * answer again.
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

    /** Ends what is overdue, sends again what got no answer, and tidies names that stayed idle. */
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

    /** Removes the delay records of a name that have served their time. */
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

    /** Removes an entry, and does not wait for it. */
    void begin(Attempt own) {
        track(send(own, false));
    }

    /** Something nobody waits for; what fails is asked again by heartbeats and sweeps. */
    void track(CompletableFuture<?> sent) {
        long number = numbers.incrementAndGet();
        onTheirWay.put(number, sent);
        CompletableFuture<Boolean> over =
                sent.handle((done, failed) -> onTheirWay.keySet().remove(number));
        onTheirWay.replace(number, sent, over);
    }

    /** Waits for what is on its way. */
    void settle(Deadline deadline) throws StoreFailure {
        for (CompletableFuture<?> each : onTheirWay.values()) {
            Answers.await(each, deadline);
        }
    }

    /** Whether nothing is left that a session which goes on would keep. */
    boolean isDone() {
        return attempts.all().isEmpty();
    }

    /** Tidies what it can at the end; a session that goes on would keep the entries. */
    void close(boolean endsSession) {
        if (!endsSession) {
            List.copyOf(attempts.all()).forEach(this::begin);
        }
        idle.keySet().forEach(server::tidy);
        idle.clear();
    }
}
