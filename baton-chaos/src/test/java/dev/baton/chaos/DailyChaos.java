package dev.baton.chaos;

import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.lock.NameSet;
import dev.baton.chaos.report.Report;
import dev.baton.chaos.report.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The run that is part of every build: clients die and pause, and talk to Redis over a bad network. */
final class DailyChaos {
    static final Duration LENGTH = Duration.ofSeconds(45);

    /** Little time between faults: some thirty of them happen. */
    private static final double CALM = 0.3;

    /** Few enough that each happens several times. */
    private static final List<String> FAULTS = List.of(
            "client-kill", "client-pause", "wire-cut", "wire-silence", "wire-late-replies", "wire-lost-replies");

    private DailyChaos() {}

    static Report run(String subject, Duration length, long seed, Path directory) throws Exception {
        Settings settings = new Settings(
                "redis-durable",
                subject,
                FAULTS,
                length,
                seed,
                3,
                4,
                NameSet.locks(10),
                Duration.ofSeconds(2),
                ClientSettings.longSections(subject),
                CALM,
                directory.resolve(subject.replace(':', '-') + '-' + seed));
        return new ChaosRun(settings, line -> {}).run();
    }
}
