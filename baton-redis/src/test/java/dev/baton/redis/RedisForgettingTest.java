package dev.baton.redis;

import static dev.baton.redis.Clients.MARGIN;
import static dev.baton.redis.Clients.PATIENCE;
import static dev.baton.redis.Clients.bucketKey;
import static dev.baton.redis.Clients.patient;
import static dev.baton.redis.Clients.queued;
import static dev.baton.redis.Clients.recordKey;
import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.throughout;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that forgets what it acknowledged: its clients put back what they hold, and nothing else is granted for G. */
@Tag("serial")
@Timeout(120)
class RedisForgettingTest {
    private static final String NAME = "kept";
    private static final Duration GRACE = Clients.PATIENT_GRACE;

    private final Clients clients = new Clients();
    private RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    /** The ways in which one server forgets. */
    enum Mishap {
        FLUSHALL {
            @Override
            void happen(RedisServer server) {
                server.command("FLUSHALL");
            }
        },
        BUCKET_AND_RECORD_DELETED {
            @Override
            void happen(RedisServer server) {
                server.command("DEL", bucketKey(NAME), recordKey(NAME));
            }
        },
        RESTART_WITHOUT_DATA {
            @Override
            void happen(RedisServer server) {
                server.kill();
                server.restart();
            }
        };

        abstract void happen(RedisServer server);
    }

    @ParameterizedTest(name = "{displayName} {0}")
    @EnumSource
    @DisplayName("P6: server_thatForgot_grantsNothingForG_andHoldersKeepTheirLeases")
    void server_thatForgot_grantsNothingForG_andHoldersKeepTheirLeases(Mishap mishap) throws Exception {
        Baton holder = clients.connectPatiently(server);
        Baton other = clients.connectPatiently(server);
        Lease held = holder.lock(NAME).acquire();
        CompletableFuture<Lease> waiter = other.lock(NAME).acquireAsync();
        until("queued", () -> queued(other, NAME) == 1);
        long start = System.nanoTime();
        mishap.happen(server);
        throughout(GRACE.plusSeconds(1), "held by one", () -> held.isHeld() && !waiter.isDone());
        Lease fresh = other.lock("another").tryAcquire(PATIENCE).orElseThrow();
        System.out.println(mishap + ": another lock is granted after " + since(start));
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease next = waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next.token()).isGreaterThan(held.token());
        next.release();
        fresh.release();
    }

    /** The holder is dead, so the lock is free, but the server cannot know that. */
    @Test
    void server_thatForgotADeadHolder_grantsAfterG() throws Exception {
        Baton other = clients.connectPatiently(server);
        long start = System.nanoTime();
        server.command("FLUSHALL");
        assertThatThrownBy(() -> other.lock(NAME).tryAcquire())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("may have forgotten");
        Lease next = other.lock(NAME).tryAcquire(PATIENCE).orElseThrow();
        // Less than two grace periods.
        assertThat(since(start)).isBetween(GRACE, GRACE.plus(MARGIN));
        next.release();
    }

    @Test
    void server_thatKeptItsData_butIsAnotherProcess_grantsNothingForG() throws Exception {
        server.close();
        server = RedisServer.builder().appendOnly().start();
        Baton holder = clients.connectPatiently(server);
        Baton other = clients.connectPatiently(server);
        Lease held = holder.lock(NAME).acquire();
        server.kill();
        server.restart();
        long start = System.nanoTime();
        // Long enough to connect again on a busy machine: whoever is not connected cannot know that the lock is held.
        assertThat(other.lock(NAME).tryAcquire(GRACE.dividedBy(2))).isEmpty();
        other.lock("another").tryAcquire(PATIENCE).orElseThrow().release();
        assertThat(since(start)).isGreaterThan(GRACE.dividedBy(2));
        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void namespace_thatIsNew_grantsAtOnce_beforeAndAfterItsClientsHaveGone() throws Exception {
        Baton first = clients.connectPatiently(server);
        assertThat(first.lock(NAME).tryAcquire()).isPresent();
        first.close();
        until(
                "gone",
                () -> String.valueOf(server.command("PUBSUB", "CHANNELS", "tck:*"))
                        .equals("[]"));
        server.command("FLUSHALL");
        assertThat(clients.connectPatiently(server).lock(NAME).tryAcquire()).isPresent();
    }

    /** Nothing proves that a server without data never had any, but a client that listens does prove that it had. */
    @Test
    void namespace_whoseClientsAreThere_isNotNew() throws Exception {
        Baton first = clients.connectPatiently(server);
        Lease held = first.lock(NAME).acquire();
        server.command("FLUSHALL");
        Baton other = clients.connect(server.uri(), patient().build());
        assertThatThrownBy(() -> other.lock(NAME).tryAcquire())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("may have forgotten");
        assertThat(held.isHeld()).isTrue();
    }
}
