package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.NameKind;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/**
 * The steps of a lock on ZooKeeper.
 *
 * @param belief how long a holder believes
 * @param nodes whose nodes the requests are
 * @param turn when a request has the lock
 * @param kind for which names its animals are hunted
 */
record SessionDesign(Belief belief, Nodes nodes, Turn turn, NameKind kind) implements Design {
    static final SessionDesign SOUND =
            new SessionDesign(Belief.FROM_REQUEST, Nodes.OF_THE_SESSION, Turn.OWN_NODE_IS_FIRST, NameKind.LOCK);

    /** Whose nodes the requests are. */
    enum Nodes {
        /** The session's, with which they end. */
        OF_THE_SESSION(CreateMode.EPHEMERAL_SEQUENTIAL) {
            @Override
            boolean isOwn(Stat node, long session) {
                return node.getEphemeralOwner() == session;
            }
        },
        /** The server's, which keeps them until they are deleted. */
        OF_THE_SERVER(CreateMode.PERSISTENT_SEQUENTIAL) {
            @Override
            boolean isOwn(Stat node, long session) {
                return true;
            }
        };

        private final CreateMode mode;

        Nodes(CreateMode mode) {
            this.mode = mode;
        }

        /** Returns how a node is created. */
        CreateMode mode() {
            return mode;
        }

        /** Whether a node that is there is still that of its request. */
        abstract boolean isOwn(Stat node, long session);
    }

    /** When a request has the lock. */
    enum Turn {
        /** When its node is there, and the first of all. */
        OWN_NODE_IS_FIRST,
        /** When no earlier node is there. */
        NO_NODE_IS_EARLIER
    }

    SessionDesign with(Belief other) {
        return new SessionDesign(other, nodes, turn, kind);
    }

    SessionDesign with(Nodes other) {
        return new SessionDesign(belief, other, turn, kind);
    }

    SessionDesign with(Turn other) {
        return new SessionDesign(belief, nodes, other, kind);
    }

    SessionDesign with(NameKind other) {
        return new SessionDesign(belief, nodes, turn, other);
    }

    @Override
    public String store() {
        return "zookeeper";
    }

    @Override
    public List<NameKind> kinds() {
        return List.of(kind);
    }

    /** The shortest session that the server grants. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }
}
