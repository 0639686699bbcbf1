package dev.baton.examples.store;

import dev.baton.spi.Deadline;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Files that threads of several processes change in turns, each change as a whole. Thread-safe. */
class SharedFiles {
    private static final long PAUSE_NANOS = 200_000;

    /** A file lock belongs to its process: the threads of this one need a lock of their own. */
    private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private final Path directory;

    SharedFiles(Path directory) {
        this.directory = directory;
    }

    Path directory() {
        return directory;
    }

    /** The content of a file, empty if there is none. By a stream: an interrupt would close a channel. */
    byte[] read(String name) throws IOException {
        Path file = directory.resolve(name);
        if (!Files.exists(file)) {
            return new byte[0];
        }
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            return in.readAllBytes();
        }
    }

    // tag::turn[]
    /** Waits until no other thread or process changes the file; throws if it takes longer than the call may. */
    Turn turn(String name, Deadline deadline) throws IOException {
        Turn turn = new Turn(name);
        try {
            while (!turn.begins()) {
                if (deadline.leftNanos() <= 0) {
                    throw new IOException("another writer kept " + name + " for all of the call's time");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                turn.interrupted |= Thread.interrupted(); // a store's call leaves interrupts to its caller
            }
            return turn;
        } catch (IOException | RuntimeException failed) {
            turn.close();
            throw failed;
        }
    }

    /** Puts the new file in the place of the old one: the moment at which a change takes effect. */
    void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The right to change one file. It ends when it is closed, or with its process. */
    final class Turn implements AutoCloseable {
        private final Path file;
        private final ReentrantLock threads;
        private @Nullable FileChannel processes;
        private boolean interrupted;

        private Turn(String name) {
            file = directory.resolve(name);
            threads = THREADS.computeIfAbsent(file, any -> new ReentrantLock());
        }

        private boolean begins() throws IOException {
            if (!threads.isHeldByCurrentThread() && !threads.tryLock()) {
                return false;
            }
            if (processes == null) {
                Path lock = file.resolveSibling(file.getFileName() + ".lock");
                processes = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
            return processes.tryLock() != null;
        }

        /** Writes beside the file; nothing has happened until {@link #commit}. */
        void prepare(byte[] content) throws IOException {
            try (FileOutputStream out = new FileOutputStream(fresh().toFile())) {
                out.write(content);
            }
        }

        void commit() throws IOException {
            move(fresh(), file);
        }

        private Path fresh() {
            return file.resolveSibling(file.getFileName() + ".new");
        }

        @Override
        public void close() throws IOException {
            try {
                if (processes != null) {
                    processes.close();
                }
            } finally {
                if (threads.isHeldByCurrentThread()) {
                    threads.unlock();
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
    // end::turn[]
}
