package dev.baton.redis;

import static dev.baton.redis.Clients.bucketKey;
import static dev.baton.redis.Clients.recordKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.RedisServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.ResourceView;
import dev.baton.spi.StoreFailure;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What heartbeats put back in a grace period, and what they must not. */
@Timeout(60)
class RedisReclaimTest {
    private static final String NAME = "reclaimed";

    private RedisServer server;
    private PlainStore holder;
    private PlainStore other;
    private Acquire held;
    private long token;

    @BeforeEach
    void forgetAHold() throws StoreFailure {
        server = RedisFixture.plain().server();
        holder = new PlainStore(server.uri());
        other = new PlainStore(server.uri());
        held = holder.command(NAME, 1);
        token = ((Acquire.Granted) holder.acquire(held)).token();
        server.command("DEL", recordKey(NAME));
        Clients.removeEvidence(server, bucketKey(NAME));
        // The holder learns that a grace period is on.
        assertThat(holder.acquire(holder.command(NAME, 1)).stamp().graceMicros())
                .isPositive();
    }

    @AfterEach
    void close() {
        holder.close();
        other.close();
    }

    private Heartbeat.HoldReply beat(boolean restorable) throws StoreFailure {
        return holder.beat(new Heartbeat.Hold(
                held.resource(),
                held.attempt().value(),
                token,
                1,
                PlainStore.LEASE_MICROS,
                0,
                true,
                "holder",
                restorable));
    }

    private List<Long> tokensOfHolders() throws StoreFailure {
        return other.store().inspect(NAME, PlainStore.TIMEOUT_NANOS).orElseThrow().holds().stream()
                .map(ResourceView.Hold::token)
                .toList();
    }

    @Test
    void forgottenHold_isRestoredWithItsToken() throws Exception {
        assertThat(beat(true)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(tokensOfHolders()).containsExactly(token);
        assertThat(holder.release(held, token)).isTrue();
    }

    /** Another holder may live on this server, if an earlier one gave the lock away. */
    @Test
    void forgottenHandOff_thatReplicasHaveNotConfirmed_asksAgainUntilItMayBeRestored() throws Exception {
        assertThat(beat(false)).isInstanceOf(Heartbeat.AskAgain.class);
        assertThat(tokensOfHolders()).isEmpty();
        assertThat(beat(true)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(beat(false)).isInstanceOf(Heartbeat.Renewed.class);
        assertThat(tokensOfHolders()).containsExactly(token);
    }
}
