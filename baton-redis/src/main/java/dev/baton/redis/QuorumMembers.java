package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The members of a quorum. A client begins when a majority is reached; a thread of its own connects to the others when they can
 * be reached.
 *
 * <p>Thread-safe.
 */
final class QuorumMembers implements AutoCloseable {
    private final List<QuorumMember> all;
    private final Quorum quorum;
    private final Supplier<String> namespaceId;
    private final GraceMode grace;
    private final TopologyWatch watch;
    private final List<String> warnings = new ArrayList<>();
    private volatile boolean closed;

    private QuorumMembers(List<QuorumMember> all, Supplier<String> namespaceId, GraceMode grace, String threadName) {
        this.grace = grace;
        this.all = List.copyOf(all);
        this.quorum = new Quorum(all.size());
        this.namespaceId = namespaceId;
        this.watch = new TopologyWatch(this::connectMissing, threadName);
    }

    /**
     * Connects to a majority of the members, and to the others as far as they are reached.
     *
     * @param namespaceId the identity of the namespace, on which the members that were reached agree
     * @param grace when members wait for a grace period
     */
    static QuorumMembers open(
            List<QuorumMember> all, Supplier<String> namespaceId, GraceMode grace, String threadName, Deadline deadline)
            throws StoreFailure {
        QuorumMembers members = new QuorumMembers(all, namespaceId, grace, threadName);
        try {
            members.connect(deadline);
            members.watch.start();
            return members;
        } catch (StoreFailure | RuntimeException refused) {
            members.close();
            throw refused;
        }
    }

    private void connect(Deadline deadline) throws StoreFailure {
        Map<QuorumMember, QuorumMember.Reached> reached = new LinkedHashMap<>();
        try {
            for (QuorumMember member : all) {
                reach(member, reached);
            }
            requireDistinct(reached);
            if (!quorum.isMajority(reached.size())) {
                throw unanswered(reached.size());
            }
            boolean isNew = reached.size() == all.size() && areNew(reached);
            if (isNew) {
                // Before any member has the descriptor: a client that sees one knows that all have their buckets.
                for (QuorumMember.Reached each : reached.values()) {
                    each.parts().node().makeBuckets(each.open(), false);
                }
            }
            for (Map.Entry<QuorumMember, QuorumMember.Reached> each : reached.entrySet()) {
                warnings.addAll(each.getKey().start(each.getValue(), !isNew, deadline));
            }
        } catch (StoreFailure | RuntimeException refused) {
            reached.values().forEach(QuorumMember.Reached::close);
            throw refused;
        }
        all.stream()
                .filter(member -> !member.isStarted())
                .forEach(member -> warnings.add(
                        "the member " + member.target() + " of the quorum was not reached (" + member.trouble()
                                + "): locks go on as long as " + quorum.majority() + " of " + quorum.members()
                                + " members answer"));
    }

    private static void reach(QuorumMember member, Map<QuorumMember, QuorumMember.Reached> reached)
            throws StoreFailure {
        try {
            reached.put(member, member.reach());
        } catch (StoreFailure failure) {
            // A wrong password, or a server of another kind, is better said at once.
            if (failure.reason() != Reason.UNREACHABLE) {
                throw failure;
            }
        }
    }

    /** Refuses a server that is named twice: it would have two votes. */
    private static void requireDistinct(Map<QuorumMember, QuorumMember.Reached> reached) throws StoreFailure {
        Map<String, String> targets = new HashMap<>();
        for (Map.Entry<QuorumMember, QuorumMember.Reached> each : reached.entrySet()) {
            String target = each.getKey().target();
            String other = targets.put(each.getValue().open().server().runId(), target);
            if (other != null) {
                throw new StoreFailure(
                        Effect.NONE,
                        Reason.UNFIT,
                        other + " and " + target
                                + " are the same server, which would have two votes in the quorum: name"
                                + " servers that are independent of each other",
                        null);
            }
        }
    }

    /** Returns whether no member knows the namespace: otherwise those that do not have forgotten it. */
    private static boolean areNew(Map<QuorumMember, QuorumMember.Reached> reached) throws StoreFailure {
        for (QuorumMember.Reached each : reached.values()) {
            Node node = each.parts().node();
            if (node.hasDescriptor(each.open()) || node.hasClients(each.open())) {
                return false;
            }
        }
        return true;
    }

    /** Connects to members that were not reached before; returns whether none is missing now. */
    private boolean connectMissing() {
        boolean complete = true;
        for (QuorumMember member : all) {
            if (!member.isStarted() && !closed) {
                complete &= isConnected(member);
            }
        }
        return complete;
    }

    private static boolean isConnected(QuorumMember member) {
        try {
            List<String> unused = member.start(member.reach(), true, Deadline.in(TopologyWatch.AGAIN_NANOS));
            return true;
        } catch (StoreFailure stillMissing) {
            return false;
        }
    }

    List<QuorumMember> all() {
        return all;
    }

    /** Returns whether nothing is on its way to any of them. */
    boolean areQuiet() {
        return all.stream().allMatch(QuorumMember::isQuiet);
    }

    Quorum quorum() {
        return quorum;
    }

    String namespaceId() {
        return namespaceId.get();
    }

    List<String> warnings() {
        return warnings;
    }

    /** Returns the failure of a question that too few members have answered. */
    StoreFailure unanswered(long answered) {
        String missing = all.stream()
                .filter(member -> !member.trouble().isEmpty())
                .map(member -> member.target() + " (" + member.trouble() + ')')
                .collect(Collectors.joining("; "));
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                quorum.tooFew(answered) + (missing.isEmpty() ? "" : "; not reached: " + missing),
                null);
    }

    /** A question to one member. */
    interface Question {
        void ask(RedisStore store, long nanos) throws StoreFailure;
    }

    /**
     * Asks the members one after the other: for operators.
     *
     * @throws StoreFailure if too few answer
     */
    void askEach(Deadline deadline, Question question) throws StoreFailure {
        int answered = 0;
        for (int i = 0; i < all.size(); i++) {
            try {
                question.ask(all.get(i).store(), deadline.leftNanos() / (all.size() - i));
                answered++;
            } catch (StoreFailure failure) {
                if (failure.reason() != Reason.UNREACHABLE) {
                    throw failure;
                }
            }
        }
        if (!quorum.isMajority(answered)) {
            throw unanswered(answered);
        }
    }

    Map<String, String> facts(Deadline deadline) throws StoreFailure {
        Map<String, String> facts = new LinkedHashMap<>();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            QuorumMember member = all.get(i);
            try {
                Map<String, String> own = member.store().facts(deadline.leftNanos() / (all.size() - i));
                Examination.addTo(facts, own, member.target());
            } catch (StoreFailure failure) {
                missing.add(
                        member.trouble().isEmpty() ? member.target() : member.target() + " (" + member.trouble() + ')');
            }
        }
        if (!quorum.isMajority(all.size() - missing.size())) {
            throw unanswered(all.size() - missing.size());
        }
        facts.put(
                "address",
                "a quorum of " + all.size() + ": "
                        + all.stream().map(QuorumMember::target).collect(Collectors.joining(", ")));
        facts.put("members that do not answer", missing.isEmpty() ? "none" : String.join(", ", missing));
        facts.put("what can still go wrong", FailoverRisks.ofQuorum(quorum, grace));
        return facts;
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        all.forEach(QuorumMember::close);
    }
}
