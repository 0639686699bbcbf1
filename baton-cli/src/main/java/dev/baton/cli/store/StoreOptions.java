package dev.baton.cli.store;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the store and its namespace: the same for every command that uses a store. */
public final class StoreOptions {
    /** Longer than the library's default: on a busy machine a new JVM takes seconds to load a driver. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final String VARIABLE = "BATON_STORE";
    private static final String LOCAL = "local";
    private static final String SQLITE = "jdbc:sqlite:";

    /** The beginning of the client's message about a lease time that its store does not support. */
    private static final String ABOUT_THE_LEASE = "the lease time ";

    private static final String LEASE = "--lease";

    /** Addresses of stores that other processes cannot reach, in lower case. */
    private static final List<String> IN_MEMORY = List.of("memory:", "jdbc:h2:mem:", "jdbc:sqlite::memory:");

    @Option(
            names = "--store",
            paramLabel = "URI|@FILE",
            description = "Where locks live, for example redis://host:6379. @FILE: the first line of a file that is not"
                    + " empty and not a comment (#). local: an SQLite file of this user's, for this machine. Default: $"
                    + VARIABLE + ", or else local.")
    private @Nullable String store;

    private String given = "--store";
    private boolean told;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = BatonOptions.DEFAULT_NAMESPACE,
            description = "Locks exclude each other within a namespace (${DEFAULT-VALUE}).")
    private String namespace = BatonOptions.DEFAULT_NAMESPACE;

    /** Returns client options for the requested namespace. */
    public BatonOptions.Builder client() {
        try {
            BatonOptions.Builder builder =
                    BatonOptions.builder().namespace(namespace).connectTimeout(CONNECT_TIMEOUT);
            builder.build();
            return builder;
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--namespace: " + e.getMessage(), e);
        }
    }

    /**
     * Uses a store that another option than {@code --store} names.
     *
     * @param uri as {@code --store} takes it
     * @throws CliException if {@code --store} names one as well
     */
    public void use(String uri) {
        if (store != null) {
            throw new CliException(ExitCode.USAGE, "name the store once: as an argument, or with --store", null);
        }
        store = uri;
        given = "URI";
    }

    /**
     * Connects to the store.
     *
     * @param options the client's options
     * @return a connected client
     * @throws CliException if the address makes no sense
     * @throws dev.baton.StoreException if the store cannot be reached or used
     */
    public Baton connect(BatonOptions options) {
        Address address = address();
        warn(address);
        return connect(address, options);
    }

    /**
     * Connects to a store through which commands can exclude each other. If no store is named, that is the file of this
     * machine, but only if a user sees the output: a script on many machines would have a separate lock on each.
     *
     * @param options the client's options
     * @param err where users read which file is used as the store
     * @return a connected client
     * @throws CliException if no store is named and no user sees the output, or if the store is in the memory of one
     *     process
     * @throws dev.baton.StoreException if the store cannot be reached or used
     */
    public Baton connectForCommand(BatonOptions options, Terminal err) {
        if (!isNamed() && !err.isTerminal()) {
            throw new CliException(
                    ExitCode.USAGE,
                    "no store is named: set " + VARIABLE + " or --store to the one that all machines share, or say"
                            + " --store " + LOCAL + " for a lock on this machine alone",
                    null);
        }
        Address address = address();
        String uri = address.uri.toLowerCase(Locale.ROOT);
        if (IN_MEMORY.stream().anyMatch(uri::startsWith)) {
            throw new CliException(
                    ExitCode.USAGE,
                    address.origin + ": these locks are in the memory of one process, and would keep no other command"
                            + " out: name a store that others reach, or " + LOCAL + " for this machine",
                    null);
        }
        if (!told) {
            warn(address);
        }
        if (!isNamed() && !told) {
            tell("no store is named: the lock is on this machine alone, in " + address.uri.substring(SQLITE.length()));
        }
        told = true;
        return connect(address, options);
    }

    private static Baton connect(Address address, BatonOptions options) {
        try {
            return Baton.connect(address.uri, options);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            boolean lease = message.startsWith(ABOUT_THE_LEASE);
            String origin = lease ? LEASE : address.origin;
            String hint = lease
                    ? ""
                    : Addresses.similar(address.uri)
                            .map("; did you mean "::concat)
                            .orElse("");
            throw new CliException(ExitCode.USAGE, origin + ": " + message + hint, e);
        }
    }

    /** Warns if other users can read the password of the address. */
    private void warn(Address address) {
        if (!Addresses.hasPassword(address.uri)) {
            return;
        }
        if (address.file != null && OwnPlace.othersRead(address.file)) {
            tell("every user of this machine can read the password in " + address.file + ": chmod o-r it");
        } else if (store != null && address.file == null) {
            tell("others on this machine can read the password in " + address.origin + ": use " + VARIABLE
                    + " or --store @FILE");
        }
    }

    /**
     * Removes the variable that names the store from a command's environment if it contains a password.
     *
     * @param environment of the command, which is changed
     */
    public static void withoutPassword(Map<String, String> environment) {
        if (Addresses.hasPassword(environment.getOrDefault(VARIABLE, ""))) {
            environment.remove(VARIABLE);
        }
    }

    /** An address and its origin, for error messages. */
    private record Address(
            String uri, String origin, @Nullable Path file) {}

    private boolean isNamed() {
        return store != null || !variable().isEmpty();
    }

    private static String variable() {
        return System.getenv().getOrDefault(VARIABLE, "");
    }

    private Address address() {
        if (store != null) {
            return read(store, given);
        }
        return isNamed() ? read(variable(), VARIABLE) : read(LOCAL, "--store");
    }

    private static Address read(String text, String origin) {
        Address read = text.startsWith("@")
                ? new Address(firstLine(text.substring(1), origin), text.substring(1), Path.of(text.substring(1)))
                : new Address(text, origin, null);
        return read.uri.equals(LOCAL) ? new Address(SQLITE + ownFile(), read.origin, null) : read;
    }

    private static Path ownFile() {
        return OwnFile.find(System.getenv(), Path.of(System.getProperty("user.home")), StoreOptions::tell);
    }

    private static void tell(String what) {
        Terminal.standardError().out().println("baton: " + Printable.of(what));
    }

    private static String firstLine(String file, String origin) {
        try {
            return Files.readString(Path.of(file))
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .findFirst()
                    .orElseThrow(() -> new CliException(
                            ExitCode.USAGE, origin + ": " + file + " has no line with the address of a store", null));
        } catch (IOException | InvalidPathException e) {
            throw new CliException(
                    ExitCode.USAGE, origin + ": cannot read " + file + ": is it there, and this user's to read?", e);
        }
    }
}
