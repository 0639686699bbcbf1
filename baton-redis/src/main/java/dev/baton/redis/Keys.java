package dev.baton.redis;

import dev.baton.spi.Protocol;
import java.nio.charset.StandardCharsets;

/**
 * What the keys and channels of a namespace are called. Each begins with the namespace and a colon, which is what access
 * rights are given for; each key has its bucket as hash tag, so that all keys of one name are in one slot.
 */
final class Keys {
    private final byte[][] records = new byte[Protocol.BUCKETS][];
    private final String namespace;

    Keys(String namespace) {
        this.namespace = namespace;
        for (int i = 0; i < Protocol.BUCKETS; i++) {
            records[i] = bytes(namespace + ":{" + i + "}:r:");
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Writes the key of a name's record, from which scripts make its other keys. */
    void write(String name, RespWriter out) {
        out.bulk(records[Protocol.bucketOf(name)], bytes(name));
    }

    String descriptor() {
        return namespace + ":{0}:d";
    }

    /** A key that is never there, to try commands on. */
    String nothing() {
        return namespace + ":{0}:nothing";
    }

    /** What all channels begin with. */
    String channels() {
        return namespace + ":push:";
    }

    /** A pattern for the records of all names with a prefix. */
    String recordPattern(String prefix) {
        return namespace + ":{*}:r:" + prefix.replaceAll("[\\\\*?\\[\\]^-]", "\\\\$0") + "*";
    }

    /** The name in the key of a record. */
    static String nameIn(String recordKey) {
        return recordKey.substring(recordKey.indexOf("}:r:") + "}:r:".length());
    }
}
