package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.Protocol;
import dev.baton.spi.StoreFailure;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The servers that keep the locks of one namespace, and which of them keeps which. Thread-safe. */
interface Topology extends AutoCloseable {
    /** Returns the node that keeps a bucket. */
    Node of(int bucket);

    /** Returns the node that keeps a name. Each command asks, so a topology with one node answers without a hash. */
    default Node of(String name) {
        return of(Protocol.bucketOf(name));
    }

    /** Returns all nodes; there is at least one. The first keeps bucket 0, with the descriptor of the namespace. */
    List<Node> nodes();

    /** Returns the part of the names that a name belongs to, as the engine counts them: a server and its clock. */
    default int shardOf(String name) {
        return 0;
    }

    /**
     * Called when a node did not execute a command because it does not keep the bucket, or not the whole of it. Returns
     * when it makes sense to ask {@link #of} again.
     *
     * @param asked the node
     * @throws StoreFailure if that is not known in time, or never
     */
    default void redirected(int bucket, Node asked, RespReader.RespError error, Deadline deadline) throws StoreFailure {
        throw ServerErrors.failure(error.message(), asked.target(), null);
    }

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
