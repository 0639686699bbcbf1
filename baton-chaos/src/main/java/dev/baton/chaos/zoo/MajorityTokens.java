package dev.baton.chaos.zoo;

import java.util.List;
import redis.clients.jedis.exceptions.JedisException;

/** Where the fencing tokens of a lock on a majority come from. They are drawn under the lock. */
enum MajorityTokens {
    /** There are none. */
    NONE {
        @Override
        long draw(List<Redis> members, Ask ask) {
            return MISSING;
        }
    },
    /** A counter at the first member that answers. */
    OF_ONE_MEMBER {
        @Override
        long draw(List<Redis> members, Ask ask) {
            for (Redis member : members) {
                try {
                    return member.increment(ask.tokenKey());
                } catch (JedisException unanswered) {
                    // The next one.
                }
            }
            return UNKNOWN;
        }
    },
    /** The greatest of those that a majority draws by clock and memory, which a majority then remembers. */
    OF_A_MAJORITY {
        @Override
        long draw(List<Redis> members, Ask ask) {
            long greatest = UNKNOWN;
            int drawn = 0;
            for (Redis member : members) {
                try {
                    greatest = Math.max(greatest, Tokens.CLOCKED.underLock(member, ask, MISSING));
                    drawn++;
                } catch (JedisException unanswered) {
                    // Counts as a no.
                }
            }
            return isMajority(drawn, members) && isMajority(remembering(greatest, members, ask), members)
                    ? greatest
                    : UNKNOWN;
        }

        private int remembering(long token, List<Redis> members, Ask ask) {
            int remembering = 0;
            for (Redis member : members) {
                try {
                    remembering += (int) member.run(
                            "if tonumber(redis.call('GET', KEYS[1]) or '0') > tonumber(ARGV[1]) then return 0 end"
                                    + " redis.call('SET', KEYS[1], ARGV[1]) return 1",
                            List.of(ask.tokenKey()),
                            Long.toString(token));
                } catch (JedisException unanswered) {
                    // Counts as a no.
                }
            }
            return remembering;
        }
    };

    /** The token of a hold without one. */
    static final long MISSING = -1;

    /** Too few members answered: then the lock is not granted. */
    static final long UNKNOWN = -2;

    abstract long draw(List<Redis> members, Ask ask);

    private static boolean isMajority(int agreed, List<Redis> members) {
        return agreed > members.size() / 2;
    }
}
