package dev.baton.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The last commands of a client that ended something: releases, or cancels. A server that restarted, or a replica that
 * took over, may have forgotten them, and would hold the locks until their leases end; the client therefore sends them
 * again. Bounded in number and in age; thread-safe.
 *
 * @param <T> the kind of command
 */
final class Recent<T> {
    /** This many fit in one piece, and so cost the time of one answer, however far away the server is. */
    static final int KEPT = 1_024;

    /** 30 s, as the default lease: an earlier hold has ended by itself. */
    static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AtomicReferenceArray<T> commands = new AtomicReferenceArray<>(KEPT);
    private final AtomicLongArray times = new AtomicLongArray(KEPT);
    private final AtomicInteger next = new AtomicInteger();
    private final LongSupplier nanos;

    /**
     * Creates it.
     *
     * @param nanos grows by one each nanosecond
     */
    Recent(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void add(T command) {
        int at = next.getAndIncrement() & KEPT - 1;
        times.set(at, nanos.getAsLong());
        commands.set(at, command);
    }

    /** How to repeat a command of some age. */
    @FunctionalInterface
    interface Repeating<T> {
        T after(T command, long ageNanos);
    }

    /** Returns the commands that still matter, as they are to be repeated now, the oldest first. */
    List<T> all(Repeating<T> repeating) {
        List<T> all = new ArrayList<>();
        long now = nanos.getAsLong();
        int from = next.get();
        for (int i = from; i < from + KEPT; i++) {
            T command = commands.get(i & KEPT - 1);
            long age = now - times.get(i & KEPT - 1);
            if (command != null && age <= KEPT_NANOS) {
                all.add(repeating.after(command, age));
            }
        }
        return all;
    }
}
