package dev.baton.redis;

import dev.baton.spi.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The names of a namespace's keys and channels. Each begins with the namespace and a colon, so that access rights can
 * be given for that prefix; each has its bucket as hash tag, so that everything of one name is in one slot.
 */
final class Keys {
    /** How many keys a script takes for each name: all that it may touch, but for the gaps of a queue. */
    static final int PER_NAME = 3;

    private final byte[][] records = new byte[Protocol.BUCKETS][];
    private final byte[][] buckets = new byte[Protocol.BUCKETS][];
    private final byte[][] queues = new byte[Protocol.BUCKETS][];
    private final byte[][] notes = new byte[Protocol.BUCKETS][];
    private final String namespace;

    Keys(String namespace) {
        this.namespace = namespace;
        for (int i = 0; i < Protocol.BUCKETS; i++) {
            records[i] = bytes(prefix(i) + "r:");
            buckets[i] = bytes(bucket(i));
            queues[i] = bytes(prefix(i) + "q:");
            notes[i] = bytes(prefix(i) + "n:");
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String prefix(int bucket) {
        return namespace + ":{" + bucket + "}:";
    }

    /** Writes the keys of a name's record, bucket and queue. */
    void write(String name, RespWriter out) {
        int bucket = Protocol.bucketOf(name);
        byte[] bytes = bytes(name);
        out.bulk(records[bucket], bytes).bulk(buckets[bucket]).bulk(queues[bucket], bytes);
    }

    /** Writes the keys of a name's record, bucket and note. */
    void writeWithNote(String name, RespWriter out) {
        int bucket = Protocol.bucketOf(name);
        byte[] bytes = bytes(name);
        out.bulk(records[bucket], bytes).bulk(buckets[bucket]).bulk(notes[bucket], bytes);
    }

    String bucket(int number) {
        return prefix(number) + "b";
    }

    /** Returns the slot of each bucket on a cluster. */
    List<Integer> slots() {
        return IntStream.range(0, Protocol.BUCKETS)
                .map(number -> Slots.of(bucket(number)))
                .boxed()
                .toList();
    }

    String descriptor() {
        return prefix(0) + "d";
    }

    /** Returns a key that never exists, for trying commands where a bucket is. */
    String nothing(int bucket) {
        return prefix(bucket) + "nothing";
    }

    /**
     * Returns the channel of a client. Outside clusters all pushes go by that of bucket 0: one subscription hears
     * everything of a server.
     */
    String channel(int bucket, String clientId) {
        return prefix(bucket) + "push:" + clientId;
    }

    /** Returns a pattern for the records of all names with a prefix. */
    String recordPattern(String prefix) {
        return namespace + ":{*}:r:" + escaped(prefix) + "*";
    }

    /** Returns the channel to which all clients of the namespace in a database listen, so that they can be counted. */
    String presence(int database) {
        return prefix(0) + "present:" + database;
    }

    private static String escaped(String text) {
        return text.replaceAll("[\\\\*?\\[\\]^-]", "\\\\$0");
    }

    /** Returns the name in the key of a record. */
    static String nameIn(String recordKey) {
        return recordKey.substring(recordKey.indexOf("}:r:") + "}:r:".length());
    }
}
