package dev.baton.chaos.zoo;

import java.util.List;
import java.util.function.Predicate;
import redis.clients.jedis.exceptions.JedisException;

/** Asks several servers, and counts. */
final class Majority {
    private Majority() {}

    /** Asks all members, one after the other, and returns whether more than half agree. */
    static boolean agrees(List<Redis> members, Predicate<Redis> step) {
        int agreed = 0;
        for (Redis member : members) {
            try {
                agreed += step.test(member) ? 1 : 0;
            } catch (JedisException unanswered) {
                // Counts as a no.
            }
        }
        return agreed > members.size() / 2;
    }
}
