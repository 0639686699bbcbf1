package dev.baton.chaos.history;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Two resources for each lock, in a file that all processes map into their memory: a register that refuses the tokens of
 * former holders, and a counter that believes everything. Besides, counters of holds, of interrupts and of callbacks that were held
 * up for each client, which show progress. Thread-safe, across processes.
 */
public final class Witness {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** A cache line for each lock, so that they do not disturb each other. */
    private static final int LINE = 64;

    private static final int CLIENTS = 4_096;
    private static final int TOKEN = 0;
    private static final int PLAIN = 8;
    private static final int HOLDS = 0;
    private static final int INTERRUPTS = 8;
    private static final int HELD_UP = 16;

    private final ByteBuffer memory;

    private Witness(ByteBuffer memory) {
        this.memory = memory;
    }

    /**
     * Maps the file, and creates it if it is missing.
     *
     * @param directory of the run
     * @param names the number of locks
     */
    public static Witness in(Path directory, int names) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("witness"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new Witness(file.map(FileChannel.MapMode.READ_WRITE, 0, (long) (CLIENTS + names) * LINE));
        }
    }

    private static int lock(int name) {
        return (CLIENTS + name) * LINE;
    }

    /** Shows a token to the register of a lock. Returns false if it knows a newer one. */
    public boolean accepts(int name, long token) {
        int at = lock(name) + TOKEN;
        while (true) {
            long newest = (long) LONGS.getVolatile(memory, at);
            if (token < newest) {
                return false;
            }
            if (LONGS.compareAndSet(memory, at, newest, token)) {
                return true;
            }
        }
    }

    /** Whether the register of a lock knows no newer token than this one, which it does not keep. */
    public boolean isNewest(int name, long token) {
        return token >= (long) LONGS.getVolatile(memory, lock(name) + TOKEN);
    }

    /** Reads the plain counter of a lock. */
    public long read(int name) {
        return (long) LONGS.getVolatile(memory, lock(name) + PLAIN);
    }

    /** Writes the plain counter of a lock. */
    public void write(int name, long value) {
        LONGS.setVolatile(memory, lock(name) + PLAIN, value);
    }

    /** Counts a hold of a client. */
    public void count(int client) {
        LONGS.getAndAdd(memory, client(client) + HOLDS, 1L);
    }

    /** Counts a caller of a client that noticed an interrupt. */
    public void countInterrupt(int client) {
        LONGS.getAndAdd(memory, client(client) + INTERRUPTS, 1L);
    }

    /** Returns how many interrupts a client has noticed. */
    public long interrupts(int client) {
        return (long) LONGS.getVolatile(memory, client(client) + INTERRUPTS);
    }

    /** Counts a callback of a client that was held up. */
    public void countHeldUp(int client) {
        LONGS.getAndAdd(memory, client(client) + HELD_UP, 1L);
    }

    /** Returns how many callbacks of a client were held up. */
    public long heldUp(int client) {
        return (long) LONGS.getVolatile(memory, client(client) + HELD_UP);
    }

    private static int client(int number) {
        return number % CLIENTS * LINE;
    }

    /** Returns how many holds all clients have counted. */
    public long holds() {
        long sum = 0;
        for (int client = 0; client < CLIENTS; client++) {
            sum += (long) LONGS.getVolatile(memory, client(client) + HOLDS);
        }
        return sum;
    }
}
