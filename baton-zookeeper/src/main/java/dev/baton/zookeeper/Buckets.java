package dev.baton.zookeeper;

import dev.baton.internal.ordered.OrderedNames;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/**
 * Nodes between a namespace's node and those of its names. ZooKeeper answers with all children of a node or none, and
 * its clients break the connection over an answer of more than 1 MB: spread over {@value #NUMBER} buckets, 1.2 million
 * names of the greatest length fit. Thread-safe.
 */
final class Buckets {
    /** The number of buckets. The namespace's descriptor records it: clients that use another number are refused. */
    static final int NUMBER = 4_096;

    private static final int DIGITS = 3;

    private final String root;

    /** The buckets that existed when this client last saw them. Other clients may tidy them away. */
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    Buckets(String root) {
        this.root = root;
    }

    /** Returns the path of a name's node. */
    String parent(String name) {
        return below("", name);
    }

    /** Returns the path of the node of a name's note. It is in a bucket of notes, which is none of {@link #isBucket}. */
    String note(String name) {
        return below("n", name);
    }

    private String below(String sort, String name) {
        String encoded = OrderedNames.encode(name);
        CRC32 crc = new CRC32();
        crc.update(encoded.getBytes(StandardCharsets.US_ASCII));
        return path(sort + HexFormat.of().toHexDigits(crc.getValue() % NUMBER, DIGITS)) + '/' + encoded;
    }

    /** Returns the path of the bucket that contains a name's node. */
    static String of(String parent) {
        return parent.substring(0, parent.lastIndexOf('/'));
    }

    String path(String bucket) {
        return root + '/' + bucket;
    }

    static boolean isBucket(String child) {
        return child.length() == DIGITS && child.chars().allMatch(HexFormat::isHexDigit);
    }

    boolean isNew(String bucket) {
        return seen.add(bucket);
    }

    void forget(String bucket) {
        seen.remove(bucket);
    }
}
