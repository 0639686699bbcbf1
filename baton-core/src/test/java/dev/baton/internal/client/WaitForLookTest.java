package dev.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.internal.client.WaitForLook.Edge;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Circles of threads that wait for each other, in what one look shows. */
class WaitForLookTest {
    private static final int ALL = Integer.MAX_VALUE;

    private final Map<String, Resource> resources = new HashMap<>();
    private final Map<String, List<ResourceView.Hold>> holds = new HashMap<>();
    private final Map<String, List<ResourceView.Ticket>> tickets = new HashMap<>();
    private long attempt;

    /** A name: a lower-case letter for a lock, two for a read-write lock, and a number for a semaphore of as many permits. */
    private static Resource resource(String name) {
        if (Character.isDigit(name.charAt(0))) {
            return new Resource(name, Kind.SEMAPHORE, name.charAt(0) - '0');
        }
        return name.length() == 1 ? Resource.lock(name) : new Resource(name, Kind.READ_WRITE, ALL);
    }

    private static String description(String thread) {
        return thread.equals("async")
                ? "h pid 7 thread async since 2026-01-01T00:00:00Z"
                : "h pid 7 thread " + thread + " #1 since 2026-01-01T00:00:00Z";
    }

    private WaitForLookTest hold(String thread, String name, int weight) {
        resources.put(name, resource(name));
        holds.computeIfAbsent(name, fresh -> new ArrayList<>())
                .add(new ResourceView.Hold(
                        "client", ++attempt, weight, 100 + attempt, 9, 0, true, false, description(thread)));
        return this;
    }

    private WaitForLookTest wait(String thread, String name, int weight) {
        resources.put(name, resource(name));
        tickets.computeIfAbsent(name, fresh -> new ArrayList<>())
                .add(new ResourceView.Ticket("client", ++attempt, weight, 0, 9, description(thread), 0));
        return this;
    }

    private WaitForLook look() {
        return new WaitForLook(resources.values().stream()
                .map(each -> new ResourceView(
                        each,
                        new Stamp("run", 1, 0),
                        holds.getOrDefault(each.name(), List.of()),
                        tickets.getOrDefault(each.name(), List.of()),
                        0))
                .toList());
    }

    private List<String> circles() {
        return WaitForLook.circles(look().edges().keySet()).stream()
                .map(circle -> circle.stream()
                        .map(edge -> edge.waiter().replaceAll(".* thread (\\S+) .*", "$1"))
                        .sorted()
                        .collect(Collectors.joining(" ")))
                .sorted()
                .toList();
    }

    @Test
    void twoThreads_thatHoldWhatTheOtherWants() {
        hold("A", "x", 1).hold("B", "y", 1).wait("A", "y", 1);
        assertThat(circles()).isEmpty();
        wait("B", "x", 1);
        assertThat(circles()).containsExactly("A B");
    }

    @Test
    void threeThreads_andOneThatOnlyWaitsForThem() {
        hold("A", "x", 1).hold("B", "y", 1).hold("C", "z", 1);
        wait("A", "y", 1).wait("B", "z", 1).wait("C", "x", 1).wait("D", "x", 1);
        assertThat(circles()).containsExactly("A B C");
    }

    @Test
    void thread_thatWaitsForItself() {
        hold("A", "x", 1).wait("A", "x", 1);
        assertThat(circles()).containsExactly("A");
    }

    @Test
    void writer_behindTwoReaders_ofWhichOneWaitsForIt() {
        hold("A", "xx", 1).hold("B", "xx", 1).hold("W", "y", 1);
        wait("W", "xx", ALL).wait("A", "y", 1);
        assertThat(circles()).containsExactly("A W");
    }

    @Test
    void reader_behindAWriter_thatWaitsForAnotherReader() {
        hold("A", "xx", 1).hold("R", "y", 1);
        wait("W", "xx", ALL).wait("R", "xx", 1).wait("A", "y", 1);
        assertThat(circles()).as("A waits for R, R behind W, W for A").containsExactly("A R W");
    }

    /** A cycle of edges, and no deadlock: the other holder of a permit goes on. */
    @Test
    void permits_ofWhichAnotherHolderReleasesEnough() {
        hold("A", "2", 1).hold("B", "2", 1).hold("C", "y", 1);
        wait("A", "y", 1).wait("C", "2", 1);
        assertThat(circles()).isEmpty();
        wait("B", "y", 1);
        assertThat(circles()).hasSize(1);
    }

    @Test
    void ticketForMorePermitsThanGoFree_isStuck_andSoIsTheOneBehindIt() {
        hold("A", "3", 2).hold("B", "y", 1);
        wait("A", "y", 1).wait("C", "3", 2).wait("B", "3", 1);
        assertThat(circles()).as("B would fit, and must not pass C").containsExactly("A B C");
    }

    @Test
    void asynchronousHolder_isNoThreadThatWaits() {
        hold("async", "x", 1).hold("B", "y", 1);
        wait("async", "y", 1).wait("B", "x", 1);
        assertThat(circles()).isEmpty();
    }

    @Test
    void threadWithTwoTickets_hasGivenUpOneOfThem() {
        hold("A", "x", 1).hold("B", "y", 1);
        wait("A", "y", 1).wait("B", "x", 1).wait("A", "z", 1);
        assertThat(circles()).isEmpty();
    }

    @Test
    void waits_areEachTicketsOnes() {
        hold("A", "xx", 1).hold("B", "xx", 1).wait("W", "xx", ALL).wait("R", "xx", 1);
        assertThat(look().waits().stream().map(Object::toString))
                .containsExactly(
                        description("W") + " waits for read-write lock \"xx\", which is held by " + description("A"),
                        description("W") + " waits for read-write lock \"xx\", which is held by " + description("B"),
                        description("R") + " waits for read-write lock \"xx\", behind " + description("W"));
    }

    /** Compares with a simulation: threads that do not wait release all, until nothing moves. */
    @Test
    void randomLooks_haveCirclesExactlyIfThreadsAreStuck() {
        for (int seed = 0; seed < 20_000; seed++) {
            WaitForLookTest each = random(new Random(seed));
            Set<String> stuck = each.stuck();
            Set<Edge> edges = each.look().edges().keySet();
            List<List<Edge>> circles = WaitForLook.circles(edges);
            assertThat(circles.isEmpty()).as("seed " + seed).isEqualTo(stuck.isEmpty());
            for (List<Edge> circle : circles) {
                for (int i = 0; i < circle.size(); i++) {
                    assertThat(stuck).as("seed " + seed).contains(circle.get(i).waiter());
                    assertThat(circle.get(i).other())
                            .as("seed " + seed)
                            .isEqualTo(circle.get((i + 1) % circle.size()).waiter());
                }
            }
        }
    }

    private static WaitForLookTest random(Random random) {
        WaitForLookTest look = new WaitForLookTest();
        List<String> names = List.of("x", "y", "xx", "2", "3");
        int threads = 2 + random.nextInt(5);
        for (String name : names) {
            Resource resource = resource(name);
            long room = resource.capacity();
            for (int i = random.nextInt(4); i > 0; i--) {
                int weight = weight(resource, random);
                if (weight <= room) {
                    room -= weight;
                    look.hold("T" + random.nextInt(threads), name, weight);
                }
            }
        }
        for (int thread = 0; thread < threads; thread++) {
            if (random.nextInt(4) > 0) {
                String name = names.get(random.nextInt(names.size()));
                look.wait("T" + thread, name, weight(resource(name), random));
            }
        }
        return look;
    }

    private static int weight(Resource resource, Random random) {
        return switch (resource.kind()) {
            case LOCK -> 1;
            case READ_WRITE -> random.nextBoolean() ? 1 : ALL;
            case SEMAPHORE -> 1 + random.nextInt(resource.capacity());
        };
    }

    /** The threads that still wait when all others have released what they hold, and grants have followed. */
    private Set<String> stuck() {
        Map<String, List<ResourceView.Hold>> held = new HashMap<>();
        holds.forEach((name, some) -> held.put(name, new ArrayList<>(some)));
        Map<String, List<ResourceView.Ticket>> queued = new HashMap<>();
        tickets.forEach((name, some) -> queued.put(name, new ArrayList<>(some)));
        boolean moved = true;
        while (moved) {
            Set<String> waiting = queued.values().stream()
                    .flatMap(List::stream)
                    .map(ticket -> Description.threadIn(ticket.description()))
                    .collect(Collectors.toCollection(HashSet::new));
            moved = false;
            for (Resource resource : resources.values()) {
                List<ResourceView.Hold> here = held.computeIfAbsent(resource.name(), fresh -> new ArrayList<>());
                moved |= here.removeIf(hold -> !waiting.contains(Description.threadIn(hold.description())));
                List<ResourceView.Ticket> line = queued.computeIfAbsent(resource.name(), fresh -> new ArrayList<>());
                long used = here.stream().mapToLong(ResourceView.Hold::weight).sum();
                if (!line.isEmpty() && used + line.get(0).weight() <= resource.capacity()) {
                    line.remove(0);
                    moved = true;
                }
            }
        }
        return queued.values().stream()
                .flatMap(List::stream)
                .map(ticket -> Description.threadIn(ticket.description()))
                .collect(Collectors.toSet());
    }
}
