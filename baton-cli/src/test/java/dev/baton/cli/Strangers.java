package dev.baton.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files as another user of the machine could have prepared them. */
public final class Strangers {
    /** A user number that probably belongs to no user. */
    private static final int NOBODY = 65_534;

    private Strangers() {}

    /** Returns whether this process may change the owner of files. */
    public static boolean canGive() {
        return System.getProperty("user.name").equals("root");
    }

    /**
     * Gives a file or directory to another user. If only root could do that, makes it writable for every other user.
     */
    public static void own(Path path) {
        try {
            if (canGive()) {
                Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
            } else {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sets permissions such as {@code rwx------}. */
    public static void permit(Path path, String permissions) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
