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
 * Memory that all JVMs of a crew share during one turn: a file that each of them maps. The counter that the lock
 * protects has plain reads and writes, so that only the lock under test orders them.
 */
final class Board implements AutoCloseable {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Offsets: each field has a cache line of its own. */
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

    /** Creates an empty board; closing it deletes its file. */
    static Board create() throws IOException {
        Path file = Files.createTempFile("baton-bench-", ".board");
        Files.write(file, new byte[SIZE]);
        return new Board(file, true);
    }

    /** Opens a board that another JVM has created. */
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

    /** Returns the last holder, or 0 if there was none. The caller need not hold the lock. */
    long holder() {
        return (long) LONGS.getVolatile(memory, HOLDER);
    }

    void holder(long holder) {
        LONGS.setVolatile(memory, HOLDER, holder);
    }

    /** Returns when the last holder began to release, on the clock of the machine. */
    long released() {
        return memory.getLong(RELEASED);
    }

    void released(long nanos) {
        memory.putLong(RELEASED, nanos);
    }

    boolean isRunning() {
        return (long) LONGS.getVolatile(memory, STOPPED) == 0;
    }

    /** Ends the turn in all JVMs. */
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
