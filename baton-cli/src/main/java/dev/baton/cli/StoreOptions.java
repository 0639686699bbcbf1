package dev.baton.cli;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store, and which namespace of it: the same for every command that uses one. */
public final class StoreOptions {
    private static final String VARIABLE = "BATON_STORE";
    private static final String DEFAULT_FILE = "locks.db";

    @Option(
            names = "--store",
            paramLabel = "URI|@FILE",
            description = "Where locks live, for example redis://host:6379. @FILE: the first line of a file that is not"
                    + " empty and not a comment (#). Default: $" + VARIABLE + ", or else an SQLite file of this user's,"
                    + " for this machine.")
    private @Nullable String store;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = BatonOptions.DEFAULT_NAMESPACE,
            description = "Locks exclude each other within a namespace (${DEFAULT-VALUE}).")
    private String namespace = BatonOptions.DEFAULT_NAMESPACE;

    /** Options of a client for the namespace that was asked for. */
    public BatonOptions.Builder client() {
        try {
            BatonOptions.Builder builder = BatonOptions.builder().namespace(namespace);
            builder.build();
            return builder;
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--namespace: " + e.getMessage(), e);
        }
    }

    /**
     * Uses a store that was named in another way than by {@code --store}.
     *
     * @param uri as {@code --store} takes it
     * @throws CliException if {@code --store} names one as well
     */
    public void use(String uri) {
        if (store != null) {
            throw new CliException(ExitCode.USAGE, "name the store once: as an argument, or with --store", null);
        }
        store = uri;
    }

    /**
     * Connects.
     *
     * @param options the client's options
     * @return a connected client
     * @throws CliException if the address makes no sense
     * @throws dev.baton.StoreException if the store cannot be reached or used
     */
    public Baton connect(BatonOptions options) {
        Address address = address(System.getenv());
        try {
            return Baton.connect(address.uri, options);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, address.origin + ": " + e.getMessage(), e);
        }
    }

    /**
     * Whether somebody on this machine can read a password among the arguments of this process.
     *
     * @return true if the password stands on the command line
     */
    public boolean showsPassword() {
        if (store == null || store.startsWith("@")) {
            return false;
        }
        try {
            String user = new URI(store).getUserInfo();
            return user != null && user.contains(":");
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    /** An address, and where it was found: for error messages. */
    private record Address(String uri, String origin) {}

    private Address address(Map<String, String> environment) {
        if (store != null) {
            return read(store, "--store");
        }
        String named = environment.getOrDefault(VARIABLE, "");
        return named.isEmpty() ? new Address(ownFile(environment), "--store") : read(named, VARIABLE);
    }

    private static Address read(String text, String origin) {
        return text.startsWith("@")
                ? new Address(firstLine(text.substring(1), origin), text.substring(1))
                : new Address(text, origin);
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

    /** A file in a directory that only this user may enter. */
    private static String ownFile(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        Path base = state.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        Path directory = base.resolve("baton");
        try {
            Files.createDirectories(base);
            if (!Files.isDirectory(directory)) {
                makePrivate(directory);
            }
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.ENVIRONMENT,
                    "cannot create " + directory + " for the locks of this machine: name another place with --store or "
                            + VARIABLE + ", such as jdbc:sqlite:/var/lib/app/locks.db",
                    e);
        }
        return "jdbc:sqlite:" + directory.resolve(DEFAULT_FILE);
    }

    private static void makePrivate(Path directory) throws IOException {
        boolean posix = !System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        try {
            if (posix) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(directory);
            }
        } catch (FileAlreadyExistsException another) {
            // Somebody of this user was first.
            if (!Files.isDirectory(directory)) {
                throw another;
            }
        }
    }
}
