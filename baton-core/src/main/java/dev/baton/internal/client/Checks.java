package dev.baton.internal.client;

import dev.baton.LockOptions;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

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

    /** Refuses names of which there is none, or one twice; equal names are neighbours. */
    static void requireEachOnce(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("allOf needs at least one name");
        }
        for (int i = 1; i < names.size(); i++) {
            if (names.get(i).equals(names.get(i - 1))) {
                throw new IllegalArgumentException("allOf was given \"" + names.get(i) + "\" twice");
            }
        }
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
        return new HoldRequest(
                share.weight(),
                share.together(),
                lease.toNanos(),
                options.leaseTime().isPresent(),
                options.maxHold().map(Checks::nanos).orElse(0L),
                nanos(options.lockDelay()),
                options.interruptOnLoss());
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
