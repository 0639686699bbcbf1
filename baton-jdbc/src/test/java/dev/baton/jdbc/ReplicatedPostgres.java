package dev.baton.jdbc;

import dev.baton.servers.PostgresServer;
import dev.baton.servers.net.TcpProxy;

/** A PostgreSQL with an asynchronous standby. */
final class ReplicatedPostgres implements ReplicatedDatabase {
    private final TcpProxy address;
    private PostgresServer primary;
    private PostgresServer standby;
    private TcpProxy replication;

    ReplicatedPostgres() {
        primary = PostgresServer.start();
        address = TcpProxy.to("127.0.0.1", primary.port());
        replication = TcpProxy.to("127.0.0.1", primary.port());
        standby = primary.startStandby(replication.port());
    }

    @Override
    public String uri() {
        return primary.uri().replace(":" + primary.port(), ":" + address.port());
    }

    @Override
    public void stopReplication() {
        primary.awaitCaughtUp(standby);
        replication.blackHole();
    }

    @Override
    public void failOver() {
        primary.kill();
        replication.close();
        standby.promote();
        address.follow("127.0.0.1", standby.port());
        address.cut();
        primary.close();
        primary = standby;
    }

    @Override
    public void replicateAgain() {
        replication = TcpProxy.to("127.0.0.1", primary.port());
        standby = primary.startStandby(replication.port());
    }

    @Override
    public void close() {
        address.close();
        replication.close();
        standby.close();
        primary.close();
    }
}
