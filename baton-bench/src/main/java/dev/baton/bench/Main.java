package dev.baton.bench;

import dev.baton.bench.Contestant.Home;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the benchmarks. */
@Command(
        name = "baton-bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures Baton beside its peers, all in turns on one server. Progress goes to standard error.")
final class Main implements Callable<Integer> {
    private static final String MEMORY = "memory:bench";
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description =
                    "The server, for example redis://127.0.0.1:6379. Without one, only what needs none is measured.")
    private @Nullable URI redis;

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            description = "A PostgreSQL database to make tables in, for example"
                    + " jdbc:postgresql://127.0.0.1:5432/postgres?user=postgres.")
    private @Nullable String jdbc;

    @Option(
            names = "--zookeeper",
            paramLabel = "URI",
            description = "An ensemble to make nodes in, for example zookeeper://127.0.0.1:2181.")
    private @Nullable String zookeeper;

    @Option(
            names = "--etcd",
            paramLabel = "URI",
            description = "A cluster to make keys in, for example etcd://127.0.0.1:2379.")
    private @Nullable String etcd;

    @Option(names = "--baton", paramLabel = "URI", description = "Baton's store, if it is another than the server.")
    private @Nullable String baton;

    @Option(names = "--seconds", defaultValue = "3", description = "How long one turn is (${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--warm-up", defaultValue = "5", description = "How long the turn before is (${DEFAULT-VALUE}).")
    private double warmUp;

    @Option(names = "--rounds", defaultValue = "5", description = "How many turns each has (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--only",
            arity = "1..*",
            paramLabel = "ROW",
            description = "Rows to measure, or the first parts of their names: a, d.16x1, g.held.calls.")
    private List<String> only = List.of();

    @Option(names = "--list", description = "Show what there is to measure, and measure nothing.")
    private boolean list;

    @Option(names = "--json", description = "Print one JSON object, and nothing else.")
    private boolean json;

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    /**
     * Measures.
     *
     * @param args as typed
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setExecutionExceptionHandler((error, line, parsed) -> {
                    line.getErr().println("baton-bench: " + error.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds must be at least 1");
        }
        List<Row> rows = Rows.chosen(only);
        if (list) {
            rows.forEach(row -> out.println(row.id() + "  " + row.what()));
            return CommandLine.ExitCode.OK;
        }
        Results results = measure(rows);
        Report report = new Report(results);
        out.println(json ? report.toJson() : report.toText());
        return results.areComplete() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private Results measure(List<Row> rows) throws InterruptedException {
        if (redis == null) {
            return bench(() -> Usage.UNKNOWN, baton == null ? MEMORY : baton).run(rows);
        }
        try (Server server = new Server(redis)) {
            return bench(server, baton == null ? redis.toString() : baton).run(rows);
        }
    }

    private Bench bench(Supplier<Usage> server, String store) {
        Map<Home, String> elsewhere = new EnumMap<>(Home.class);
        if (jdbc != null) {
            elsewhere.put(Home.DATABASE, jdbc);
        }
        if (zookeeper != null) {
            elsewhere.put(Home.ZOOKEEPER, zookeeper);
        }
        if (etcd != null) {
            elsewhere.put(Home.ETCD, etcd);
        }
        Stage stage = new Stage(store, Optional.ofNullable(redis), elsewhere, 1, 0);
        return new Bench(stage, server, duration(warmUp), duration(seconds), rounds, err::println);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    }
}
