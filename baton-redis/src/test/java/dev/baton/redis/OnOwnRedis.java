package dev.baton.redis;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.servers.RedisServer;
import dev.baton.tck.StoreFixture;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Cases with a server of their own, whose clients keep the default options. */
abstract class OnOwnRedis {
    final Clients clients = new Clients();
    RedisServer server;

    @BeforeEach
    final void startServer() {
        server = RedisServer.start();
    }

    @AfterEach
    final void stopServer() {
        clients.close();
        server.close();
    }

    final Baton connect() {
        return connect(server.uri());
    }

    final Baton connect(String uri) {
        return clients.connect(
                uri,
                BatonOptions.builder()
                        .namespace(StoreFixture.NAMESPACE)
                        .connectTimeout(Duration.ofSeconds(10))
                        .build());
    }
}
