package dev.baton.bench.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plays scenarios with products, all products of a scenario at the same time, and makes a table of the counts. */
public final class JobTable {
    private static final String NOT_RUN = "not run: ";

    private final List<Scenario> scenarios;
    private final List<Product> products;

    private JobTable(List<Scenario> scenarios, List<Product> products) {
        this.scenarios = scenarios;
        this.products = products;
    }

    /**
     * The counts.
     *
     * @param markdown the table, with the versions and settings below it
     * @param isComplete whether every cell was counted
     */
    public record Counted(String markdown, boolean isComplete) {}

    /**
     * Chooses rows and columns.
     *
     * @param codes first parts of the codes of scenarios, such as J2; empty for all
     * @param names parts of names of products; Baton is always among them; empty for all
     * @throws IllegalArgumentException if no scenario has such a code
     */
    public static JobTable chosen(List<String> codes, List<String> names) {
        List<Scenario> scenarios = Arrays.stream(Scenario.values())
                .filter(each -> codes.isEmpty()
                        || codes.stream().anyMatch(code -> each.name().startsWith(code.toUpperCase(Locale.ROOT))))
                .toList();
        if (scenarios.isEmpty()) {
            throw new IllegalArgumentException("no scenario of jobs has such a code: there are "
                    + Stream.of(Scenario.values()).map(Scenario::name).collect(Collectors.joining(", ")));
        }
        List<Product> products = Arrays.stream(Product.values())
                .filter(each -> names.isEmpty()
                        || each == Product.BATON
                        || names.stream()
                                .anyMatch(name ->
                                        each.title().toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT))))
                .toList();
        return new JobTable(scenarios, products);
    }

    /** Returns the first cells of the rows. */
    public List<String> titles() {
        return scenarios.stream().map(Scenario::title).toList();
    }

    /**
     * Plays all.
     *
     * @param progress receives lines that report progress
     * @param versions names the library of a class, with its version
     */
    public Counted count(Consumer<String> progress, Function<Class<?>, String> versions) throws Exception {
        Path clocks = Files.createTempDirectory("baton-clocks-");
        ExecutorService threads = Executors.newFixedThreadPool(products.size());
        List<Arena> arenas = new ArrayList<>();
        try {
            progress.accept("starting a PostgreSQL for each product");
            arenas.addAll(together(threads, products, product -> new Arena(product, clocks.resolve(product.name()))));
            Map<Scenario, List<String>> cells = new LinkedHashMap<>();
            for (Scenario scenario : scenarios) {
                progress.accept(scenario.title());
                cells.put(scenario, together(threads, arenas, arena -> cell(scenario, arena, progress)));
            }
            return new Counted(
                    markdown(cells) + "\n" + conditions(versions, arenas.get(0)),
                    cells.values().stream().flatMap(List::stream).noneMatch(cell -> cell.startsWith(NOT_RUN)));
        } finally {
            arenas.forEach(Arena::close);
            threads.shutdown();
            delete(clocks);
        }
    }

    /** Does something for all at the same time. */
    private static <T, R> List<R> together(ExecutorService threads, List<T> all, Step<T, R> step) throws Exception {
        List<Callable<R>> calls = new ArrayList<>();
        all.forEach(each -> calls.add(() -> step.of(each)));
        List<R> results = new ArrayList<>();
        for (Future<R> result : threads.invokeAll(calls)) {
            results.add(result.get());
        }
        return results;
    }

    /** One of the things that are done at the same time. */
    @FunctionalInterface
    private interface Step<T, R> {
        R of(T each) throws Exception;
    }

    private static String cell(Scenario scenario, Arena arena, Consumer<String> progress) throws InterruptedException {
        String cell;
        try {
            cell = scenario.play(arena);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            cell = NOT_RUN + e;
        }
        progress.accept("  " + arena.product().title() + ": " + cell);
        return cell;
    }

    private String markdown(Map<Scenario, List<String>> cells) {
        StringBuilder table = new StringBuilder();
        List<String> head = new ArrayList<>(List.of("scenario"));
        products.forEach(product -> head.add(product.title()));
        table.append(line(head)).append("|---".repeat(head.size())).append("|\n");
        cells.forEach((scenario, counted) -> table.append(line(
                Stream.concat(Stream.of(scenario.title()), counted.stream()).toList())));
        return table.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream()
                .map(cell -> cell.replace("|", "\\|").replace('\n', ' '))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private String conditions(Function<Class<?>, String> versions, Arena arena) throws Exception {
        StringBuilder words = new StringBuilder();
        for (Product product : products) {
            words.append(
                    "- %s: %s; %s\n".formatted(product.title(), versions.apply(product.library()), product.settings()));
        }
        try (Connection connection = DriverManager.getConnection(arena.server().uri())) {
            return words.append("- PostgreSQL %s, %s\n"
                            .formatted(
                                    connection.getMetaData().getDatabaseProductVersion(), versions.apply(Object.class)))
                    .toString();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
