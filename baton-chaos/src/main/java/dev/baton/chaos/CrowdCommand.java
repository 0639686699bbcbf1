package dev.baton.chaos;

import dev.baton.chaos.soak.Crowd;
import dev.baton.chaos.soak.CrowdReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Clients that come and go. */
@Command(
        name = "crowd",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets many clients connect, take two locks and go, several at once in several JVMs; every fifth JVM is killed"
                    + " with those that it has. Then it looks for what they left at the server, and in the JVMs.",
            "Exit codes: 0 nothing is left; 1 something is left, or grows; 3 there were too few to tell."
        })
final class CrowdCommand implements Callable<Integer> {
    @Option(names = "--store", defaultValue = "redis", paramLabel = "STORE", description = "As for chaos.")
    private String store = "redis";

    @Option(names = "--clients", defaultValue = "100000", paramLabel = "N", description = "How many (100000).")
    private int clients = 100_000;

    @Option(
            names = "--minutes",
            defaultValue = "50",
            paramLabel = "M",
            description = "When no more come, although there were fewer (50).")
    private long minutes = 50;

    @Option(names = "--jvms", defaultValue = "3", paramLabel = "N", description = "JVMs at a time (3).")
    private int jvms = 3;

    @Option(names = "--each", defaultValue = "5000", paramLabel = "N", description = "Clients of one JVM (5000).")
    private int each = 5_000;

    @Option(names = "--at-once", defaultValue = "4", paramLabel = "N", description = "Clients of a JVM at a time (4).")
    private int atOnce = 4;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the run writes crowd.json: a new directory (target/chaos/crowd-STORE-N).")
    private @Nullable Path directory;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (clients < 1 || minutes < 1 || jvms < 1 || each < 1 || atOnce < 1) {
            throw new IllegalArgumentException("--clients, --minutes, --jvms, --each and --at-once must be positive");
        }
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        Path files = RunFiles.directory(directory, "crowd-", store, clients);
        CrowdReport report = new Crowd(
                        store,
                        clients,
                        Duration.ofMinutes(minutes),
                        jvms,
                        each,
                        atOnce,
                        files,
                        words -> LongRuns.say(line.getErr(), words))
                .run();
        return LongRuns.end(
                line, files.resolve("crowd.json"), report.toText(), report.toMap(), report.defects(), List.of());
    }
}
