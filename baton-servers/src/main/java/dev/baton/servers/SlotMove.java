package dev.baton.servers;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The move of one slot of a cluster.
 *
 * @param slot the slot
 * @param from its primary
 * @param to another primary
 */
record SlotMove(int slot, RedisServer from, RedisServer to) {
    private static final String LIMIT_MILLIS = "5000";

    /** From now on the source sends clients to the target for keys that it does not have. */
    void begin() {
        // The target first: it must accept those whom the source sends.
        set(to, "IMPORTING", id(from));
        set(from, "MIGRATING", id(to));
    }

    /** Moves at most so many keys, and returns how many. */
    int keys(int most) {
        @Nullable Object found = from.command("CLUSTER", "GETKEYSINSLOT", number(slot), number(most));
        List<?> keys = found instanceof List<?> list ? list : List.of();
        if (keys.isEmpty()) {
            return 0;
        }
        List<String> words = new ArrayList<>(List.of("MIGRATE", "127.0.0.1", number(to.port()), "", "0", LIMIT_MILLIS));
        words.addAll(List.of("AUTH2", RedisServer.KIT_USER, RedisServer.KIT_USER, "KEYS"));
        keys.forEach(key -> words.add(String.valueOf(key)));
        from.command(words.toArray(String[]::new));
        return keys.size();
    }

    /**
     * Makes the target the primary of the slot.
     *
     * @param others the other primaries that run
     * @throws IllegalStateException if the source still has keys: it would delete them
     */
    void end(List<RedisServer> others) {
        Object left = from.command("CLUSTER", "COUNTKEYSINSLOT", number(slot));
        if (!Long.valueOf(0).equals(left)) {
            throw new IllegalStateException("slot " + slot + " has " + left + " keys on port " + from.port() + " yet");
        }
        String id = id(to);
        // The target first: if it died after the source has let go, no node would have the slot.
        set(to, "NODE", id);
        set(from, "NODE", id);
        others.forEach(other -> set(other, "NODE", id));
    }

    private void set(RedisServer node, String state, String id) {
        node.command("CLUSTER", "SETSLOT", number(slot), state, id);
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    private static String number(int value) {
        return Integer.toString(value);
    }
}
