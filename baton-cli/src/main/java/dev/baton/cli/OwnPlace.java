package dev.baton.cli;

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
 * Tells whether other users of this machine can have put files where this user expects its own. Root is trusted, for it
 * can do anything. Where the system has no POSIX permissions, everything is taken to be this user's.
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

    /** As in the kernel. */
    private static final int MOST_LINKS = 40;

    private static final long SELF = POSIX ? self() : ROOT;

    private OwnPlace() {}

    /** {@link UnixSystem} takes users without an entry in the system's list, as many containers have, for root. */
    private static long self() {
        try {
            return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
        } catch (IOException noProc) {
            return new UnixSystem().getUid();
        }
    }

    /** Says what is wrong with a place, and how to mend it. */
    static final class Unsafe extends IOException {
        private static final long serialVersionUID = 1L;

        Unsafe(String message) {
            super(message);
        }
    }

    /** What the system knows of a file; not of what a symbolic link points to. */
    private record Entry(Path path, long owner, long group, int mode) {
        static Entry of(Path path) throws IOException {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
            return new Entry(
                    path, number(attributes, "uid"), number(attributes, "gid"), (int) number(attributes, "mode"));
        }

        private static long number(Map<String, Object> attributes, String name) {
            return attributes.get(name) instanceof Number number ? number.longValue() : -1;
        }

        /** A group with this user's number is this user's alone: many systems give new files to such a group. */
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
     * @throws Unsafe if it is not this user's alone, is a symbolic link, or another user could replace it
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
     * Checks a file that need not exist.
     *
     * @throws Unsafe if it is there and not this user's, or others may write to it, or it is no file
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

    /** Whether every user of this machine may read a file, as far as its own permissions say. */
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

    /** Goes through every directory and symbolic link on the way, as the kernel does. */
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
        // A link's own permissions mean nothing.
        if (step.othersWrite() && (step.mode & STICKY) == 0 && !Files.isSymbolicLink(step.path)) {
            throw new Unsafe(step.path + " may be written by other users: chmod go-w it");
        }
    }
}
