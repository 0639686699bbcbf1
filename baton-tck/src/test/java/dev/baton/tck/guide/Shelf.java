package dev.baton.tck.guide;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A database of documents, each replaced if it still has the version that was read: what the guide's store is for. */
final class Shelf {
    /** What was read. */
    record Document(byte[] content, long version) {}

    private static final Map<String, Shelf> SHELVES = new ConcurrentHashMap<>();

    private final Map<String, Document> documents = new ConcurrentHashMap<>();
    private final AtomicLong versions = new AtomicLong();

    private Shelf() {}

    static Shelf named(String name) {
        return SHELVES.computeIfAbsent(name, any -> new Shelf());
    }

    @Nullable
    Document read(String key) {
        return documents.get(key);
    }

    /** Writes unless another client has written since; false if one has. */
    boolean replace(String key, @Nullable Document read, byte[] content) {
        Document written = new Document(content, versions.incrementAndGet());
        return read == null ? documents.putIfAbsent(key, written) == null : documents.replace(key, read, written);
    }
}
