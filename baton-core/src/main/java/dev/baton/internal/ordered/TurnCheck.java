package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.Kind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Checks whether it is a ticket's turn, and sets the watch for the next change that matters. A ticket watches only the
 * entry before it, so that one release wakes one client. When that entry goes, the ticket reads the queue to see
 * whether its turn has come; if that entry was the only one before it, for an exclusive lock without a lock-delay, the
 * ticket holds without a read. If several clients may hold, the first waiter watches the whole queue, and each other
 * waiter also watches whether the entry before it begins to hold.
 *
 * <p>Readers that hold together share the first reader's token. If several clients may hold, a holder writes its token
 * into its entry before it believes in the hold, and a reader takes the token from the entry before it.
 */
final class TurnCheck {
    private final OrderedServer server;
    private final LockDelays delays;
    private final BiConsumer<Attempt, Boolean> changed;

    /**
     * Creates a turn check.
     *
     * @param changed called when a ticket's queue has to be read again; with true if the ticket waited only for the
     *     entry before it, and that entry has gone
     */
    TurnCheck(OrderedServer server, LockDelays delays, BiConsumer<Attempt, Boolean> changed) {
        this.server = server;
        this.delays = delays;
        this.changed = changed;
    }

    CompletableFuture<Turn> look(Attempt own) {
        return server.line(own.name()).thenCompose(line -> turnCheck(own, line));
    }

    CompletableFuture<Turn> turnCheck(Attempt own, List<Entry> line) {
        OrderedView view = new OrderedView(line);
        Noted noted = own.noted();
        int at = noted == null ? -1 : view.indexOf(noted.entry().id());
        if (at < 0) {
            return CompletableFuture.completedFuture(new Turn.Gone());
        }
        List<Entry> inTheWay = delays.inTheWay(own.name(), view);
        Optional<Entry> other = view.otherKind(own.label, inTheWay);
        if (other.isPresent()) {
            return CompletableFuture.completedFuture(new Turn.OtherKind(other.get()));
        }
        if (noted != null && view.isUnfit(own.label) && noted.notes().token() == 0) {
            return CompletableFuture.completedFuture(new Turn.Unfit(own.label.capacity() - view.withheld()));
        }
        if (!inTheWay.isEmpty()) {
            watch(own, inTheWay.get(0), false);
            return holders(view, own.isShared()).thenApply(holders -> waits(own, at - holders, false));
        }
        if (at >= view.holders()) {
            return waitingBefore(view, at).thenApply(waiting -> waitInLine(own, view, line, at, waiting));
        }
        if (view.orphans().isEmpty()) {
            return inFront(own, view, at);
        }
        // A delay record without its ticket makes views show that the front does not hold yet, so it is removed first.
        return removed(view.orphans()).thenCompose(done -> inFront(own, view, at));
    }

    private CompletableFuture<?> removed(List<Entry> served) {
        return Answers.all(
                served.stream().map(each -> server.leave(each, false)).toList());
    }

    private CompletableFuture<Turn> inFront(Attempt own, OrderedView view, int at) {
        return own.isShared() ? takeToken(own, view, at) : holds(own);
    }

    /** Returns the result for a ticket that is certainly in front. */
    CompletableFuture<Turn> holds(Attempt own) {
        Noted noted = own.noted();
        return noted == null ? CompletableFuture.completedFuture(new Turn.Gone()) : delayed(own, noted, noted.token());
    }

    /**
     * A hold that may end in a lock-delay gets its delay record before its client believes in it. A client that dies
     * while it waits thus causes no lock-delay.
     */
    private CompletableFuture<Turn> delayed(Attempt own, Noted noted, long token) {
        if (!own.needsDelay()) {
            return CompletableFuture.completedFuture(new Turn.Holds(token));
        }
        if (!own.sendsDelay()) {
            return CompletableFuture.completedFuture(new Turn.Gone());
        }
        return server.delay(noted.entry()).thenApply(there -> {
            if (!there) {
                return new Turn.Gone();
            }
            own.delayed();
            return new Turn.Holds(token);
        });
    }

    private static Turn waits(Attempt own, int position, boolean next) {
        own.waitsAt(position, next);
        return new Turn.Waits(position, false);
    }

    /** Counts the holders during a lock-delay: tickets at the front hold only if they held before it. */
    private CompletableFuture<Integer> holders(OrderedView view, boolean shared) {
        if (!shared) {
            return CompletableFuture.completedFuture(0);
        }
        return believing(view.tickets().subList(0, view.holders()));
    }

    /** Counts those tickets whose clients have taken up their holds. */
    private CompletableFuture<Integer> believing(List<Entry> tickets) {
        return server.look(tickets).thenApply(notes ->
                (int) notes.stream().filter(each -> each.notes().token() > 0).count());
    }

    /**
     * Returns the tickets that wait before the one at an index: those behind the front. A ticket there that held before some of
     * the capacity was withheld does not wait. Tickets in front do not count as waiting either, even if their clients have not
     * taken up their holds yet: when they do, that changes nothing for those behind them.
     */
    private CompletableFuture<List<Entry>> waitingBefore(OrderedView view, int at) {
        List<Entry> behindTheFront = view.tickets().subList(view.holders(), at);
        if (!view.mayExceed() || behindTheFront.isEmpty()) {
            return CompletableFuture.completedFuture(behindTheFront);
        }
        return server.look(behindTheFront)
                .thenApply(notes -> notes.stream()
                        .filter(each -> each.notes().token() == 0)
                        .map(Noted::entry)
                        .toList());
    }

    private Turn waitInLine(Attempt own, OrderedView view, List<Entry> line, int at, List<Entry> waiting) {
        int position = waiting.size();
        Entry before = position == 0 ? view.tickets().get(at - 1) : waiting.get(position - 1);
        Turn verdict = waits(
                own, position, !own.isShared() && at == 1 && before.label().lockDelayMicros() == 0);
        if (own.isShared() && position == 0) {
            watchLine(own, line);
        } else {
            watch(own, before, own.isShared());
            own.waitsBehind(before);
        }
        return verdict;
    }

    private CompletableFuture<Turn> takeToken(Attempt own, OrderedView view, int at) {
        Noted noted = own.noted();
        if (noted == null) {
            return CompletableFuture.completedFuture(new Turn.Gone());
        }
        boolean joins = own.label.kind() == Kind.READ_WRITE && at > 0;
        if (!joins) {
            return writeToken(own, noted, noted.token());
        }
        Entry before = view.tickets().get(at - 1);
        return server.look(List.of(before)).thenCompose(found -> {
            if (found.isEmpty()) {
                return look(own);
            }
            long token = found.get(0).notes().token();
            if (token > 0) {
                return writeToken(own, noted, token);
            }
            watch(own, before, true);
            own.waitsAt(0, false);
            return CompletableFuture.completedFuture(new Turn.Waits(0, true));
        });
    }

    private CompletableFuture<Turn> writeToken(Attempt own, Noted noted, long token) {
        return noted.notes().token() > 0
                ? delayed(own, noted, noted.notes().token())
                : delayed(own, noted, token)
                        .thenCompose(verdict -> verdict instanceof Turn.Holds
                                ? write(own, noted, token)
                                : CompletableFuture.completedFuture(verdict));
    }

    private CompletableFuture<Turn> write(Attempt own, Noted noted, long token) {
        return server.note(noted, noted.notes().withToken(token)).thenCompose(written -> {
            if (written.isPresent()) {
                own.noted(written.get());
                return CompletableFuture.completedFuture(new Turn.Holds(token));
            }
            return server.look(List.of(noted.entry())).thenApply(found -> {
                if (found.isEmpty() || found.get(0).notes().token() == 0) {
                    return new Turn.Gone();
                }
                own.noted(found.get(0));
                return new Turn.Holds(found.get(0).notes().token());
            });
        });
    }

    private void watch(Attempt own, Entry entry, boolean notes) {
        if (own.queues && own.watches(entry.id())) {
            server.watch(entry, notes, watcher(own, entry.id(), false));
        }
    }

    private void watchLine(Attempt own, List<Entry> line) {
        String target = "line of " + own.name();
        if (own.queues && own.watches(target)) {
            server.watchLine(own.name(), line, watcher(own, target, true));
        }
    }

    private OrderedServer.Watcher watcher(Attempt own, String target, boolean ofLine) {
        return new OrderedServer.Watcher() {
            @Override
            public void changed(boolean gone) {
                fire(own, target, gone && !ofLine);
            }

            @Override
            public void refused() {
                own.isBlindTo(target);
            }

            @Override
            public boolean isWanted() {
                return own.isWaitingFor(target);
            }
        };
    }

    private void fire(Attempt own, String target, boolean gone) {
        if (own.unwatch(target) && own.isWaiting()) {
            changed.accept(own, gone && own.isNext());
        }
    }
}
