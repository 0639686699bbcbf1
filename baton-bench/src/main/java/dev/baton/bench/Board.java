package dev.baton.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that all JVMs of a crew see for one turn: a file, mapped into each of them. What is kept under the lock is read
 * and written plainly, so that nothing but the lock under test orders it.
 */
final class Board implements AutoCloseable {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Each in a cache line of its own. */
    private static final int COUNT = 0;

    private static final int HOLDER = 64;
    private static final int RELEASED = 128;
    private static final int STOPPED = 192;
    private static final int SIZE = 256;

    private final Path file;
    private final boolean mine;
    private final MappedByteBuffer memory;

    private Board(Path file, boolean mine) throws IOException {
        this.file = file;
        this.mine = mine;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
        }
        memory.order(ByteOrder.nativeOrder());
    }

    /** A new one, empty. Its file goes when it is closed. */
    static Board create() throws IOException {
        Path file = Files.createTempFile("baton-bench-", ".board");
        Files.write(file, new byte[SIZE]);
        return new Board(file, true);
    }

    /** The one that another JVM has made. */
    static Board open(Path file) throws IOException {
        return new Board(file, false);
    }

    Path file() {
        return file;
    }

    int counted() {
        return memory.getInt(COUNT);
    }

    void counted(int count) {
        memory.putInt(COUNT, count);
    }

    /** Who had the lock last; 0 if nobody had it. May be asked by those who do not have it. */
    long holder() {
        return (long) LONGS.getVolatile(memory, HOLDER);
    }

    void holder(long holder) {
        LONGS.setVolatile(memory, HOLDER, holder);
    }

    /** When the last holder was about to release, on the clock of the machine. */
    long released() {
        return memory.getLong(RELEASED);
    }

    void released(long nanos) {
        memory.putLong(RELEASED, nanos);
    }

    boolean isRunning() {
        return (long) LONGS.getVolatile(memory, STOPPED) == 0;
    }

    /** Ends the turn for all. */
    void stop() {
        LONGS.setVolatile(memory, STOPPED, 1L);
    }

    @Override
    public void close() throws IOException {
        if (mine) {
            Files.deleteIfExists(file);
        }
    }
}
