package dev.baton.chaos.client;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;

/**
 * What a JVM needs at a moment.
 *
 * @param heapBytes what is left after a collection
 * @param threads how many run
 * @param descriptors open files and connections; -1 if they are not known
 * @param passes how often its callers asked for a lock
 * @param exceptions how many of them got an exception
 * @param refused holders that the register refused although they still held the lock
 */
public record Vitals(long heapBytes, int threads, long descriptors, long passes, long exceptions, long refused) {
    /** Collects garbage, and measures this JVM. */
    static Vitals now(Tally tally) {
        return now(tally.passes(), tally.exceptions(), tally.refused());
    }

    /** Collects garbage, and measures this JVM. */
    public static Vitals now(long passes, long exceptions, long refused) {
        ManagementFactory.getMemoryMXBean().gc();
        long open = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : -1;
        return new Vitals(
                afterCollection(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                open,
                passes,
                exceptions,
                refused);
    }

    /** Callers go on while this JVM is measured: what they have allocated since the collection does not count. */
    private static long afterCollection() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }

    /** Returns a line that {@link #of(String)} reads. */
    public String toLine() {
        return heapBytes + " " + threads + " " + descriptors + " " + passes + " " + exceptions + " " + refused;
    }

    /** Reads a line. */
    public static Vitals of(String line) {
        String[] words = line.split(" ", -1);
        return new Vitals(
                Long.parseLong(words[0]),
                Integer.parseInt(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]));
    }
}
