package dev.baton.redis;

import dev.baton.spi.Protocol;
import java.util.List;
import java.util.stream.IntStream;

/** Which buckets a server keeps: all of them, or on a cluster those whose slots it has. Thread-safe. */
interface Buckets {
    /** All of them, on a server that shares the names with no other. */
    Buckets ALL = () -> -1L;

    /** Returns a number whose bits say which: there are as many buckets as it has bits. */
    long bits();

    /** Returns their numbers, in ascending order. */
    default List<Integer> numbers() {
        long bits = bits();
        return IntStream.range(0, Protocol.BUCKETS)
                .filter(bucket -> (bits >>> bucket & 1) == 1)
                .boxed()
                .toList();
    }
}
