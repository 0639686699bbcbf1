package dev.baton.jdbc;

import dev.baton.servers.MariaServer;
import dev.baton.servers.net.TcpProxy;

/** A MariaDB with an asynchronous replica. */
final class ReplicatedMaria implements ReplicatedDatabase {
    private final TcpProxy address;
    private int servers = 1;
    private MariaServer primary;
    private MariaServer replica;
    private TcpProxy replication;

    ReplicatedMaria() {
        primary = MariaServer.startReplicable(servers);
        address = TcpProxy.to("127.0.0.1", primary.port());
        replication = TcpProxy.to("127.0.0.1", primary.port());
        replica = startReplica();
    }

    private MariaServer startReplica() {
        MariaServer started = MariaServer.startReplicable(++servers);
        started.replicate(replication.port());
        return started;
    }

    @Override
    public String uri() {
        return primary.uri().replace(":" + primary.port(), ":" + address.port());
    }

    @Override
    public void stopReplication() {
        primary.awaitCaughtUp(replica);
        replication.blackHole();
    }

    @Override
    public void failOver() {
        primary.kill();
        replication.close();
        replica.promote();
        address.follow("127.0.0.1", replica.port());
        address.cut();
        primary.close();
        primary = replica;
    }

    @Override
    public void replicateAgain() {
        replication = TcpProxy.to("127.0.0.1", primary.port());
        replica = startReplica();
    }

    @Override
    public void close() {
        address.close();
        replication.close();
        replica.close();
        primary.close();
    }
}
