package dev.baton.redis;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Numbers in a file that several processes map into their memory: a witness that is no clock and does not know Baton.
 * Each access is atomic across processes. Numbers of a process that was killed stay.
 */
final class SharedLongs {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int SIZE = 128;

    private final ByteBuffer memory;

    private SharedLongs(ByteBuffer memory) {
        this.memory = memory;
    }

    static SharedLongs in(Path path) throws IOException {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedLongs(file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE * (long) Long.BYTES));
        }
    }

    long get(int at) {
        return (long) LONGS.getVolatile(memory, at * Long.BYTES);
    }

    void set(int at, long value) {
        LONGS.setVolatile(memory, at * Long.BYTES, value);
    }

    void add(int at, long more) {
        long unused = (long) LONGS.getAndAdd(memory, at * Long.BYTES, more);
    }

    /** Returns how many of some numbers are greater than a limit. */
    int countAbove(long limit, int from, int count) {
        int above = 0;
        for (int at = from; at < from + count; at++) {
            above += get(at) > limit ? 1 : 0;
        }
        return above;
    }
}
