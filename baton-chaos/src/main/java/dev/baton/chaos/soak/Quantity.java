package dev.baton.chaos.soak;

/**
 * What is measured, and by how much it may grow in an hour. With a fault each minute, something that stays after every
 * tenth fault makes 6; something that stays after one of a thousand requests makes thousands.
 */
enum Quantity {
    /** What a client JVM keeps in its heap after a collection. */
    HEAP("heap of a client after GC", "KiB", 2_048),
    /** The threads of a client JVM. */
    THREADS("threads of a client", "", 6),
    /** The open files and connections of a client JVM. */
    DESCRIPTORS("file descriptors of a client", "", 6),
    /** The connections that the server counts, without that of the measurement. */
    CONNECTIONS("connections at the server", "", 6),
    /** Redis: {@code used_memory}. PostgreSQL: the memory of its processes that no file backs and that they do not share. */
    SERVER_MEMORY("memory of the server", "KiB", 4_096),
    /** Redis: keys. PostgreSQL: rows of Baton's tables, without cancelled attempts. */
    ENTRIES("entries at the server", "", 300),
    /** PostgreSQL: Baton's tables and indexes, after {@code VACUUM}. */
    TABLES("tables after VACUUM", "KiB", 1_024);

    private final String words;
    private final String unit;
    private final double limit;

    Quantity(String words, String unit, double limit) {
        this.words = words;
        this.unit = unit;
        this.limit = limit;
    }

    String words() {
        return words;
    }

    String unit() {
        return unit;
    }

    double limit() {
        return limit;
    }
}
