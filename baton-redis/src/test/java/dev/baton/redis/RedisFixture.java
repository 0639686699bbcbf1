package dev.baton.redis;

import dev.baton.spi.StoreProvider;
import dev.baton.tck.StoreFixture;
import dev.baton.tck.server.RedisServer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A database of a real Redis, emptied. The server is shared by all tests of the JVM. */
final class RedisFixture implements StoreFixture {
    /** What a user needs, as docs/stores/redis.md lists it, for a namespace in place of NS. */
    static final String RIGHTS = "~NS:* &NS:* +info +time +eval +evalsha +script|load +get +set +del +exists +pexpire"
            + " +hget +hset +hmget +hgetall +hdel +hrandfield +publish +subscribe +scan +ping +select"
            + " +client|setname";

    private static final String PASSWORD = "f=k&p@55/w:rd";
    private static final String PASSWORD_IN_URI = "f%3Dk%26p%4055%2Fw%3Ard";

    private static final int DATABASES = 16;
    private static final Set<String> LENT = ConcurrentHashMap.newKeySet();

    private enum Shared {
        PLAIN(RedisServer::shared),
        SECURED(() -> RedisServer.builder()
                .tls()
                .aclUser("user baton on >" + PASSWORD + " " + RIGHTS.replace("NS", NAMESPACE))
                .start());

        private final Supplier<RedisServer> maker;
        private RedisServer server;

        Shared(Supplier<RedisServer> maker) {
            this.maker = maker;
        }

        synchronized RedisServer server() {
            if (server == null) {
                server = maker.get();
            }
            return server;
        }
    }

    private final RedisServer server;
    private final int database;
    private final String uri;

    /** Takes the first database that no other case has now. */
    private RedisFixture(RedisServer server, String start, String end) {
        this.server = server;
        this.database = lend(server);
        this.uri = start + '/' + database + end;
        in(server, database, "FLUSHDB", "SYNC");
    }

    private static int lend(RedisServer server) {
        for (int i = 0; i < DATABASES; i++) {
            if (LENT.add(server.port() + ":" + i)) {
                return i;
            }
        }
        throw new IllegalStateException("more than " + DATABASES + " cases at once");
    }

    /** Without password and TLS. */
    static RedisFixture plain() {
        RedisServer server = Shared.PLAIN.server();
        return new RedisFixture(server, server.uri(), "");
    }

    /** Over TLS, as a user with the least rights. */
    static RedisFixture secured() {
        RedisServer server = Shared.SECURED.server();
        return new RedisFixture(
                server,
                "rediss://baton:" + PASSWORD_IN_URI + "@localhost:" + server.port(),
                "?ca=" + server.certificate());
    }

    RedisServer server() {
        return server;
    }

    @Override
    public StoreProvider provider() {
        return new RedisStoreProvider();
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public long residue() {
        return keys(server, database, "[rq]:*");
    }

    /** How many keys of the namespace there are in the server's first database. */
    static long keys(RedisServer server, String pattern) {
        return keys(server, 0, pattern);
    }

    private static long keys(RedisServer server, int database, String pattern) {
        Object keys = in(server, database, "KEYS", NAMESPACE + ":{*}:" + pattern);
        return keys instanceof List<?> list ? list.size() : 0;
    }

    private static Object in(RedisServer server, int database, String command, String argument) {
        String script = "redis.call('SELECT', ARGV[1]) return redis.call(ARGV[2], ARGV[3])";
        return server.command("EVAL", script, "0", Integer.toString(database), command, argument);
    }

    @Override
    public void close() {
        // The server goes on, for the next case.
        LENT.remove(server.port() + ":" + database);
    }
}
