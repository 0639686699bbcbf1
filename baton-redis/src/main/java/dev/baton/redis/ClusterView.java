package dev.baton.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.HostAndPort;

/**
 * What one node of a cluster says of all nodes, {@code CLUSTER NODES}. What it says of itself is true; the rest may be out of
 * date.
 *
 * @param own the identity of the node that says it; empty if it is not among the members
 * @param members the nodes that have an address
 */
record ClusterView(String own, List<Member> members) {
    private static final int FIRST_SLOTS = 8;

    /**
     * One node.
     *
     * @param id its identity, which it keeps for ever
     * @param at the address that it announces
     * @param isPrimary whether it is a primary
     * @param primaryId the primary that it follows; its own identity if it is one
     * @param epoch of its claim to its slots: the greatest is right
     * @param slots ranges, each as its first and its last slot
     */
    record Member(String id, HostAndPort at, boolean isPrimary, String primaryId, long epoch, List<int[]> slots) {
        boolean hasSlot(int slot) {
            return slots.stream().anyMatch(range -> range[0] <= slot && slot <= range[1]);
        }
    }

    /**
     * Reads the answer of a node.
     *
     * @param asked the address at which it was asked: it may not know its own
     */
    static ClusterView of(String text, HostAndPort asked) {
        List<Member> members = new ArrayList<>();
        String own = "";
        for (String line : text.split("\r?\n", -1)) {
            String[] words = line.split(" ", -1);
            if (words.length >= FIRST_SLOTS) {
                List<String> flags = Arrays.asList(words[2].split(",", -1));
                if (!flags.contains("noaddr") && !flags.contains("handshake")) {
                    members.add(member(words, flags, asked));
                    own = flags.contains("myself") ? words[0] : own;
                }
            }
        }
        return new ClusterView(own, members);
    }

    private static Member member(String[] words, List<String> flags, HostAndPort asked) {
        boolean isPrimary = flags.contains("master");
        List<int[]> slots = new ArrayList<>();
        for (String range : Arrays.asList(words).subList(FIRST_SLOTS, words.length)) {
            // Others, in brackets, are on their way to or from another node.
            if (range.matches("\\d{1,5}(-\\d{1,5})?")) {
                String[] ends = range.split("-", -1);
                slots.add(new int[] {Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])});
            }
        }
        return new Member(
                words[0],
                address(words[1], asked),
                isPrimary,
                isPrimary ? words[0] : words[3],
                Long.parseLong(words[6]),
                slots);
    }

    /** Reads {@code HOST:PORT@BUS,NAME}: the name, if there is one, is where clients shall connect. */
    private static HostAndPort address(String text, HostAndPort asked) {
        String[] parts = text.split(",", -1);
        int bus = parts[0].lastIndexOf('@');
        String place = bus < 0 ? parts[0] : parts[0].substring(0, bus);
        int colon = place.lastIndexOf(':');
        String host = parts.length > 1 && !parts[1].isEmpty() && parts[1].indexOf('=') < 0
                ? parts[1]
                : place.substring(0, colon);
        return new HostAndPort(host.isEmpty() ? asked.getHost() : host, Integer.parseInt(place.substring(colon + 1)));
    }
}
