package dev.baton.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files as another user of the machine would have prepared them. */
public final class Strangers {
    /** Nobody's number, as far as anything can tell. */
    private static final int NOBODY = 65_534;

    private Strangers() {}

    /** Whether this process may give files away. */
    public static boolean canGive() {
        return System.getProperty("user.name").equals("root");
    }

    /** Makes a file or directory another user's; where only root could, one that every other user may write to. */
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
