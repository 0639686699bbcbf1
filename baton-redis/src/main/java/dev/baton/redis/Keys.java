package dev.baton.redis;

import dev.baton.spi.Protocol;
import java.nio.charset.StandardCharsets;

/**
 * The names of a namespace's keys and channels. Each begins with the namespace and a colon, so that access rights can
 * be given for that prefix; each key has its bucket as hash tag, so that all keys of one name are in one slot.
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

    /** Writes the key of a name's record, from which scripts derive its other keys. */
    void write(String name, RespWriter out) {
        out.bulk(records[Protocol.bucketOf(name)], bytes(name));
    }

    String descriptor() {
        return namespace + ":{0}:d";
    }

    /** Returns a key that never exists, for trying commands. */
    String nothing() {
        return namespace + ":{0}:nothing";
    }

    /** Returns the prefix of all channels. */
    String channels() {
        return namespace + ":push:";
    }

    /** Returns a pattern for the records of all names with a prefix. */
    String recordPattern(String prefix) {
        return namespace + ":{*}:r:" + prefix.replaceAll("[\\\\*?\\[\\]^-]", "\\\\$0") + "*";
    }

    /** Returns the name in the key of a record. */
    static String nameIn(String recordKey) {
        return recordKey.substring(recordKey.indexOf("}:r:") + "}:r:".length());
    }
}
