package dev.baton.internal.ordered;

import dev.baton.spi.Deadline;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Withholds some of a resource's capacity. An entry says how much; a new one is there before earlier ones are removed, so
 * that nothing is granted in between which neither of them allows.
 */
final class Withholding {
    private final OrderedServer server;
    private final LockDelays delays;
    private final String client;
    private final Resource resource;

    Withholding(OrderedServer server, LockDelays delays, String client, Resource resource) {
        this.server = server;
        this.delays = delays;
        this.client = client;
        this.resource = resource;
    }

    /** Returns the resource of the name; if that is another one, nothing has changed. */
    Resource set(int weight, Deadline deadline) throws StoreFailure {
        String name = resource.name();
        OrderedView view = new OrderedView(Answers.await(server.lineNow(name), deadline));
        long number = view.withholding().stream()
                        .mapToLong(each -> each.label().attempt())
                        .max()
                        .orElse(0)
                + 1;
        EntryLabel label = EntryLabel.withheld(client, number, resource, weight);
        // Of no client: its number could be that of an attempt of this one.
        Optional<Entry> other = view.otherKind(
                EntryLabel.withheld(Hold.NO_CLIENT, number, resource, weight), delays.inTheWay(name, view));
        if (other.isPresent()) {
            return other.get().label().resource(name);
        }
        if (weight > 0) {
            Answers.await(server.withhold(name, label), deadline);
        }
        List<CompletableFuture<Boolean>> removals = new ArrayList<>();
        for (Entry each : view.withholding()) {
            removals.add(server.leave(each, false));
        }
        Answers.await(Answers.all(removals), deadline);
        Answers.await(server.prove(List.of()), deadline);
        return resource;
    }
}
