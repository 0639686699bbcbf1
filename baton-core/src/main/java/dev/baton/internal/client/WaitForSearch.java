package dev.baton.internal.client;

import dev.baton.WaitForGraph;
import dev.baton.WaitForGraph.Wait;
import dev.baton.internal.client.WaitForLook.Edge;
import dev.baton.spi.ResourceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Looks for deadlocks in two looks at a namespace. */
final class WaitForSearch {
    /** The names that one look reads. */
    private static final int MOST_NAMES = 10_000;

    private static final int PAGE = 500;

    /**
     * The time between the looks: clients tell the store within half a second who has a hold or waits, and this leaves a
     * second for the heartbeat that tells it. What both looks show alike was true at the first one, then.
     */
    private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Questions questions;
    private final Pause pause;
    private boolean whole = true;

    WaitForSearch(Questions questions, Pause pause) {
        this.questions = questions;
        this.pause = pause;
    }

    WaitForGraph graph() throws InterruptedException {
        WaitForLook first = look();
        Map<Edge, Wait> edges = first.edges();
        if (WaitForLook.circles(edges.keySet()).isEmpty()) {
            return new WaitForGraph(first.waits(), List.of(), whole);
        }
        pause.nanos(APART_NANOS);
        WaitForLook second = look();
        edges.keySet().retainAll(second.edges().keySet());
        List<List<Wait>> deadlocks = WaitForLook.circles(edges.keySet()).stream()
                .map(circle -> circle.stream().map(edges::get).toList())
                .toList();
        return new WaitForGraph(second.waits(), deadlocks, whole);
    }

    private WaitForLook look() {
        List<ResourceView> views = new ArrayList<>();
        List<ResourceView> page = page("");
        while (!page.isEmpty() && views.size() < MOST_NAMES) {
            views.addAll(page);
            page = page(page.get(page.size() - 1).resource().name());
        }
        whole &= page.isEmpty();
        return new WaitForLook(views);
    }

    private List<ResourceView> page(String after) {
        return questions.ask("who waits for whom is unknown", (store, timeout) -> store.list("", after, PAGE, timeout));
    }
}
