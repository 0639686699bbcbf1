package dev.baton.chaos.zoo;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
            AtomicLong greatest = new AtomicLong(UNKNOWN);
            boolean drawn = Majority.agrees(members, member -> {
                greatest.accumulateAndGet(Tokens.CLOCKED.underLock(member, ask, MISSING), Math::max);
                return true;
            });
            return drawn && Majority.agrees(members, member -> remembers(member, ask, greatest.get()))
                    ? greatest.get()
                    : UNKNOWN;
        }

        private boolean remembers(Redis member, Ask ask, long token) {
            return member.run(
                            "if tonumber(redis.call('GET', KEYS[1]) or '0') > tonumber(ARGV[1]) then return 0 end"
                                    + " redis.call('SET', KEYS[1], ARGV[1]) return 1",
                            List.of(ask.tokenKey()),
                            Long.toString(token))
                    == 1;
        }
    };

    /** The token of a hold without one. */
    static final long MISSING = -1;

    /** Too few members answered: then the lock is not granted. */
    static final long UNKNOWN = -2;

    abstract long draw(List<Redis> members, Ask ask);
}
