package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.EtcdServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.tck.JvmHiccups;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Releasing while the server cannot be reached. */
@Tag("serial")
class EtcdClosingTest {
    private static final Resource LOCK = Resource.lock("lock");
    private static final String PREFIX = "/closing";

    private static EtcdTestClient client(TcpProxy proxy) throws Exception {
        return new EtcdTestClient("etcd://127.0.0.1:" + proxy.port() + PREFIX + "?shortLeases=true&ttl=20s", "a");
    }

    @Test
    @DisplayName("P21: release_calledWhileTheServerRefuses_succeedsOnceItCanBeReached")
    void release_calledWhileTheServerRefuses_succeedsOnceItCanBeReached() throws Exception {
        for (Duration outage : new Duration[] {Duration.ofMillis(30), Duration.ofMillis(1_500)}) {
            try (EtcdServer server = EtcdServer.start();
                    JvmHiccups hiccups = new JvmHiccups();
                    TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port(0));
                    ByHand hand = new ByHand(server);
                    EtcdTestClient client = client(proxy)) {
                Release held = client.hold(LOCK);
                proxy.refuse();
                proxy.cut();
                CompletableFuture<Boolean> released = new CompletableFuture<>();
                Thread releasing = new Thread(() -> {
                    try {
                        released.complete(client.release(held));
                    } catch (Exception failed) {
                        released.completeExceptionally(failed);
                    }
                });
                releasing.start();
                TimeUnit.NANOSECONDS.sleep(outage.toNanos());
                assertThat(released).isNotDone();
                proxy.forward();
                long reachable = System.nanoTime();
                assertThat(released.get(20, TimeUnit.SECONDS)).isTrue();
                // gRPC pauses after it was refused: for a second, then for 1.6, plus or minus a fifth.
                assertThat(Duration.ofNanos(System.nanoTime() - reachable))
                        .isLessThan(hiccups.fair(Duration.ofMillis(2_000), 4));
                assertThat(hand.names(Keys.of(PREFIX, EtcdTestClient.NAMESPACE).names()))
                        .isEmpty();
            }
        }
    }
}
