package dev.baton.redis;

import dev.baton.servers.RedisServer;
import org.junit.jupiter.api.AfterEach;

/** Cases with the shared server, or one of their own if they set it. */
abstract class OnAnyRedis {
    final Clients clients = new Clients();
    RedisServer server = RedisServer.shared();

    @AfterEach
    final void stop() {
        clients.close();
        if (server != RedisServer.shared()) {
            server.close();
        }
    }
}
