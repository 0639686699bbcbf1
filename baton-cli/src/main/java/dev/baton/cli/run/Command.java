package dev.baton.cli.run;

import dev.baton.Lease;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.store.StoreOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The command to run.
 *
 * @param words program and arguments
 * @param environment variables for it, in addition to those of this process
 */
record Command(List<String> words, Map<String, String> environment) {
    /** The variable by which the guardian recognises the command and all its descendants. */
    static final String MARK = "BATON_RUN";

    private static final String NAME = "BATON_NAME";
    private static final String TOKEN = "BATON_TOKEN";
    private static final Pattern OF_THE_LEASE =
            Pattern.compile('(' + NAME + '|' + TOKEN + ")(_\\d+)?|BATON_FIRE_TIME|BATON_ATTEMPT");

    /**
     * Returns a command that knows under which locks it runs; a shared lease has no token that orders its writes.
     *
     * @param names of the lease, as the user ordered them
     */
    static Command under(Lease lease, List<String> names, List<String> words, String mark) {
        Map<String, String> environment = new HashMap<>(Map.of(MARK, mark));
        for (int i = 0; i < names.size(); i++) {
            String which = names.size() == 1 ? "" : "_" + (i + 1);
            environment.put(NAME + which, names.get(i));
            if (!lease.isShared()) {
                environment.put(TOKEN + which, Long.toString(lease.token(names.get(i))));
            }
        }
        return new Command(words, environment);
    }

    /**
     * Returns a command of a job or an election, whose lock has another name than the user knows.
     *
     * @param more variables for it
     */
    static Command under(Lease lease, String name, List<String> words, String mark, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put(MARK, mark);
        environment.put(NAME, name);
        environment.put(TOKEN, Long.toString(lease.token()));
        return new Command(words, environment);
    }

    /** Returns the mark, as {@code NAME=VALUE}. */
    String mark() {
        return MARK + '=' + environment.getOrDefault(MARK, "");
    }

    /** Refuses a command that cannot be there, before it is due. */
    static void require(List<String> words) {
        String program = words.get(0);
        if (!exists(program)) {
            throw new CliException(ExitCode.RUN_NOT_FOUND, missing(program), null);
        }
    }

    private static String missing(String program) {
        return "cannot start '" + program + "': there is no such command";
    }

    /** Returns the program's name without its directory, for messages. */
    static String name(List<String> words) {
        Path file = Path.of(words.get(0)).getFileName();
        return file == null ? words.get(0) : file.toString();
    }

    /** Starts it with this process's input, output, terminal and process group. */
    Process start() {
        ProcessBuilder builder = new ProcessBuilder(isThere() ? QuitSignal.unblocked(words) : words).inheritIO();
        StoreOptions.withoutPassword(builder.environment());
        // Those of an outer command are not this one's.
        builder.environment().keySet().removeIf(OF_THE_LEASE.asMatchPredicate());
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            String program = words.get(0);
            if (exists(program)) {
                throw new CliException(
                        ExitCode.RUN_NOT_EXECUTABLE,
                        "cannot start '" + program + "': it is there, but not a program that this user may run",
                        e);
            }
            throw new CliException(ExitCode.RUN_NOT_FOUND, missing(program), e);
        }
    }

    /** Returns whether the program exists and is executable. If it is not, it is started anyway, to get the reason. */
    private boolean isThere() {
        return places(words.get(0)).anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    }

    private static boolean exists(String program) {
        return places(program).anyMatch(Files::exists);
    }

    private static Stream<Path> places(String program) {
        return program.contains("/")
                ? Stream.of(Path.of(program))
                : Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .map(place -> Path.of(place, program));
    }
}
