package dev.baton.internal.client;

import dev.baton.WaitForGraph.Wait;
import dev.baton.spi.ResourceView;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One look at the holds and tickets of a namespace: who waits for whom, and which threads can never go on by what this
 * look shows.
 *
 * <p>A cycle of edges is no deadlock where a name has several holders, because any of them may make room. So this reduces
 * the graph first (R. C. Holt, "Some deadlock properties of computer systems", 1972): a thread that does not wait, or
 * whose ticket fits when all threads that go on have released what they hold, goes on. The threads that are left wait for
 * each other.
 */
final class WaitForLook {
    private final List<ResourceView> views;

    /** The only ticket of each thread that waits. A thread with several has just given up with all but one. */
    private final Map<Node, Place> places = new LinkedHashMap<>();

    /** The threads that wait, and can never go on. */
    private final Set<Node> blocked;

    /** A thread of a client. */
    private record Node(String client, String thread) {}

    /** A ticket, and where it is. */
    private record Place(ResourceView view, int index) {
        Ticket ticket() {
            return view.tickets().get(index);
        }
    }

    /**
     * One thread waits for another. Equal in two looks only if neither has done anything with these names in between.
     *
     * @param attempt the number of the ticket
     * @param obstacle the number of the hold or ticket that is in the way
     * @param token the hold's token; 0 for a ticket
     */
    record Edge(
            String client,
            String waiter,
            long attempt,
            String name,
            String otherClient,
            String other,
            long obstacle,
            long token) {
        private Node from() {
            return new Node(client, waiter);
        }

        private Node to() {
            return new Node(otherClient, other);
        }
    }

    WaitForLook(List<ResourceView> views) {
        this.views = views;
        Set<Node> several = new HashSet<>();
        for (ResourceView view : views) {
            for (int i = 0; i < view.tickets().size(); i++) {
                Node node = node(view.tickets().get(i));
                if (!node.thread().isEmpty() && places.put(node, new Place(view, i)) != null) {
                    several.add(node);
                }
            }
        }
        places.keySet().removeAll(several);
        this.blocked = new HashSet<>(places.keySet());
        reduce();
    }

    private static Node node(Ticket ticket) {
        return new Node(ticket.client(), Description.threadIn(ticket.description()));
    }

    private static Node node(Hold hold) {
        return new Node(hold.client(), Description.threadIn(hold.description()));
    }

    private void reduce() {
        boolean goesOn = !blocked.isEmpty();
        while (goesOn) {
            goesOn = false;
            for (ResourceView view : views) {
                goesOn |= reduce(view);
            }
        }
    }

    /** Lets the threads go on whose tickets fit beside the holds of blocked threads; returns whether there are any. */
    private boolean reduce(ResourceView view) {
        boolean goesOn = false;
        for (Ticket ticket : view.tickets().subList(0, fitting(view))) {
            goesOn |= blocked.remove(node(ticket));
        }
        return goesOn;
    }

    /** Returns how many tickets fit, in the order of the queue, when all threads that go on have released their holds. */
    private int fitting(ResourceView view) {
        long room = view.resource().capacity();
        for (Hold hold : view.holds()) {
            room -= hold.isWithheld() || blocked.contains(node(hold)) ? hold.weight() : 0;
        }
        int fit = 0;
        while (fit < view.tickets().size() && view.tickets().get(fit).weight() <= room) {
            fit++;
        }
        return fit;
    }

    /** Returns who waits for whom: each ticket for the one before it, and the first for the holders. */
    List<Wait> waits() {
        List<Wait> waits = new ArrayList<>();
        for (ResourceView view : views) {
            for (int i = 0; i < view.tickets().size(); i++) {
                Ticket ticket = view.tickets().get(i);
                if (i > 0) {
                    waits.add(wait(view, ticket, view.tickets().get(i - 1).description(), true));
                    continue;
                }
                for (Hold hold : view.holds()) {
                    if (!hold.isWithheld()) {
                        waits.add(wait(view, ticket, hold.description(), false));
                    }
                }
            }
        }
        return waits;
    }

    private static Wait wait(ResourceView view, Ticket ticket, String holder, boolean queued) {
        return new Wait(
                ticket.description(),
                view.resource().name(),
                Kinds.of(view.resource().kind()),
                holder,
                queued);
    }

    /** Returns the edges between blocked threads, with the wait that each stands for. */
    Map<Edge, Wait> edges() {
        Map<Edge, Wait> edges = new LinkedHashMap<>();
        for (Map.Entry<Node, Place> each : places.entrySet()) {
            if (blocked.contains(each.getKey())) {
                addEdges(each.getKey(), each.getValue(), edges);
            }
        }
        return edges;
    }

    /**
     * A blocked ticket waits for the blocked one before it, and for each hold that it cannot fit beside. The first waits
     * for all holds of blocked threads: it fits beside each, and not beside all.
     */
    private void addEdges(Node from, Place place, Map<Edge, Wait> edges) {
        ResourceView view = place.view();
        Ticket own = place.ticket();
        Ticket before = blockedBefore(place);
        if (before != null) {
            Edge edge = edge(from, place, node(before), before.attempt(), 0);
            edges.put(edge, wait(view, own, before.description(), true));
        }
        for (Hold hold : view.holds()) {
            boolean inTheWay = (long) hold.weight() + own.weight() + view.withheld()
                    > view.resource().capacity();
            if (blocked.contains(node(hold)) && (before == null || inTheWay)) {
                Edge edge = edge(from, place, node(hold), hold.attempt(), hold.token());
                edges.put(edge, wait(view, own, hold.description(), false));
            }
        }
    }

    /** The last ticket of a blocked thread that no ticket behind it passes. */
    private @Nullable Ticket blockedBefore(Place place) {
        for (int at = place.index() - 1; at >= fitting(place.view()); at--) {
            Ticket before = place.view().tickets().get(at);
            if (blocked.contains(node(before))) {
                return before;
            }
        }
        return null;
    }

    private static Edge edge(Node from, Place place, Node to, long obstacle, long token) {
        return new Edge(
                from.client(),
                from.thread(),
                place.ticket().attempt(),
                place.view().resource().name(),
                to.client(),
                to.thread(),
                obstacle,
                token);
    }

    /**
     * Finds circles among edges: for each thread the shortest that it is part of, unless a thread of it is in another
     * one already.
     */
    static List<List<Edge>> circles(Set<Edge> edges) {
        Map<Node, List<Edge>> from = new LinkedHashMap<>();
        edges.forEach(edge ->
                from.computeIfAbsent(edge.from(), fresh -> new ArrayList<>()).add(edge));
        List<List<Edge>> circles = new ArrayList<>();
        Set<Node> told = new HashSet<>();
        for (Node start : from.keySet()) {
            List<Edge> circle = shortest(start, from);
            if (circle.stream().noneMatch(edge -> told.contains(edge.from())) && !circle.isEmpty()) {
                circles.add(circle);
                circle.forEach(edge -> told.add(edge.from()));
            }
        }
        return circles;
    }

    /** The shortest way from a thread back to itself; empty if there is none. */
    private static List<Edge> shortest(Node start, Map<Node, List<Edge>> from) {
        Map<Node, Edge> cameBy = new HashMap<>();
        Deque<Node> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty() && !cameBy.containsKey(start)) {
            for (Edge edge : from.getOrDefault(open.remove(), List.of())) {
                if (cameBy.putIfAbsent(edge.to(), edge) == null) {
                    open.add(edge.to());
                }
            }
        }
        Deque<Edge> circle = new ArrayDeque<>();
        for (Edge edge = cameBy.get(start); edge != null; edge = cameBy.get(edge.from())) {
            circle.addFirst(edge);
            if (edge.from().equals(start)) {
                break;
            }
        }
        return List.copyOf(circle);
    }
}
