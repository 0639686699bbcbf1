package dev.baton.servers.clock;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * The wall clock of other processes: a page in a file that they map. It may be set at any time; their monotonic clocks go
 * on untouched. Thread-safe.
 */
public final class SettableClock {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** As clock.c has it. */
    private static final int OFFSET = 0;

    private static final int READS = 8;
    private static final int SHIFTED = 16;
    private static final int SIZE = 24;

    private final Map<String, String> environment;
    private final ByteBuffer page;

    SettableClock(Path file, Map<String, String> environment) throws IOException {
        this.environment = environment;
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            page = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
        }
    }

    /** Returns the variables that make a process go by this clock from its start on. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Sets the clock so far ahead of the machine's, or behind it if negative. */
    public void set(Duration ahead) {
        LONGS.setVolatile(page, OFFSET, ahead.toNanos());
    }

    /** Returns how far it is ahead of the machine's. */
    public Duration ahead() {
        return Duration.ofNanos((long) LONGS.getVolatile(page, OFFSET));
    }

    /** Returns how often processes have read it; 0 if they get the time past the C library. */
    public long reads() {
        return (long) LONGS.getVolatile(page, READS);
    }

    /** Returns how often processes have read it while it differed from the machine's. */
    public long shiftedReads() {
        return (long) LONGS.getVolatile(page, SHIFTED);
    }
}
