package dev.baton.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Counts the bytes that threads of this JVM have allocated so far. Threads that end in between are not counted. */
final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Long> bytes;

    private Allocations(Map<Long, Long> bytes) {
        this.bytes = bytes;
    }

    static Allocations now() {
        long[] ids = THREADS.getAllThreadIds();
        long[] allocated = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> bytes = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            bytes.put(ids[i], Math.max(0, allocated[i])); // -1 if the thread has just ended
        }
        return new Allocations(bytes);
    }

    long since(Allocations start) {
        return bytes.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - start.bytes.getOrDefault(thread.getKey(), 0L))
                .filter(allocated -> allocated > 0)
                .sum();
    }
}
