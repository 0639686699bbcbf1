package dev.baton.internal.ordered;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holds behind which other clients queue. One read beside the proof counts the entries of all queues. If
 * several clients may hold, a queue with entries of others is also read.
 */
final class Crowds {
    private final List<Attempt> holds;
    private final CompletableFuture<Set<Attempt>> contended;

    Crowds(OrderedServer server, List<@Nullable Attempt> asked) {
        Set<Attempt> there = new LinkedHashSet<>();
        asked.forEach(own -> {
            if (own != null) {
                there.add(own);
            }
        });
        holds = List.copyOf(there);
        contended = holds.isEmpty()
                ? CompletableFuture.completedFuture(Set.of())
                : server.lengths(holds.stream().map(Attempt::name).toList())
                        .thenCompose(lengths -> contended(server, lengths));
    }

    private CompletableFuture<Set<Attempt>> contended(OrderedServer server, List<Integer> lengths) {
        Set<Attempt> found = new HashSet<>();
        List<CompletableFuture<Boolean>> looks = new ArrayList<>();
        List<Attempt> looked = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            Attempt own = holds.get(i);
            if (lengths.get(i) > own.entries()) {
                found.add(own);
                if (own.isShared()) {
                    looked.add(own);
                    looks.add(server.line(own.name()).thenCompose(line -> isQueue(server, line)));
                }
            }
        }
        return Answers.all(looks).thenApply(queues -> {
            for (int i = 0; i < looked.size(); i++) {
                if (!queues.get(i)) {
                    found.remove(looked.get(i));
                }
            }
            return found;
        });
    }

    private static CompletableFuture<Boolean> isQueue(OrderedServer server, List<Entry> line) {
        OrderedView view = new OrderedView(line);
        return view.mayExceed()
                ? server.look(view.tickets())
                        .thenApply(found ->
                                found.stream().anyMatch(each -> each.notes().token() == 0))
                : CompletableFuture.completedFuture(view.tickets().size() > view.holders());
    }

    /**
     * Returns the holds behind which other clients queue; all holds if that is unknown. It is a hint, so no renewal
     * fails because of it.
     */
    Set<Attempt> contended(Deadline deadline) {
        try {
            return Answers.await(contended, deadline);
        } catch (StoreFailure unknown) {
            return Set.copyOf(holds);
        }
    }
}
