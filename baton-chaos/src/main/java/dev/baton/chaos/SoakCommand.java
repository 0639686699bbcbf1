package dev.baton.chaos;

import dev.baton.chaos.soak.SoakReport;
import dev.baton.chaos.soak.SoakRun;
import dev.baton.chaos.soak.SoakSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Long runs, which look for growth. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets client JVMs use locks at a rate for a long time, with a fault now and then, and measures every 10 s"
                    + " what could grow: heap after GC, threads, file descriptors, and connections, memory and entries"
                    + " of the server.",
            "Exit codes: 0 nothing grows; 1 something grows, or was left over; 3 the run was too short to tell."
        })
final class SoakCommand implements Callable<Integer> {
    private static final double MILLIS_PER_MINUTE = 60_000;

    @Option(names = "--store", defaultValue = "redis-durable", paramLabel = "STORE", description = "As for chaos.")
    private String store = "redis-durable";

    @Option(
            names = "--faults",
            split = ",",
            defaultValue = "all",
            paramLabel = "FAULT",
            description = "As for chaos: all, none, names or beginnings of names.")
    private List<String> faults = List.of("all");

    @Option(names = "--minutes", defaultValue = "30", paramLabel = "M", description = "How long (30).")
    private double minutes = 30;

    @Option(
            names = "--rate",
            defaultValue = "1000",
            paramLabel = "N",
            description = "How often all callers together ask for a lock in a second (1000).")
    private double rate = 1_000;

    @Option(
            names = "--fault-every",
            defaultValue = "60",
            paramLabel = "S",
            description = "Seconds from one fault to the next (60).")
    private long faultEvery = 60;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "Decides which faults happen (1).")
    private long seed = 1;

    @Mixin
    private final ClientOptions team = new ClientOptions();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the run writes soak.json: a new directory (target/chaos/soak-STORE-SEED).")
    private @Nullable Path directory;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        SoakSettings settings = settings();
        SoakReport report = new SoakRun(settings, words -> LongRuns.say(line.getErr(), words)).run();
        return LongRuns.end(
                line,
                settings.directory().resolve("soak.json"),
                report.toText(),
                report.toMap(),
                report.defects(),
                report.unclear());
    }

    private SoakSettings settings() {
        if (!team.arePositive() || minutes <= 0 || rate <= 0 || faultEvery < 1) {
            throw new IllegalArgumentException(
                    "--clients, --threads, --minutes, --lease, --rate and --fault-every must be positive");
        }
        return new SoakSettings(
                store,
                faults,
                Duration.ofMillis((long) (minutes * MILLIS_PER_MINUTE)),
                rate,
                Duration.ofSeconds(faultEvery),
                seed,
                team.clients,
                team.threads,
                Duration.ofMillis(team.leaseMillis),
                RunFiles.directory(directory, "soak-", store, seed));
    }
}
