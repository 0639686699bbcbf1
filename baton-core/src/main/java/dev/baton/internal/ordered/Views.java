package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.spi.Acquire;
import dev.baton.spi.Deadline;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Views of queues for users. Deadlines of other clients are unknown: they are shown as if renewed now. */
final class Views {
    private static final int INSPECTED_AT_ONCE = 100;

    private final OrderedServer server;
    private final Attempts attempts;
    private final LockDelays delays;
    private final Supplier<Stamp> stamp;

    Views(OrderedServer server, Attempts attempts, LockDelays delays, Supplier<Stamp> stamp) {
        this.server = server;
        this.attempts = attempts;
        this.delays = delays;
        this.stamp = stamp;
    }

    /**
     * Returns why a ticket that does not wait was refused; if it did not join the queue, by the entries it would have
     * met.
     */
    Acquire.Held held(Attempt own, List<Entry> line, long remainingMicros, Deadline deadline) throws StoreFailure {
        OrderedView view = new OrderedView(line);
        boolean delayed = view.isDelayed();
        boolean looks = delayed || view.mayExceed();
        int index = view.indexOf(own.label);
        int at = index < 0 ? view.tickets().size() : index;
        List<Entry> before = view.tickets().subList(0, at);
        int front = view.mayExceed() ? at : view.holders();
        int holders = Math.min(at, delayed && !own.isShared() ? 0 : front);
        List<String> descriptions = new ArrayList<>();
        for (Noted each : Answers.await(server.look(before.subList(0, holders)), deadline)) {
            if (!looks || Force.tokenOf(each) > 0) {
                descriptions.add(each.notes().description());
            }
        }
        int queued = at - (looks ? descriptions.size() : holders);
        return new Acquire.Held(stamp.get(), descriptions, remaining(own, view, holders, remainingMicros), queued);
    }

    /** Exact if all holds in the way are this client's own. */
    private long remaining(Attempt own, OrderedView view, int holders, long others) {
        long now = stamp.get().nowMicros();
        long latest = 0;
        for (Entry each : view.tickets().subList(0, holders)) {
            Attempt mine = mine(each);
            latest = Math.max(latest, mine == null ? others : mine.untilMicros() - now);
        }
        return holders > 0 ? latest : delays.remaining(own.name(), view, now);
    }

    private @Nullable Attempt mine(Entry entry) {
        Attempt own = attempts.find(entry.name(), entry.label().attempt());
        return own != null && own.label.sameAttempt(entry.label()) ? own : null;
    }

    CompletableFuture<Optional<ResourceView>> inspect(String name) {
        return server.lineNow(name).thenCompose(line -> {
            OrderedView view = new OrderedView(line);
            return server.look(view.tickets()).thenApply(found -> inspect(name, view, found));
        });
    }

    private Optional<ResourceView> inspect(String name, OrderedView view, List<Noted> found) {
        boolean delayed = view.isDelayed();
        List<ResourceView.Hold> holds = new ArrayList<>();
        List<ResourceView.Ticket> tickets = new ArrayList<>();
        Resource resource = null;
        int at = 0;
        for (Noted each : found) {
            resource = resource == null ? each.entry().label().resource(name) : resource;
            boolean shared = each.entry().label().capacity() > 1;
            boolean fits = at++ < view.holders() && !(delayed && !shared);
            if ((fits || view.mayExceed()) && Force.tokenOf(each) > 0) {
                holds.add(hold(each, view.weightOf(each.entry())));
            } else {
                tickets.add(ticket(each));
            }
        }
        if (view.withheld() > 0) {
            holds.add(ResourceView.Hold.withheld(view.withheld()));
            Entry withholds = view.withholding().get(0);
            resource = resource == null ? withholds.label().resource(name) : resource;
        }
        Stamp now = stamp.get();
        long rest = delays.remaining(name, view, now.nowMicros());
        if (resource == null && rest > 0) {
            resource = view.orphans().get(0).label().resource(name);
        }
        return resource == null ? Optional.empty() : Optional.of(new ResourceView(resource, now, holds, tickets, rest));
    }

    private ResourceView.Hold hold(Noted noted, int weight) {
        EntryLabel label = noted.entry().label();
        Attempt own = mine(noted.entry());
        long until = own == null ? stamp.get().nowMicros() + noted.notes().leaseMicros() : own.untilMicros();
        return new ResourceView.Hold(
                label.client(),
                label.attempt(),
                weight,
                Force.tokenOf(noted),
                until,
                label.lockDelayMicros(),
                own == null || own.isClaimed(),
                noted.notes().revoked(),
                noted.notes().description());
    }

    private ResourceView.Ticket ticket(Noted noted) {
        EntryLabel label = noted.entry().label();
        Attempt own = mine(noted.entry());
        long until = own == null ? stamp.get().nowMicros() + server.trust().toNanos() / 1_000 : own.untilMicros();
        return new ResourceView.Ticket(
                label.client(),
                label.attempt(),
                label.weight(),
                label.lockDelayMicros(),
                until,
                noted.notes().description(),
                0);
    }

    List<ResourceView> list(String prefix, String after, int limit, Deadline deadline) throws StoreFailure {
        List<String> names = Answers.await(server.names(prefix), deadline).stream()
                .filter(name -> Protocol.NAME_ORDER.compare(name, after) > 0)
                .sorted(Protocol.NAME_ORDER)
                .toList();
        List<ResourceView> found = new ArrayList<>();
        for (int from = 0; from < names.size() && found.size() < limit; ) {
            // A name may turn out to be unused: other names take its place in the next round.
            int to = Math.min(names.size(), from + Math.min(INSPECTED_AT_ONCE, limit - found.size()));
            List<CompletableFuture<Optional<ResourceView>>> asked =
                    names.subList(from, to).stream().map(this::inspect).toList();
            Answers.await(Answers.all(asked), deadline).forEach(each -> each.ifPresent(found::add));
            from = to;
        }
        return found;
    }
}
