package dev.baton.chaos.zoo;

import java.time.Duration;

/**
 * The steps of a lock on a Redis with replicas and sentinels. A server that may have forgotten locks grants nothing for as
 * long as the longest lease, its grace period, in which holders put back what they hold.
 *
 * @param evidence what a server is known by: one that is not known may have forgotten
 * @param putBack what decides when a holder puts a lock back
 * @param pushes what a waiter does when its grant is pushed
 * @param writes when a server's answer counts
 * @param lease the lease time of hunts
 */
record FailoverDesign(Evidence evidence, PutBack putBack, Pushes pushes, Writes writes, Duration lease)
        implements Design {
    static final FailoverDesign SOUND = new FailoverDesign(
            Evidence.PROCESS_AND_HISTORY,
            PutBack.NEWEST_TOKEN,
            Pushes.ASKED_ABOUT,
            Writes.AT_THE_PRIMARY,
            Duration.ofSeconds(3));

    /** What a server is known by. */
    enum Evidence {
        /** Its process, and the history of its data, which begins anew with each promotion. */
        PROCESS_AND_HISTORY("process .. history"),
        /** Its process. */
        PROCESS("process");

        private final String expression;

        Evidence(String expression) {
            this.expression = expression;
        }

        /** Returns what a script calls a server whose grace period is over. */
        String expression() {
            return expression;
        }
    }

    /** What decides when a holder puts a lock back in a grace period. */
    enum PutBack {
        /** The token: a lock that was granted later is not replaced, whether it is held still or not. */
        NEWEST_TOKEN("token >= last()"),
        /** The order of arrival: whoever puts a lock back has it. */
        LAST_COMER("true");

        private final String condition;

        PutBack(String condition) {
            this.condition = condition;
        }

        /** Returns the condition of a script. */
        String condition() {
            return condition;
        }
    }

    /** What a waiter does when its grant is pushed. */
    enum Pushes {
        /** It renews, and believes when that was answered. */
        ASKED_ABOUT,
        /** It believes. */
        BELIEVED
    }

    /** When a server's answer to a grant or a renewal counts. */
    enum Writes {
        /** At once. */
        AT_THE_PRIMARY,
        /** When a replica has it. */
        AT_A_REPLICA
    }

    FailoverDesign with(Evidence other) {
        return new FailoverDesign(other, putBack, pushes, writes, lease);
    }

    FailoverDesign with(PutBack other) {
        return new FailoverDesign(evidence, other, pushes, writes, lease);
    }

    FailoverDesign with(Pushes other) {
        return new FailoverDesign(evidence, putBack, other, writes, lease);
    }

    FailoverDesign with(Writes other) {
        return new FailoverDesign(evidence, putBack, pushes, other, lease);
    }

    FailoverDesign with(Duration other) {
        return new FailoverDesign(evidence, putBack, pushes, writes, other);
    }

    @Override
    public String store() {
        return "redis-sentinel";
    }
}
