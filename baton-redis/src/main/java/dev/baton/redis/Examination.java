package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import redis.clients.jedis.HostAndPort;

/** Asks the servers how they are set up, for operators. Locks need none of the rights that it uses. Thread-safe. */
final class Examination {
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
        Node node = topology.nodes().get(0);
        Pipeline pipeline = node.commands();
        Call info = pipeline.ask((out, wire) -> out.command(1).bulk("INFO"), deadline);
        Server server =
                Server.of(RespReader.text(Answer.list(info, node.target()).get(0)), node.target());
        Configuration fsync = Configuration.ask(pipeline, "appendfsync", deadline);
        Map<String, String> facts = server.facts(fsync.settings().getOrDefault("appendfsync", ""), fsync.unread());
        facts.putAll(topology.facts());
        long malformed = topology.nodes().stream().mapToLong(Node::malformed).sum();
        if (malformed > 0) {
            facts.put("ignored messages", malformed + " on this client's channel were no pushes: others publish there");
        }
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
        facts.put("what can still go wrong", risks.whatRemains());
        return facts;
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
