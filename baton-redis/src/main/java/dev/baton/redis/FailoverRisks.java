package dev.baton.redis;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a failover can still do to locks in one setup of servers, in words for operators.
 *
 * @param grace when a server that may have forgotten waits for a grace period
 * @param confirming how many replicas confirm each write
 * @param attached how many replicas follow the primary
 * @param bySentinels how many replicas the sentinels know; empty without sentinels
 * @param least fewer replicas than this make the primary refuse writes: 0 if it never does, empty if that is not known
 *     exactly, which means at least 1
 * @param lag after how many seconds of silence a replica does not count for that; empty if it is not known
 */
record FailoverRisks(
        GraceMode grace, int confirming, int attached, OptionalInt bySentinels, OptionalInt least, String lag) {
    private static final String LEAST = "min-replicas-to-write";
    private static final String NOTHING = "nothing that Baton knows of";
    private static final String LAG = "min-replicas-max-lag";

    /**
     * Takes them from what the servers say.
     *
     * @param settings what the primary says of {@code min-replicas-*}; empty if it denies it
     */
    static FailoverRisks of(
            Server primary, Map<String, String> settings, OptionalInt bySentinels, RedisAddress address) {
        String exact = settings.getOrDefault(LEAST, "");
        OptionalInt least = exact.matches("\\d{1,9}")
                ? OptionalInt.of(Integer.parseInt(exact))
                : primary.refusesWithoutReplicas() ? OptionalInt.empty() : OptionalInt.of(0);
        // With a lag of 0 the server ignores the other setting.
        String lag = settings.getOrDefault(LAG, "");
        return new FailoverRisks(
                address.grace(),
                address.replicated(),
                primary.replicas().size(),
                bySentinels,
                lag.equals("0") ? OptionalInt.of(0) : least,
                lag);
    }

    /** Returns whether there can be a failover that Baton sees. */
    boolean hasReplicas() {
        return attached > 0 || bySentinels.isPresent();
    }

    /** Returns which replicas follow, and whether the sentinels know others. */
    String replicas(List<Server.Replica> following) {
        String all = attached + " follow"
                + (attached == 0
                        ? ""
                        : ": "
                                + String.join(
                                        ", ",
                                        following.stream()
                                                .map(Server.Replica::words)
                                                .toList()));
        if (bySentinels.isEmpty() || bySentinels.getAsInt() == attached) {
            return all;
        }
        return all + "; the sentinels know " + bySentinels.getAsInt()
                + (bySentinels.getAsInt() > attached
                        ? ": see why the others do not follow"
                        : ": they have not found all of them yet");
    }

    /**
     * Returns with how many replicas the primary takes writes.
     *
     * @param unread why the server does not show it, if it does not
     */
    String fewestReplicas(String unread) {
        if (least.isEmpty()) {
            return LEAST + " is set (how " + unread + ')';
        }
        if (least.getAsInt() == 0) {
            return LEAST + " 0: the primary takes writes also if no replica gets them";
        }
        return LEAST + ' ' + least.getAsInt() + ", " + LAG + ' ' + lag + " s";
    }

    /** Returns one sentence: the worst thing that this setup still allows, and the remedy. */
    String whatRemains() {
        if (confirming > attached) {
            return "no lock can be acquired: replicated=" + confirming + " in the address, and " + attached
                    + (attached == 1 ? " replica follows" : " replicas follow")
                    + " the primary; attach more, or ask for"
                    + " fewer";
        }
        if (grace == GraceMode.OFF) {
            return "after a failover or a restart that lost the last grants, two may hold the same lock until the first"
                    + " notices: remove grace=off from the address of all clients";
        }
        if (!hasReplicas()) {
            return ofOneServer();
        }
        if (confirming > 0) {
            return whileReplicasConfirm();
        }
        if (least.isPresent() && least.getAsInt() == 0) {
            return "if the old primary lives on, it grants locks until it is told of its demotion: set"
                    + " min-replicas-to-write 1 and a small min-replicas-max-lag on all servers";
        }
        return "if the old primary is cut off from its replicas and lives on, it grants locks until it notices, for "
                + (lag.isEmpty() ? "min-replicas-max-lag" : lag + " s")
                + ": set replicated=1 in the address of all clients";
    }

    /** Returns the sentence about a quorum. */
    static String ofQuorum(Quorum quorum, GraceMode grace) {
        String clocks = "if the clocks of " + quorum.majority() + " of " + quorum.members()
                + " members jump forward within a lease, two hold the same lock until the first notices: use its tokens";
        return grace == GraceMode.STRICT
                ? clocks
                : clocks
                        + "; and if all members lose all data, and a client that is new to the namespace comes before all"
                        + " others, it gets locks that are held: set grace=strict in the address of all clients";
    }

    /** Returns the sentence about the server that has the greater risk: one of two, or the only one. */
    static String worse(String one, String other) {
        return one.isEmpty() || one.startsWith(NOTHING) ? other : one;
    }

    private String ofOneServer() {
        return grace == GraceMode.STRICT
                ? NOTHING + ", as long as the server's clock is not set forward and no key is removed or evicted"
                : "if the server loses all data, and a client that is new to the namespace comes before all others, it"
                        + " gets locks that are held: set grace=strict in the address of all clients";
    }

    /** Two primaries cannot both have most of the servers behind them. */
    private String whileReplicasConfirm() {
        int servers = Math.max(attached, bySentinels.orElse(0)) + 1;
        if (2 * (confirming + 1) <= servers) {
            int enough = servers / 2;
            return "if the old primary lives on and keeps " + confirming
                    + " of its replicas, it grants locks beside the"
                    + " new one: set replicated=" + enough + ", so that most of the " + servers + " servers have each"
                    + " grant";
        }
        if (least.isPresent() && least.getAsInt() == 0) {
            return "if the old primary lives on, clients without replicated= in their address get locks there: set"
                    + " min-replicas-to-write 1 on all servers, or see that all clients have it";
        }
        return NOTHING + ", as long as no replica follows the old primary for longer than the grace"
                + " period after another one was promoted";
    }
}
