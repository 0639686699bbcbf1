package dev.baton.bench;

import dev.baton.bench.CallCounter.Calls;
import dev.baton.bench.CountedProgram.Operation;
import dev.baton.servers.PostgresServer;
import dev.baton.servers.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that operations take no more calls of Baton's own methods than {@link Cost} says. */
@Timeout(300)
class CallsTest {
    private static final String CLOCK = "dev.baton.internal.client.SystemClock";

    @Test
    void calls_onRedis() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            check("REDIS", CallCounter.count(server.uri()));
        }
    }

    @Test
    void calls_onPostgresql() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            check("POSTGRESQL", CallCounter.count(server.uri()));
        }
    }

    private static void check(String store, Map<Operation, Calls> counted) {
        counted.forEach((operation, calls) -> {
            if (Boolean.getBoolean("baton.calls")) {
                System.out.println(store + ' ' + operation + ": " + calls.all() + ' ' + calls.byClass());
            }
        });
        counted.forEach((operation, calls) ->
                Cost.valueOf(store + '_' + operation + "_CALLS").check(calls.all()));
        Cost.valueOf(store + "_ACQUIRE_CLOCK")
                .check(counted.get(Operation.ACQUIRE).of(CLOCK));
    }
}
