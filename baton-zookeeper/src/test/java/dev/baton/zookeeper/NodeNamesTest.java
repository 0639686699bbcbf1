package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.OrderedNames;
import dev.baton.spi.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NodeNamesTest {
    private static String ticket(int attempt, int number) {
        return new EntryLabel(EntryLabel.Sort.TICKET, "0123456789abcdef".repeat(2), attempt, Kind.LOCK, 1, 1, 0).text()
                + '-'
                + String.format("%010d", number);
    }

    @Test
    void order_acrossAnyNumber_isThatOfMaking() {
        Random random = new Random(1);
        for (int start : new int[] {
            0,
            5,
            999_999_998,
            Integer.MAX_VALUE - 2,
            Integer.MIN_VALUE,
            -1_000_000_001,
            -1_000_000_000,
            -999_999_999,
            -2
        }) {
            List<String> children = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                children.add(ticket(i, start + i));
            }
            Collections.shuffle(children, random);
            assertThat(NodeNames.entries("x", "/x", children))
                    .as("from " + start)
                    .extracting(entry -> entry.label().attempt())
                    .containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }

    @Test
    void delays_areBehindTickets_andStrangersAreNoEntries() {
        EntryLabel delay = new EntryLabel(EntryLabel.Sort.DELAY, "ab".repeat(16), 7, Kind.SEMAPHORE, 3, 2, 1_000);
        List<Entry> line = NodeNames.entries(
                "x", "/x", List.of("foreign", delay.text(), "lock-0000000001", ticket(1, 1), "0000000002"));
        assertThat(line).extracting(entry -> entry.label().attempt()).containsExactly(1L, 7L);
        assertThat(line.get(1)).isEqualTo(new Entry("x", delay, "/x/" + delay.text()));
    }

    @Test
    void anyName_isOneNode_andComesBack() {
        for (String name :
                List.of("a", "order/42", ".", "..", "%", "%2F", "ä ß 漢 😀", "zookeeper", "\u0000\n", "a:b=c")) {
            String node = OrderedNames.encode(name);
            assertThat(node).doesNotContain("/", " ").matches("[\\x21-\\x7e]+").isNotIn(".", "..");
            assertThat(OrderedNames.decode(node)).contains(name);
        }
        assertThat(OrderedNames.encode("order-42")).isEqualTo("order-42");
        assertThat(OrderedNames.decode("a b")).isEmpty();
        assertThat(OrderedNames.decode("%2")).isEmpty();
        assertThat(OrderedNames.decode("%FF")).isEmpty();
    }
}
