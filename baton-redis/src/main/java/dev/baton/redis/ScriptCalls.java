package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Writes what the calls of all scripts have in common: their beginning, their first argument, and the clock that replaces the server's. */
final class ScriptCalls {
    /** The argument in which scripts look for a clock that replaces the server's. */
    private static final int CLOCK_ARGUMENT = 3;

    private final Scripts scripts;
    private final byte[] client;
    private final @Nullable LongSupplier clock;

    ScriptCalls(Scripts scripts, StoreConfig config, @Nullable LongSupplier clock) {
        this.scripts = scripts;
        this.client = Keys.bytes(config.clientId());
        this.clock = clock;
    }

    byte[] client() {
        return client;
    }

    /** Begins a call; the keys of so many names and the given number of arguments follow, and then {@link #finish}. */
    RespWriter begin(RespWriter out, Script.Name name, boolean whole, int names, int arguments) {
        return beginWithKeys(out, name, whole, names * Keys.PER_NAME, arguments);
    }

    /** Begins a call with keys that are not those of names. */
    RespWriter beginWithKeys(RespWriter out, Script.Name name, boolean whole, int keys, int arguments) {
        return scripts.begin(out, name, whole, keys, clock == null ? arguments : CLOCK_ARGUMENT);
    }

    /** Begins the argument that all scripts have; the given number of bytes follows. */
    RespWriter common(RespWriter out, Wire wire, int more) {
        return out.begin(Answer.RUN_ID_LENGTH + more).part(Keys.bytes(wire.runId()));
    }

    /** Ends a call with the clock that replaces the server's, if there is one. */
    void finish(RespWriter out, int arguments) {
        if (clock != null) {
            for (int i = arguments + 1; i < CLOCK_ARGUMENT; i++) {
                out.begin(0).end();
            }
            out.begin(Double.BYTES).part(clock.getAsLong()).end();
        }
    }

    /** Returns a clock that replaces the server's, as an argument; null if there is none. */
    byte @Nullable [] clockArgument() {
        return clock == null ? null : number(clock.getAsLong());
    }

    /** Returns a whole number in the scripts' format. */
    static byte[] number(long value) {
        return ByteBuffer.allocate(Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble((double) value)
                .array();
    }

    /** Returns a clock for ages in nanoseconds: the machine's, or the one that replaces the server's. */
    LongSupplier nanos() {
        if (clock != null) {
            return () -> TimeUnit.MICROSECONDS.toNanos(clock.getAsLong());
        }
        Deadline far = Deadline.in(Long.MAX_VALUE);
        return () -> -far.leftNanos();
    }

    /** Returns the server's clock, or the one that replaces it. */
    long clock(long serverMicros) {
        return clock == null ? serverMicros : clock.getAsLong();
    }
}
