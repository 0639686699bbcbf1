package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.List;
import java.util.Map;

/** One server, at one address. */
final class Standalone implements Topology {
    private final Node node;
    private final List<String> warnings;

    /** Creates it on a node that is started. */
    Standalone(Node node, List<String> warnings) {
        this.node = node;
        this.warnings = warnings;
    }

    /** Connects. */
    static Standalone open(Node node, Dialer.Opener opener, Deadline deadline) throws StoreFailure {
        return new Standalone(node, node.start(opener.open(), false, deadline));
    }

    @Override
    public Node of(int bucket) {
        return node;
    }

    @Override
    public Node of(String name) {
        return node;
    }

    @Override
    public List<Node> nodes() {
        return List.of(node);
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public Map<String, String> facts() {
        return Map.of();
    }

    @Override
    public void close() {
        node.close();
    }
}
