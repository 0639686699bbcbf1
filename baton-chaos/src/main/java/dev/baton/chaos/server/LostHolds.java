package dev.baton.chaos.server;

import dev.baton.servers.RedisServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * The holds that each member lacked when a primary died.
 *
 * @param byMember how many
 */
record LostHolds(Map<RedisServer, Long> byMember) {
    /** For how long writes wait before the death of a primary, so that what it knows can be counted. */
    static final String STILL_MILLIS = "2000";

    /**
     * Kills a primary. Its writes wait before, so that it has told clients of each hold that it knows. The members
     * that receive nothing any more are what they will be when one of them is promoted.
     *
     * @param knownTo reads what a member knows, in the same form for all
     */
    static LostHolds byDeathOf(
            RedisServer primary, List<RedisServer> members, Function<RedisServer, Set<String>> knownTo) {
        primary.command("CLIENT", "PAUSE", STILL_MILLIS, "WRITE");
        Set<String> known = knownTo.apply(primary);
        Map<RedisServer, Long> lost = new HashMap<>();
        for (RedisServer member : members) {
            Set<String> kept = member == primary ? known : knownTo.apply(member);
            lost.put(member, known.stream().filter(key -> !kept.contains(key)).count());
        }
        primary.kill();
        return new LostHolds(lost);
    }

    long withPrimary(RedisServer promoted) {
        return Objects.requireNonNull(byMember.get(promoted));
    }
}
