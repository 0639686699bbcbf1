package dev.baton.cli.run;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.store.StoreOptions;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that runs another one under a lease: where the lease is, and how it and the command end. */
final class LeaseOptions {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description =
                    "How long the lock outlives this machine if it dies (${DEFAULT-VALUE}); the command may run for"
                            + " as long as it likes.")
    private Duration leaseTime = BatonOptions.DEFAULT_LEASE_TIME;

    @Option(
            names = {"-k", "--kill-after"},
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = DurationConverter.class,
            description =
                    "When the lock is lost: time between SIGTERM and SIGKILL (${DEFAULT-VALUE}, at most a fifth of"
                            + " the time for which the store makes a lock sure: the lease, or less).")
    private Duration killAfter = Duration.ZERO;

    Duration leaseTime() {
        return leaseTime;
    }

    Duration killAfter() {
        return killAfter;
    }

    /** Returns the options of a client, after checking that they make sense. */
    BatonOptions.Builder client(String application) {
        if (killAfter.isZero()) {
            throw new CliException(ExitCode.USAGE, "--kill-after must be positive", null);
        }
        BatonOptions.Builder builder =
                store.client().applicationName(application).closeOnShutdown(true);
        try {
            builder.leaseTime(leaseTime).build();
            return builder;
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--lease: " + e.getMessage(), e);
        }
    }

    /** Connects for a command that must not run on several machines at once. */
    Baton connect(Start start, BatonOptions options, Terminal err) throws InterruptedException {
        return start.connect(() -> store.connectForCommand(options, err), StoreOptions.CONNECT_TIMEOUT);
    }

    /** Connects in order to look only. */
    Baton look() {
        return store.connect(store.client().build());
    }

    /** Refuses where the command could not be ended when the lock is lost. */
    static void requireSignals() {
        if (System.getProperty("os.name").startsWith("Windows")) {
            throw new CliException(
                    ExitCode.ENVIRONMENT,
                    "cannot run a command under a lock on Windows, which has no signals to end it with: use WSL there",
                    null);
        }
    }

    /** Translates the code of a failure, so that it differs from the codes of most commands. */
    static int translated(int usual) {
        return switch (usual) {
            case ExitCode.STORE -> ExitCode.RUN_STORE;
            case ExitCode.USAGE, ExitCode.INTERNAL, ExitCode.ENVIRONMENT -> ExitCode.RUN_ITSELF;
            default -> usual;
        };
    }

    /** Returns the words of the command to run. */
    static List<String> required(List<String> words) {
        if (words.isEmpty()) {
            throw new CliException(ExitCode.USAGE, "name the command to run, after --", null);
        }
        Command.require(words);
        return words;
    }
}
