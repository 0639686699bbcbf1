package dev.baton.redis;

import dev.baton.servers.RedisServer;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.tck.StoreFixture;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A real Redis, emptied. All tests of the JVM share the server. */
final class RedisFixture implements StoreFixture {
    /** The rights that a user needs, as docs/stores/redis.md lists them, for a namespace in place of NS. */
    static final String RIGHTS = "~NS:* &NS:* +info +time +eval +evalsha +script|load +get +set +del +exists +pexpire"
            + " +hget +hset +hmget +hgetall +hdel +hrandfield +zadd +zcount +zremrangebyscore +publish"
            + " +subscribe +scan +ping +select +client|setname";

    private static final String PASSWORD = "f=k&p@55/w:rd";
    private static final String PASSWORD_IN_URI = "f%3Dk%26p%4055%2Fw%3Ard";

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
    private final String uri;

    private RedisFixture(RedisServer server, String uri) {
        this.server = server;
        this.uri = uri;
        server.command("FLUSHALL");
    }

    /** Returns a fixture without password and TLS. */
    static RedisFixture plain() {
        RedisServer server = Shared.PLAIN.server();
        return new RedisFixture(server, server.uri());
    }

    /** Returns a fixture over TLS, as a user with the least rights. */
    static RedisFixture secured() {
        RedisServer server = Shared.SECURED.server();
        return new RedisFixture(
                server,
                "rediss://baton:" + PASSWORD_IN_URI + "@localhost:" + server.port() + "/0?ca=" + server.certificate());
    }

    RedisServer server() {
        return server;
    }

    @Override
    public StoreProvider provider() {
        return new RedisStoreProvider();
    }

    @Override
    public Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return RedisStoreProvider.open(config, clock);
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public long residue() {
        return keys(server, "[rqg]:*");
    }

    static long keys(RedisServer server, String pattern) {
        Object keys = server.command("KEYS", NAMESPACE + ":{*}:" + pattern);
        return keys instanceof List<?> list ? list.size() : 0;
    }

    @Override
    public void close() {
        // The server keeps running, for the next test.
    }
}
