package dev.baton.internal.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Kind;
import dev.baton.spi.Resource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a ticket waits for when some of the capacity of a semaphore is withheld. */
class TurnCheckTest {
    private static final Resource SEMAPHORE = new Resource("x", Kind.SEMAPHORE, 5);

    private final List<Attempt> attempts = IntStream.range(0, 4)
            .mapToObj(number -> new Attempt(
                    Integer.toString(number).repeat(32),
                    new Acquire(SEMAPHORE, CommandNumber.of(1), 1, 100, 0, "test", Acquire.Mode.QUEUE, 1)))
            .toList();
    private final List<String> watched = new ArrayList<>();

    /** A server whose entries have these tokens. */
    private OrderedServer server(Map<Integer, Long> tokens) {
        return (OrderedServer) Proxy.newProxyInstance(
                OrderedServer.class.getClassLoader(),
                new Class<?>[] {OrderedServer.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "look" -> {
                            List<?> asked = (List<?>) arguments[0];
                            return CompletableFuture.completedFuture(asked.stream()
                                    .map(each -> found((Entry) each, tokens))
                                    .toList());
                        }
                        case "watch" -> watched.add(((Entry) arguments[0]).id());
                        case "watchLine" -> watched.add("line");
                        default -> throw new AssertionError(method);
                    }
                    return null;
                });
    }

    private static OrderedServer.Noted found(Entry entry, Map<Integer, Long> tokens) {
        long token = tokens.getOrDefault(Integer.parseInt(entry.id()), 0L);
        return new OrderedServer.Noted(entry, 1, 1, new EntryNotes(100, token, false, ""));
    }

    /** Looks for the last of four tickets. */
    private Turn look(int withheld, Map<Integer, Long> tokens) {
        List<Entry> line = new ArrayList<>();
        line.add(new Entry("x", EntryLabel.withheld("ab".repeat(16), 1, SEMAPHORE, withheld), "withheld"));
        for (Attempt each : attempts) {
            line.add(new Entry("x", each.label, Integer.toString(attempts.indexOf(each))));
        }
        Attempt own = attempts.get(3);
        own.joined(
                new OrderedServer.Joined(new OrderedServer.Noted(line.get(4), 7, 0, own.notes), "session", line), 50);
        LockDelays delays = new LockDelays(() -> 0, () -> 0, () -> {});
        return new TurnCheck(server(tokens), delays, (attempt, gone) -> {})
                .turnCheck(own, line)
                .join();
    }

    @Test
    void ticket_behindAHolderFromBefore_watchesTheQueue_becauseAnyReleaseMakesRoom() {
        assertThat(look(2, Map.of(0, 1L, 2, 3L))).isEqualTo(new Turn.Waits(0, false));
        assertThat(watched).containsExactly("line");
    }

    @Test
    void ticket_behindAWaiter_watchesTheWaiter_alsoIfAHolderFromBeforeIsBetween() {
        assertThat(look(4, Map.of(0, 1L, 2, 3L))).isEqualTo(new Turn.Waits(1, false));
        assertThat(watched).containsExactly("1");
    }
}
