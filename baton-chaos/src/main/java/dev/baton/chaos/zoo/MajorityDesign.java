package dev.baton.chaos.zoo;

import java.util.Arrays;
import java.util.List;

/**
 * The steps of a lock on a majority of independent Redis servers.
 *
 * @param belief how long a holder believes
 * @param members which servers take part
 * @param tokens where tokens come from
 */
record MajorityDesign(Belief belief, Members members, MajorityTokens tokens) implements Design {
    /** Which servers take part. */
    enum Members {
        /** Those that have been up for longer than a lease: they know all locks that are still taken. */
        LONG_UP("""
                local now = redis.call('TIME')
                local millis = now[1] * 1000 + math.floor(now[2] / 1000)
                if redis.call('SET', KEYS[2], string.format('%.0f', millis), 'NX') then return 0 end
                if millis - tonumber(redis.call('GET', KEYS[2])) <= 1.1 * ARGV[2] then return 0 end
                """),
        /** All that are up. */
        ALL_UP("");

        private static final String SCRIPT_TAKE =
                "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0";

        /** Since when a server knows its locks. */
        private static final String KEY_SINCE = "zoo-since";

        private final String condition;

        Members(String condition) {
            this.condition = condition;
        }

        boolean take(Redis member, Ask ask) {
            return member.run(condition + SCRIPT_TAKE, List.of(ask.key(), KEY_SINCE), ask.owner(), ask.leaseMillis())
                    == 1;
        }
    }

    /** Returns the addresses of the servers. */
    static List<String> addresses(String uri) {
        return Arrays.asList(uri.split(",", -1));
    }

    @Override
    public String store() {
        return "redis-three";
    }
}
