package dev.baton.internal.client;

import dev.baton.LockOptions;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Note;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Refuses bad arguments before anything is sent. */
final class Checks {
    /** Longer than any time that is meant; short enough for every store's arithmetic. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** 100 ms: margins and the round trip to a store must leave a part of the hold. */
    private static final Duration SHORTEST_HOLD = Duration.ofMillis(100);

    /** The order in which all clients acquire several names. */
    static final Comparator<String> BY_BYTES = (one, other) -> Arrays.compareUnsigned(bytes(one), bytes(other));

    private Checks() {}

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a name that every store can keep. */
    static String name(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a lock's name must not be empty");
        }
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            if (bytes.remaining() > Protocol.MAX_NAME_BYTES) {
                throw new IllegalArgumentException("a lock's name must have at most " + Protocol.MAX_NAME_BYTES
                        + " bytes of UTF-8, but \"" + name.substring(0, 40) + "…\" has " + bytes.remaining()
                        + ": shorten or hash it");
            }
        } catch (CharacterCodingException notText) {
            throw new IllegalArgumentException(
                    "a lock's name must be text, but this one has an unpaired surrogate and no form in UTF-8", notText);
        }
        return name;
    }

    /** Refuses a store that has only locks. */
    static void requireShares(Capabilities store, String what) {
        if (!store.shares()) {
            throw new UnsupportedOperationException(
                    store.store() + " has only locks, and no " + what + ": use another store for it");
        }
    }

    /** Refuses a note that is too long, before anything is asked. */
    static void requireNote(byte[] bytes) {
        Note unused = new Note(0, 0, bytes);
    }

    /** Refuses a store that does not know who waits. */
    static void requireQueue(Capabilities store) {
        if (!store.queue()) {
            throw new UnsupportedOperationException(
                    store.store() + " keeps no queue, so it does not know who waits for whom");
        }
    }

    static int capacity(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("a semaphore must have at least 1 permit, but is to have " + permits);
        }
        return permits;
    }

    /** Refuses a number of permits that a semaphore can never grant. */
    static int permits(Resource semaphore, int permits) {
        if (permits < 1 || permits > semaphore.capacity()) {
            throw new IllegalArgumentException("the semaphore \"" + semaphore.name() + "\" has "
                    + semaphore.capacity() + " permits, so 1 to " + semaphore.capacity()
                    + " can be acquired at once, but not " + permits);
        }
        return permits;
    }

    static HoldRequest request(Share share, LockOptions options, Duration defaultLease, Capabilities store) {
        Duration lease = options.leaseTime().orElse(defaultLease);
        requireLease(lease, store);
        options.maxHold().ifPresent(Checks::requireMaxHold);
        requireAtLeast(share, options);
        return new HoldRequest(
                share.weight(),
                share.together(),
                lease.toNanos(),
                options.leaseTime().isPresent(),
                options.maxHold().map(Checks::nanos).orElse(0L),
                nanos(options.lockDelay()),
                options.interruptOnLoss(),
                nanos(options.atLeast()));
    }

    /** A time that no holder could reach would be found out only when a task has run for the first time. */
    static void requireAtLeast(Share share, LockOptions options) {
        Duration atLeast = options.atLeast();
        if (atLeast.isZero()) {
            return;
        }
        requireAtMostLongest(atLeast, "atLeast");
        requireWhole(
                share.resource().isSharedAt(share.weight()), share.resource().name(), "withAtLeast");
        Stream.of(options.leaseTime(), options.maxHold())
                .flatMap(Optional::stream)
                .forEach(limit -> {
                    if (atLeast.compareTo(limit) > 0) {
                        throw new IllegalArgumentException(
                                "atLeast must not be longer than the lease time or maxHold, but is " + atLeast
                                        + " and not at most " + limit + ": the lock would end before");
                    }
                });
    }

    /** Returns for how long a released lock is to be kept. */
    static long keepNanos(Grant grant, Duration keepFor) {
        if (keepFor.isNegative()) {
            throw new IllegalArgumentException("keepFor must not be negative, but is " + keepFor);
        }
        requireAtMostLongest(keepFor, "keepFor");
        if (!keepFor.isZero()) {
            requireWhole(grant.isShared(), grant.name(), "releaseAndKeep");
        }
        return keepFor.toNanos();
    }

    /** Refuses to keep a name that others may hold at the same time: the store grants a whole name to no client. */
    private static void requireWhole(boolean shared, String name, String what) {
        if (shared) {
            throw new UnsupportedOperationException(
                    what + " keeps a whole name from all clients, but others may hold \"" + name
                            + "\" at the same time: use it with a lock or a writer");
        }
    }

    static void requireLease(Duration lease, Capabilities store) {
        if (lease.compareTo(store.shortestLease()) < 0) {
            throw new IllegalArgumentException("the lease time must be at least "
                    + store.shortestLease().toMillis() + " ms on " + store.store() + ", but is " + lease.toMillis()
                    + " ms");
        }
        if (lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the lease time must be at most " + LONGEST.toDays() + " days, but is "
                    + lease.toDays() + " days: use a renewed lease");
        }
    }

    static long waitNanos(Duration wait) {
        if (Objects.requireNonNull(wait, "wait").isNegative()) {
            throw new IllegalArgumentException("the time to wait must not be negative, but is " + wait);
        }
        return nanos(wait);
    }

    /** Returns a time in nanoseconds, cut to {@link #LONGEST}: it may be too long for a long. */
    static long nanos(Duration time) {
        return (time.compareTo(LONGEST) > 0 ? LONGEST : time).toNanos();
    }

    static void requireAtMostLongest(Duration time, String what) {
        if (time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " must be at most " + LONGEST.toDays() + " days, but is " + time.toDays() + " days");
        }
    }

    private static void requireMaxHold(Duration maxHold) {
        if (maxHold.compareTo(SHORTEST_HOLD) < 0) {
            throw new IllegalArgumentException("maxHold must be at least " + SHORTEST_HOLD.toMillis() + " ms, but is "
                    + maxHold.toMillis() + " ms: a shorter hold can be over before its holder hears of it");
        }
    }
}
