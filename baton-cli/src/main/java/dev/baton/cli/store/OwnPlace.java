package dev.baton.cli.store;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * Checks whether other users of this machine could have placed files where this user expects its own. Root is trusted,
 * because it can do anything. On a system without POSIX permissions, all files count as this user's.
 */
final class OwnPlace {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

    private static final int ROOT = 0;
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;
    private static final int OTHERS_READ = 0004;
    private static final int OTHERS_ENTER = 0077;
    private static final int STICKY = 01000;

    /** The same limit as in the kernel. */
    private static final int MOST_LINKS = 40;

    private static final long SELF = POSIX ? self() : ROOT;

    private OwnPlace() {}

    /** {@link UnixSystem} reports a user without an entry in the system's list, as in many containers, as root. */
    private static long self() {
        try {
            return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
        } catch (IOException noProc) {
            return new UnixSystem().getUid();
        }
    }

    /** Says why a place is unsafe, and how to fix it. */
    static final class Unsafe extends IOException {
        private static final long serialVersionUID = 1L;

        Unsafe(String message) {
            super(message);
        }
    }

    /** The attributes of a file; of the symbolic link itself, not of its target. */
    private record Entry(Path path, long owner, long group, int mode) {
        static Entry of(Path path) throws IOException {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
            return new Entry(
                    path, number(attributes, "uid"), number(attributes, "gid"), (int) number(attributes, "mode"));
        }

        private static long number(Map<String, Object> attributes, String name) {
            return attributes.get(name) instanceof Number number ? number.longValue() : -1;
        }

        /** A group with this user's number contains only this user: many systems give new files to such a group. */
        boolean othersWrite() {
            return (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && group != SELF && group != ROOT);
        }

        Unsafe isNotOurs() {
            return new Unsafe(path + " belongs to another user (number " + owner + ", and this is " + SELF
                    + "): see whose it should be");
        }
    }

    /**
     * Checks a directory that exists.
     *
     * @param directory absolute
     * @throws Unsafe if another user owns it or may enter it, it is a symbolic link, or another user could replace it
     */
    static void requireDirectory(Path directory) throws IOException {
        if (!POSIX) {
            return;
        }
        if (Files.isSymbolicLink(directory)) {
            throw new Unsafe(directory + " is a symbolic link: make it a directory");
        }
        Entry entry = Entry.of(directory);
        if (entry.owner != SELF) {
            throw entry.isNotOurs();
        }
        if ((entry.mode & OTHERS_ENTER) != 0) {
            throw new Unsafe(directory + " is open to other users: see that all in it is yours and chmod 700 it");
        }
        requireThatNoOneReplaces(directory);
    }

    /**
     * Checks a file, which may be missing.
     *
     * @throws Unsafe if it exists, and belongs to another user, is writable for others or is not a regular file
     */
    static void requireFile(Path file) throws IOException {
        if (!POSIX || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new Unsafe(file + " is not a file of its own, but a link or something else: remove it");
        }
        Entry entry = Entry.of(file);
        if (entry.owner != SELF) {
            throw entry.isNotOurs();
        }
        if (entry.othersWrite()) {
            throw new Unsafe(file + " may be written by other users: chmod 600 it");
        }
    }

    /** Returns whether every user of this machine may read a file, judged only by its own permissions. */
    static boolean othersRead(Path file) {
        try {
            return POSIX && (number(Files.getAttribute(file, "unix:mode")) & OTHERS_READ) != 0;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static long number(Object attribute) {
        return attribute instanceof Number number ? number.longValue() : 0;
    }

    /** Checks every directory and symbolic link on the path, in the kernel's order. */
    private static void requireThatNoOneReplaces(Path directory) throws IOException {
        Deque<Path> names = new ArrayDeque<>();
        directory.forEach(names::add);
        Path here = directory.getRoot();
        int links = 0;
        requireStep(Entry.of(here));
        while (!names.isEmpty()) {
            Path next = here.resolve(names.pop()).normalize();
            requireStep(Entry.of(next));
            if (!Files.isSymbolicLink(next)) {
                here = next;
                continue;
            }
            if (++links > MOST_LINKS) {
                throw new Unsafe(directory + " leads through more than " + MOST_LINKS + " symbolic links");
            }
            Path target = Files.readSymbolicLink(next);
            here = target.isAbsolute() ? target.getRoot() : here;
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                names.push(target.getName(i));
            }
        }
    }

    private static void requireStep(Entry step) throws IOException {
        if (step.owner != SELF && step.owner != ROOT) {
            throw step.isNotOurs();
        }
        // The permissions of a link itself have no effect.
        if (step.othersWrite() && (step.mode & STICKY) == 0 && !Files.isSymbolicLink(step.path)) {
            throw new Unsafe(step.path + " may be written by other users: chmod go-w it");
        }
    }
}
