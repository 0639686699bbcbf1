package dev.baton.house;

import dev.baton.spi.Capabilities;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The capabilities of the stores on the class path, as the table of docs/stores/README.md; {@code main} prints it. */
final class CapabilityTable {
    private CapabilityTable() {}

    /** Prints the table. */
    public static void main(String[] args) {
        System.out.println(text());
    }

    static String text() {
        List<Map<String, String>> stores = Compiled.stores().stream()
                .map(Compiled.StoreKind::capabilities)
                .map(Capabilities::inWords)
                .toList();
        Collection<String> titles = stores.get(0).keySet();
        Stream<String> head = Stream.of(line(titles), "|" + "---|".repeat(titles.size()));
        Stream<String> rows = stores.stream().map(Map::values).map(CapabilityTable::line);
        return Stream.concat(head, rows).collect(Collectors.joining("\n"));
    }

    private static String line(Collection<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
