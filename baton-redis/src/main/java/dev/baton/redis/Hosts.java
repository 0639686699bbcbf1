package dev.baton.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/** Reads and shows hosts with their ports. No message shows what was read: it may be a part of a password. */
final class Hosts {
    private static final int LARGEST_PORT = 65_535;

    private Hosts() {}

    /** Returns a host as messages show it. */
    static String shown(HostAndPort at) {
        String host = at.getHost();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + at.getPort();
    }

    /**
     * Reads a list, {@code HOST:PORT,…}.
     *
     * @param what each of them is, in messages
     */
    static List<HostAndPort> list(String text, int defaultPort, String what) {
        List<HostAndPort> all = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            HostAndPort next = one(each, defaultPort, what + ' ' + (all.size() + 1) + " of the address");
            if (all.contains(next)) {
                throw new IllegalArgumentException("the address names a " + what + " twice, at position "
                        + (all.indexOf(next) + 1) + " and at position " + (all.size() + 1));
            }
            all.add(next);
        }
        return all;
    }

    /** Reads pairs, {@code HOST:PORT=HOST:PORT,…}; a greater-than sign serves as well. */
    static Map<HostAndPort, HostAndPort> map(@Nullable String text, int defaultPort, String option) {
        Map<HostAndPort, HostAndPort> map = new HashMap<>();
        if (text == null) {
            return map;
        }
        int number = 0;
        for (String each : text.split(",", -1)) {
            String what = "entry " + ++number + " of " + option;
            String[] pair = each.split("[=>]", -1);
            if (pair.length != 2) {
                throw new IllegalArgumentException(what + " is not a pair, as in " + option
                        + "10.0.0.5:6379=redis.example.org:16379: the announced address, and the one reached from"
                        + " here");
            }
            if (map.put(one(pair[0], defaultPort, what), one(pair[1], defaultPort, what)) != null) {
                throw new IllegalArgumentException(what + " maps an announced address for the second time");
            }
        }
        return map;
    }

    private static HostAndPort one(String text, int defaultPort, String what) {
        int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        String host = end <= 0 ? text : text.substring(0, end);
        String rest = text.substring(host.length());
        boolean bracketed = host.matches("\\[[0-9a-fA-F:.]+]");
        if (!bracketed && !host.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(what + " has no host, as in HOST:" + defaultPort
                    + " (special characters in a password are written as in %40)");
        }
        if (!rest.isEmpty() && !rest.matches(":\\d{1,5}")) {
            throw new IllegalArgumentException(what + " has a port that is no number, as in HOST:" + defaultPort
                    + " (special characters in a password are written as in %40)");
        }
        int port = rest.isEmpty() ? defaultPort : Integer.parseInt(rest.substring(1));
        if (port == 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException(what + " has a port that is not between 1 and " + LARGEST_PORT);
        }
        return new HostAndPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
    }
}
