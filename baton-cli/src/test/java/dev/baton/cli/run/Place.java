package dev.baton.cli.run;

import dev.baton.servers.EtcdServer;
import dev.baton.servers.MariaServer;
import dev.baton.servers.MemcachedServer;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.RedisServer;
import dev.baton.servers.ZookeeperServer;
import java.nio.file.Path;
import java.sql.SQLException;
import org.h2.tools.Server;

/** A store for {@code baton run}, with a server of this JVM. Each address is the shortest that works. */
enum Place {
    SQLITE {
        @Override
        String uri(Path directory) {
            return "jdbc:sqlite:" + directory.resolve("locks.db");
        }
    },
    /** Only one process can use it. */
    H2_FILE {
        @Override
        String uri(Path directory) {
            return "jdbc:h2:" + directory.resolve("locks");
        }
    },
    H2_SERVER {
        @Override
        String uri(Path directory) throws SQLException {
            Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon")
                    .start();
            return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:locks;DB_CLOSE_DELAY=-1";
        }
    },
    POSTGRESQL {
        @Override
        String uri(Path directory) {
            return PostgresServer.shared().uri();
        }
    },
    MARIADB {
        @Override
        String uri(Path directory) {
            return MariaServer.shared().uri();
        }
    },
    /** MySQL's driver and address; the server is a MariaDB. */
    MYSQL {
        @Override
        String uri(Path directory) {
            return MariaServer.shared().uri().replace("jdbc:mariadb:", "jdbc:mysql:") + "&baton.tables=mysql_";
        }
    },
    REDIS {
        @Override
        String uri(Path directory) {
            return RedisServer.shared().uri();
        }
    },
    ZOOKEEPER {
        @Override
        String uri(Path directory) {
            return ZookeeperServer.start().uri();
        }
    },
    ETCD {
        @Override
        String uri(Path directory) {
            return EtcdServer.shared().uri();
        }
    },
    MEMCACHED {
        @Override
        String uri(Path directory) {
            return MemcachedServer.shared().uri();
        }
    };

    /**
     * Starts the server if it does not run.
     *
     * @param directory for a file
     * @return the value for {@code --store}
     */
    abstract String uri(Path directory) throws Exception;
}
