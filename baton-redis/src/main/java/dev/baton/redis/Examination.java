package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import redis.clients.jedis.HostAndPort;

/** Asks the servers how they are set up, for operators. Locks need none of the rights that it uses. Thread-safe. */
final class Examination {
    /** Facts that differ from node to node. */
    private static final Set<String> OF_EACH = Set.of("address", "up for", "clients");

    private final Topology topology;
    private final RedisAddress address;
    private final Function<HostAndPort, Dialer> dialers;

    /**
     * Creates it.
     *
     * @param dialers makes a dialer for the address of a replica, with the user and the password of the primary
     */
    Examination(Topology topology, RedisAddress address, Function<HostAndPort, Dialer> dialers) {
        this.topology = topology;
        this.address = address;
        this.dialers = dialers;
    }

    Map<String, String> facts(Deadline deadline) throws StoreFailure {
        List<Node> nodes = topology.nodes();
        Map<String, String> facts = new LinkedHashMap<>();
        String remains = "";
        for (Node node : nodes) {
            Map<String, String> own = new LinkedHashMap<>();
            FailoverRisks risks = examine(node, own, deadline);
            remains = FailoverRisks.worse(remains, risks.whatRemains());
            boolean isFirst = facts.isEmpty();
            addTo(facts, own, node.target());
            if (isFirst) {
                facts.putAll(topology.facts());
            }
        }
        long malformed = nodes.stream().mapToLong(Node::malformed).sum();
        if (malformed > 0) {
            facts.put("ignored messages", malformed + " on this client's channel were no pushes: others publish there");
        }
        facts.put("what can still go wrong", remains);
        return facts;
    }

    /** Adds the facts of one of several servers; those that several have in common are said once. */
    static void addTo(Map<String, String> facts, Map<String, String> own, String target) {
        if (facts.isEmpty()) {
            facts.putAll(own);
            return;
        }
        own.forEach((fact, value) -> {
            if (!OF_EACH.contains(fact) && !value.equals(facts.get(fact))) {
                facts.put(fact + " at " + target, value);
            }
        });
    }

    /** Adds the facts of one node. */
    private FailoverRisks examine(Node node, Map<String, String> facts, Deadline deadline) throws StoreFailure {
        Pipeline pipeline = node.commands();
        Call info = pipeline.ask((out, wire) -> out.command(1).bulk("INFO"), deadline);
        Server server =
                Server.of(RespReader.text(Answer.list(info, node.target()).get(0)), node.target());
        Configuration fsync = Configuration.ask(pipeline, "appendfsync", deadline);
        facts.putAll(server.facts(fsync.settings().getOrDefault("appendfsync", ""), fsync.unread()));
        Configuration least = Configuration.ask(pipeline, "min-replicas-*", deadline);
        OptionalInt named = topology.replicasBySentinels();
        FailoverRisks risks = FailoverRisks.of(server, least.settings(), named, address);
        if (risks.hasReplicas()) {
            facts.put("replicas", risks.replicas(server.replicas()));
            facts.put("fewest replicas", risks.fewestReplicas(least.unread()));
            for (Server.Replica replica : server.replicas()) {
                facts.put("persistence of " + Hosts.shown(replica.at()), persistence(replica.at(), deadline));
            }
        }
        if (least.isRefused()) {
            facts.put("could not see", "appendfsync and min-replicas-to-write: their value " + least.unread());
        }
        return risks;
    }

    /** A replica keeps locks as soon as it is promoted, so its disk matters as much as the primary's. */
    private String persistence(HostAndPort at, Deadline deadline) {
        if (deadline.leftNanos() <= 0) {
            return "not asked: no time was left";
        }
        try (Dialer dialer = dialers.apply(at);
                Dialer.Open open = dialer.open()) {
            return open.server().persistence();
        } catch (StoreFailure failure) {
            return "not known: " + failure.getMessage();
        }
    }
}
