package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Faults;
import dev.baton.chaos.fault.StoreClockFault;
import dev.baton.chaos.text.Columns;
import dev.baton.chaos.text.MarkdownTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All faults of all stores: each store can have a fault, or there is a reason why it cannot. */
public final class Catalogue {
    private static final int NAME = 26;
    private static final String YES = "yes";

    private Catalogue() {}

    /** Returns the names of the faults that a store can have, on a machine on which clocks can be set. */
    static List<String> offered(String store) {
        Site site = Sites.of(store, Path.of("."));
        List<String> ids = new ArrayList<>();
        faults(site).forEach(fault -> ids.add(fault.id()));
        if (site.isByClientsClock()) {
            ids.remove(Faults.CLIENT_CLOCK);
            ids.addAll(StoreClockFault.ids(StoreClockFault.MACHINE));
        } else if (site.setsClock()) {
            ids.addAll(StoreClockFault.ids(StoreClockFault.SERVER));
        }
        return ids;
    }

    /** Returns all faults of a store, but those of clocks that it needs. */
    public static List<Fault> faults(Site site) {
        List<Fault> faults = new ArrayList<>(Faults.common(site.hasNetwork()));
        faults.addAll(site.faults());
        return faults;
    }

    /** Returns the names of all faults: those of all stores first, and those that no store can have last. */
    static Set<String> faults() {
        Set<String> faults = new LinkedHashSet<>();
        Faults.common(true).forEach(fault -> faults.add(fault.id()));
        Sites.names().forEach(store -> faults.addAll(offered(store)));
        faults.addAll(Descriptions.all().keySet());
        return faults;
    }

    /** Returns the reasons why a store cannot have a fault; one if it cannot, none if it can. */
    static List<String> reasons(String store, String fault) {
        return Reasons.all().stream()
                .filter(reason -> reason.isFor(store, fault))
                .map(Reasons.Reason::sentence)
                .toList();
    }

    /** Returns what each fault does to a store, or why it has none, for a terminal. */
    public static String of(String store) {
        List<String> offered = offered(store);
        StringBuilder text = new StringBuilder();
        for (String fault : faults()) {
            String words = offered.contains(fault)
                    ? describe(fault).course()
                    : "No. " + String.join(" ", reasons(store, fault));
            text.append(Columns.entry(fault, NAME, words));
        }
        return text.toString();
    }

    private static Descriptions.Description describe(String fault) {
        return Objects.requireNonNull(Descriptions.all().get(fault), fault);
    }

    /** Returns the faults as a table of Markdown. */
    static String descriptions() {
        MarkdownTable table = new MarkdownTable("fault", "what happens", "what counts as an effect");
        faults().forEach(fault -> table.row(
                quoted(fault), describe(fault).course(), describe(fault).proof()));
        return table.toString();
    }

    /** Returns which store can have which fault as a table of Markdown, and the numbered reasons below it. */
    static String matrix() {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        MarkdownTable table = new MarkdownTable(row("fault", Catalogue::quoted));
        for (String fault : faults()) {
            table.row(row(quoted(fault), store -> cell(store, fault, numbers)));
        }
        StringBuilder text = new StringBuilder(table + "\n");
        numbers.forEach((reason, number) ->
                text.append(number).append(". ").append(reason).append('\n'));
        return text.toString();
    }

    private static String[] row(String first, UnaryOperator<String> ofStore) {
        return Stream.concat(Stream.of(first), Sites.names().stream().map(ofStore))
                .toArray(String[]::new);
    }

    private static String quoted(String name) {
        return '`' + name + '`';
    }

    private static String cell(String store, String fault, Map<String, Integer> numbers) {
        if (offered(store).contains(fault)) {
            return YES;
        }
        return reasons(store, fault).stream()
                .map(reason -> Integer.toString(numbers.computeIfAbsent(reason, is -> numbers.size() + 1)))
                .collect(Collectors.joining(" "));
    }
}
