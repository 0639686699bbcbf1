package dev.baton.servers;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one node of a cluster says of all nodes.
 *
 * @param serves whether it answers clients: it knows a primary of each slot, and reaches most primaries
 * @param nodes all that it knows, itself included
 */
record ClusterView(boolean serves, List<Node> nodes) {
    /** Id, address, flags, id of the primary, two times, epoch, state of the link, and slots. */
    private static final Pattern LINE =
            Pattern.compile("(?<id>\\w+) \\S*:(?<port>\\d+)@\\S* (?<flags>\\S+) (?<primary>\\S+)"
                    + " \\d+ \\d+ (?<epoch>\\d+) (?<link>\\S+)(?<slots>.*)");

    /** Flags and states of a node that not all others reach, or do not know well yet. */
    private static final Pattern TROUBLE = Pattern.compile(".*\\b(fail|handshake|noaddr|disconnected)\\b.*");

    /**
     * A node.
     *
     * @param id its name for the others
     * @param flags such as {@code myself,master}
     * @param primary the id of its primary, or {@code -}
     * @param epoch of its configuration: of two that claim a slot, the newer one has it
     * @param link such as {@code connected}
     * @param slots ranges such as {@code 0-5460}, and single ones
     */
    record Node(String id, int port, String flags, String primary, long epoch, String link, List<String> slots) {
        private static Node of(String line) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalStateException("no line about a node: " + line);
            }
            return new Node(
                    parts.group("id"),
                    Integer.parseInt(parts.group("port")),
                    parts.group("flags"),
                    parts.group("primary"),
                    Long.parseLong(parts.group("epoch")),
                    parts.group("link"),
                    slots(parts.group("slots")));
        }

        /** Returns its slots without those that are being moved, which it alone tells. */
        private static List<String> slots(String text) {
            return Arrays.stream(text.strip().split(" ", -1))
                    .filter(range -> !range.isEmpty() && !range.startsWith("["))
                    .toList();
        }

        boolean serves(int slot) {
            return slots.stream().anyMatch(range -> {
                String[] ends = range.split("-", 2);
                return Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]);
            });
        }

        private String role() {
            return port + " of " + primary + " serves " + slots;
        }
    }

    /**
     * Asks a node.
     *
     * @throws IOException if it does not answer
     */
    static ClusterView of(RedisServer node) throws IOException {
        try (RespConnection connection = node.connect(RedisMembers.ANSWER_LIMIT_MILLIS)) {
            String state = String.valueOf(connection.call("CLUSTER", "INFO"));
            String nodes = String.valueOf(connection.call("CLUSTER", "NODES"));
            return new ClusterView(
                    state.contains("cluster_state:ok"),
                    nodes.lines().map(Node::of).toList());
        }
    }

    /** Returns the node that serves a slot. */
    Optional<Node> primaryOf(int slot) {
        return nodes.stream().filter(node -> node.serves(slot)).findFirst();
    }

    /** Returns the ports of the nodes that serve slots. */
    Set<Integer> primaries() {
        return ports(nodes.stream().filter(node -> !node.slots().isEmpty()));
    }

    /** Returns the ports of the nodes that replicate the one on this port. */
    Set<Integer> replicasOf(int port) {
        return ports(nodes.stream()
                .filter(primary -> primary.port() == port)
                .flatMap(primary -> nodes.stream().filter(node -> node.primary().equals(primary.id()))));
    }

    private static Set<Integer> ports(Stream<Node> nodes) {
        return nodes.map(Node::port).collect(Collectors.toSet());
    }

    /** Returns who serves which slots, and who replicates whom. */
    Set<String> roles() {
        return nodes.stream().map(Node::role).collect(Collectors.toSet());
    }

    /** Returns the epoch of the newest change that it knows. */
    long epoch() {
        return nodes.stream().mapToLong(Node::epoch).max().orElse(0);
    }

    /** Returns whether it knows this many nodes, and each of them is well. */
    boolean knows(int number) {
        return nodes.size() == number
                && nodes.stream()
                        .noneMatch(node -> TROUBLE.matcher(node.flags() + " " + node.link())
                                .matches());
    }
}
