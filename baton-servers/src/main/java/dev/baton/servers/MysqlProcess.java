package dev.baton.servers;

import java.nio.file.Path;

/** A MySQL or MariaDB. */
abstract class MysqlProcess extends ProcessServer {
    private final MysqlKind kind;
    private final ServerLife life;

    /** Starts it. */
    MysqlProcess(MysqlKind kind) {
        this.kind = kind;
        this.life = new ServerLife(kind);
        life.startOnFreePort();
    }

    @Override
    final ServerLife life() {
        return life;
    }

    @Override
    public Path data() {
        return MysqlKind.data(life.directory());
    }

    /** Returns the address, with its user. */
    @Override
    public String uri() {
        return kind.uri(life.port());
    }
}
