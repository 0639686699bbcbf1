package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Reason;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A checked address {@code jdbc:sqlite:FILE?synchronous=FULL}.
 *
 * @param file the database's file, absolute
 * @param synchronous when SQLite waits for the disk
 */
record SqliteAddress(Path file, String synchronous) implements Address {
    static final String SCHEME = "jdbc:sqlite";

    private static final Set<String> SYNCHRONOUS = Set.of("NORMAL", "FULL");

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    static SqliteAddress of(URI uri) {
        String rest = decoded(uri);
        int mark = rest.indexOf('?');
        String file = mark < 0 ? rest : rest.substring(0, mark);
        String synchronous = mark < 0 ? "NORMAL" : synchronous(rest.substring(mark + 1));
        return new SqliteAddress(path(file), synchronous);
    }

    @Override
    public Dialect dialect() {
        return Databases.SQLITE.dialect();
    }

    @Override
    public String target() {
        // Cuts at a semicolon: other drivers have a password there, and users easily take it for an option here.
        return file.toString().split(";", 2)[0];
    }

    /** SQLite admits one writer at a time. */
    @Override
    public int connections() {
        return 1;
    }

    @Override
    public List<String> setup() {
        return dialect().connect().stream()
                .map(statement -> statement.replace("{synchronous}", synchronous))
                .toList();
    }

    /** Refuses files that SQLite could not use, with a reason that the operator can act on. */
    @Override
    public void check() throws StoreFailure {
        Path directory = file.getParent();
        if (Files.isDirectory(file)) {
            throw refused(
                    Reason.UNFIT, file + " is a directory: name a file in it, such as " + file.resolve("baton.db"));
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw refused(
                    Reason.UNREACHABLE,
                    "the directory " + directory + " does not exist: create it, or name another file");
        }
        if (Files.exists(file) && !Files.isReadable(file)) {
            throw refused(Reason.DENIED, "cannot read " + file + ": give this user read and write access to it");
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw refused(Reason.DENIED, "cannot write " + file + ": give this user write access to it");
        }
        if (!Files.isWritable(directory)) {
            throw refused(
                    Reason.DENIED,
                    "cannot write to the directory " + directory
                            + ": SQLite makes files beside the database, so give this user write access to it");
        }
    }

    @Override
    public String url() {
        return SCHEME + ":" + file;
    }

    private static StoreFailure refused(Reason reason, String message) {
        return new StoreFailure(StoreFailure.Effect.NONE, reason, message, null);
    }

    private static String decoded(URI uri) {
        String text = uri.getScheme() + ":" + uri.getSchemeSpecificPart();
        String start = SCHEME + ":";
        if (!text.regionMatches(true, 0, start, 0, start.length())) {
            throw new IllegalArgumentException("not a " + start + "FILE address: " + uri.getScheme());
        }
        return text.substring(start.length());
    }

    private static Path path(String file) {
        if (file.isEmpty() || file.startsWith(":memory:")) {
            throw new IllegalArgumentException("an SQLite database in memory is not shared by anybody: use \"memory:\""
                    + " for locks within one JVM, or name a file as in jdbc:sqlite:/var/lib/app/locks.db");
        }
        if (file.startsWith(":") || file.startsWith("file:")) {
            throw new IllegalArgumentException("\"" + file.split(";", 2)[0]
                    + "\" is not a plain path: write the address as jdbc:sqlite:/path/of/the/file");
        }
        try {
            return Path.of(file).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + file.split(";", 2)[0] + "\" is not a path: " + e.getReason());
        }
    }

    private static String synchronous(String options) {
        String synchronous = "NORMAL";
        for (String option : options.split("&", -1)) {
            String value = option.substring(option.indexOf('=') + 1).toUpperCase(Locale.ROOT);
            if (!option.startsWith("synchronous=")) {
                throw new IllegalArgumentException("unknown option \"" + option.split("[=;]", 2)[0]
                        + "\": an SQLite address takes only synchronous=NORMAL or synchronous=FULL");
            }
            if (!SYNCHRONOUS.contains(value)) {
                throw new IllegalArgumentException("synchronous is NORMAL (the default) or FULL");
            }
            synchronous = value;
        }
        return synchronous;
    }
}
