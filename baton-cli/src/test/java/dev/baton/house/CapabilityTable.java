package dev.baton.house;

import dev.baton.spi.Capabilities;
import dev.baton.spi.Capabilities.Reach;
import dev.baton.spi.Capabilities.TokenOrder;
import dev.baton.spi.StoreProvider;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the stores on the class path can do, as the README's table; {@code main} prints it. */
final class CapabilityTable {
    private static final List<String> TITLES = List.of(
            "Store",
            "Reach",
            "Queue (first come, first served)",
            "Wake-up (pushed / asked)",
            "Survives restart",
            "Tokens",
            "Shortest lease");

    private CapabilityTable() {}

    /** Prints the table. */
    public static void main(String[] args) {
        System.out.println(text());
    }

    static String text() {
        Stream<String> head = Stream.of(line(TITLES), "|" + "---|".repeat(TITLES.size()));
        Stream<String> rows = Compiled.stores().stream()
                .map(StoreProvider::capabilities)
                .map(CapabilityTable::row)
                .map(CapabilityTable::line);
        return Stream.concat(head, rows).collect(Collectors.joining("\n"));
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static List<String> row(Capabilities store) {
        return List.of(
                store.store(),
                reach(store.reach()),
                yesOrNo(store.queue()),
                store.push() ? "pushed" : "asked",
                yesOrNo(store.durable()),
                tokens(store.tokens()),
                store.shortestLease().toMillis() + " ms");
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }

    private static String reach(Reach reach) {
        return switch (reach) {
            case JVM -> "one JVM";
            case HOST -> "one machine";
            case NETWORK -> "network";
        };
    }

    private static String tokens(TokenOrder order) {
        return switch (order) {
            case HYBRID -> "grow; after data loss by the clock";
            case CONSENSUS -> "grow; as long as the log is kept";
            case BEST_EFFORT -> "usually grow";
        };
    }
}
