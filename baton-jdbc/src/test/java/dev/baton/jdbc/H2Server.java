package dev.baton.jdbc;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.tools.Server;

/** An H2 server in this JVM, for databases in its memory. */
final class H2Server {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The one server. */
    private static final class Shared {
        private static final Server SERVER = start();
    }

    private H2Server() {}

    private static Server start() {
        try {
            return Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon")
                    .start();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the address of a database that does not exist yet. */
    static String newUri() {
        return "jdbc:h2:tcp://127.0.0.1:" + Shared.SERVER.getPort() + "/mem:db" + DATABASES.incrementAndGet()
                + ";DB_CLOSE_DELAY=-1";
    }
}
