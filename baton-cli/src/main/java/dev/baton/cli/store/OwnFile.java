package dev.baton.cli.store;

import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The user's SQLite file for the locks of this machine, in a directory that only this user may enter. */
final class OwnFile {
    private static final String STATE_HOME = "XDG_STATE_HOME";
    private static final String NAME = "locks.db";

    /** The suffixes of the database and of the files that SQLite adds. */
    private static final List<String> SUFFIXES = List.of("", "-wal", "-shm", "-journal");

    private OwnFile() {}

    /**
     * Returns the file, and makes its directory if it is missing.
     *
     * @param environment of this process
     * @param home this user's home as the system knows it, used if the environment names no directory
     * @param tell receives a warning about an ignored value
     * @return the file
     * @throws CliException if there is no place for it, or another user may have prepared that place
     */
    static Path find(Map<String, String> environment, Path home, Consumer<String> tell) {
        Path directory = base(environment, home, tell).resolve("baton");
        try {
            if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
                make(directory);
            }
            OwnPlace.requireDirectory(directory);
            for (String suffix : SUFFIXES) {
                OwnPlace.requireFile(directory.resolve(NAME + suffix));
            }
        } catch (OwnPlace.Unsafe unsafe) {
            throw refused(unsafe.getMessage() + ", or name", unsafe);
        } catch (IOException e) {
            throw refused("cannot create " + directory + " for the locks of this machine: name", e);
        }
        return directory.resolve(NAME);
    }

    /** As the XDG base directory specification requires, a relative value is ignored. */
    private static Path base(Map<String, String> environment, Path home, Consumer<String> tell) {
        String named = environment.getOrDefault(STATE_HOME, "");
        if (!named.isEmpty() && Path.of(named).isAbsolute()) {
            return Path.of(named).normalize();
        }
        Path base = homeOf(environment, home).resolve(Path.of(".local", "state"));
        if (!named.isEmpty()) {
            tell.accept(STATE_HOME + " is \"" + named + "\", which is not absolute, and so ignored: using " + base);
        }
        return base;
    }

    /** Containers often run as a user whom the system does not know: then the home is where the environment says. */
    private static Path homeOf(Map<String, String> environment, Path known) {
        Path home = known.isAbsolute() ? known : Path.of(environment.getOrDefault("HOME", ""));
        if (!home.isAbsolute()) {
            throw refused("this user has no home directory for the locks of this machine: name", null);
        }
        return home;
    }

    private static CliException refused(String why, @Nullable IOException cause) {
        return new CliException(
                ExitCode.ENVIRONMENT,
                why + " another place with --store or BATON_STORE, such as jdbc:sqlite:/var/lib/app/locks.db",
                cause);
    }

    private static void make(Path directory) throws IOException {
        Files.createDirectories(directory.getParent());
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        try {
            if (posix) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(directory);
            }
        } catch (FileAlreadyExistsException another) {
            // Another process was first: its directory is checked like any existing one.
        }
    }
}
