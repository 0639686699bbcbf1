package dev.baton.chaos.server;

import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.zoo.Zoo;
import dev.baton.servers.RedisServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The keys of locks, as a server has them. */
final class RedisRecords {
    private static final String BATON = ClientSettings.NAMESPACE + ":{*}:";

    /** Reads the forms of a record (machine.lua of the store): two with one hold in it, and a packed one for all else. */
    private static final String HELD = """
            local now = redis.call('TIME')
            now = now[1] * 1e6 + now[2]
            local held = {}
            local function add(key, deadline, token)
              if deadline > now then
                held[#held + 1] = string.format('%s %.0f', key, token)
              end
            end
            for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
              local record = redis.call('GET', key)
              local form = record and string.byte(record)
              if form == 1 or form == 2 then
                add(key, struct.unpack('<dd', record, form == 1 and 2 or 50))
              elseif record then
                for _, hold in ipairs(cmsgpack.unpack(record).h) do
                  add(key, hold.d, hold.t)
                end
              end
            end
            return held
            """;

    private RedisRecords() {}

    /** Returns the keys of Baton's locks that are held or asked for, and those of the zoo's locks with their holders. */
    static Set<String> of(RedisServer server) {
        Set<String> records = ofZoo(server);
        records.addAll(names(server));
        return records;
    }

    private static Set<String> ofZoo(RedisServer server) {
        Set<String> locks = new HashSet<>();
        keys(server, Zoo.LOCKS + '*').forEach(key -> locks.add(key + ' ' + server.command("GET", key)));
        return locks;
    }

    /**
     * Returns the locks that are held, Baton's with their tokens and the zoo's with their holders. Renewals change neither.
     * Works while writes wait, too.
     */
    static Set<String> held(RedisServer server) {
        Set<String> held = ofZoo(server);
        if (server.command("EVAL_RO", HELD, "0", BATON + "r:*") instanceof List<?> found) {
            found.forEach(hold -> held.add(String.valueOf(hold)));
        }
        return held;
    }

    /** Returns the keys of Baton's locks that are held or asked for. Replicas of a cluster answer that, too, and nothing else. */
    static Set<String> names(RedisServer server) {
        return new HashSet<>(keys(server, BATON + "r:*"));
    }

    /** Returns the keys of the buckets. */
    static List<String> buckets(RedisServer server) {
        return keys(server, BATON + "b");
    }

    private static List<String> keys(RedisServer server, String pattern) {
        List<String> keys = new ArrayList<>();
        if (server.command("KEYS", pattern) instanceof List<?> found) {
            found.forEach(key -> keys.add(String.valueOf(key)));
        }
        return keys;
    }
}
