package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.Kind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Finds out what a line means for a ticket, and sees to it that it hears of the change that matters next. A ticket
 * watches the one before it only, so that one release wakes one client: the next looks at the line when its turn may
 * have come, unless it stood behind the holder when it joined. Where several may hold, the first that waits watches the line, and the others also
 * when the one before them begins to hold.
 *
 * <p>Readers that hold together share a token: the first one's. A holder writes its token into its entry before it
 * believes, and a reader takes it from the one before it.
 */
final class TurnCheck {
    private final OrderedServer server;
    private final LockDelays delays;
    private final BiConsumer<Attempt, Boolean> changed;

    /**
     * A judge.
     *
     * @param changed is told when a ticket's line has to be looked at again; with true if only the one before it had to
     *     go, and has gone
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
        Optional<Entry> other = view.otherKind(own.label);
        if (other.isPresent()) {
            return CompletableFuture.completedFuture(new Turn.OtherKind(other.get()));
        }
        List<Entry> inTheWay = delays.inTheWay(own.name(), view);
        if (!inTheWay.isEmpty()) {
            watch(own, inTheWay.get(0), false);
            return holders(view, own.isShared()).thenApply(holders -> waits(own, at - holders, false));
        }
        if (at >= view.holders()) {
            return CompletableFuture.completedFuture(waitInLine(own, view, line, at));
        }
        if (view.orphans().isEmpty()) {
            return inFront(own, view, at);
        }
        // As long as a record stands alone, others are shown that the front does not hold yet.
        return removed(view.orphans()).thenCompose(done -> inFront(own, view, at));
    }

    private CompletableFuture<?> removed(List<Entry> served) {
        return Answers.all(
                served.stream().map(each -> server.leave(each, false)).toList());
    }

    private CompletableFuture<Turn> inFront(Attempt own, OrderedView view, int at) {
        return own.isShared() ? takeToken(own, view, at) : holds(own);
    }

    /** What a ticket holds that is in front for certain. */
    CompletableFuture<Turn> holds(Attempt own) {
        Noted noted = own.noted();
        return noted == null ? CompletableFuture.completedFuture(new Turn.Gone()) : delayed(own, noted, noted.token());
    }

    /**
     * A hold that may end in a lock-delay says so before anybody believes in it: a client that dies while it waits
     * imposes none.
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

    /** During a lock-delay the front of a line does not hold unless it did before. */
    private CompletableFuture<Integer> holders(OrderedView view, boolean shared) {
        if (!shared) {
            return CompletableFuture.completedFuture(0);
        }
        return server.look(view.tickets().subList(0, view.holders())).thenApply(notes ->
                (int) notes.stream().filter(each -> each.notes().token() > 0).count());
    }

    private Turn waitInLine(Attempt own, OrderedView view, List<Entry> line, int at) {
        Entry before = view.tickets().get(at - 1);
        int position = at - view.holders();
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
