package dev.baton.redis;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The servers that keep the locks of one namespace, and which of them keeps which. Thread-safe. */
interface Topology extends AutoCloseable {
    /** Returns the node that keeps a bucket. */
    Node of(int bucket);

    /** Returns all nodes; there is at least one. */
    List<Node> nodes();

    /** Returns the risks that were found when connecting. */
    List<String> warnings();

    /** Returns facts for operators, beside those of the servers themselves. */
    Map<String, String> facts();

    /** Returns how many replicas the sentinels know; empty without sentinels. */
    default OptionalInt replicasBySentinels() {
        return OptionalInt.empty();
    }

    @Override
    void close();
}
