package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

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
class ZookeeperClosingTest {
    private static final Resource LOCK = Resource.lock("lock");

    private static ZookeeperClient client(TcpProxy proxy) throws Exception {
        return new ZookeeperClient("zookeeper://127.0.0.1:" + proxy.port() + "?shortLeases=true&sessionTimeout=20s");
    }

    @Test
    @DisplayName("P21: release_calledWhileTheServerRefuses_succeedsOnceItCanBeReached")
    void release_calledWhileTheServerRefuses_succeedsOnceItCanBeReached() throws Exception {
        for (Duration outage : new Duration[] {Duration.ofMillis(30), Duration.ofMillis(1_500)}) {
            try (InnerServer server = new InnerServer();
                    JvmHiccups hiccups = new JvmHiccups();
                    TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                    ZookeeperClient client = client(proxy)) {
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
                // ZooKeeper's client pauses up to a second before it reconnects.
                assertThat(Duration.ofNanos(System.nanoTime() - reachable))
                        .isLessThan(hiccups.fair(Duration.ofMillis(1_200), 4));
                assertThat(server.children(ZookeeperClient.parent(LOCK))).isEmpty();
            }
        }
    }
}
