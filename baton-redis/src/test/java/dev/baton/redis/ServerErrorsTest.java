package dev.baton.redis;

import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.servers.RedisServer;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import org.junit.jupiter.api.Test;

/** What servers say, in their own words. */
class ServerErrorsTest {
    @Test
    void scriptThatIsKilled_hadNoEffect_andTheErrorSaysWhoEndedIt() throws Exception {
        try (RedisServer server =
                RedisServer.builder().config("lua-time-limit", "10").start()) {
            Throwable[] thrown = new Throwable[1];
            Thread runs = new Thread(
                    () -> thrown[0] = catchThrowable(() -> server.command("EVAL", "while true do end", "0")));
            runs.start();
            until("killed", () -> catchThrowable(() -> server.command("SCRIPT", "KILL")) == null);
            runs.join();

            StoreFailure failure = ServerErrors.failure(String.valueOf(thrown[0].getMessage()), "redis", null);
            assertThat(failure.effect()).isEqualTo(Effect.NONE);
            assertThat(failure).hasMessageContaining("an operator ended a script of Baton with SCRIPT KILL");
        }
    }
}
