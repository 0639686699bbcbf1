package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.net.FreePort;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** A connection's knowledge of its servers and of its session. */
class ZookeeperSessionTest {
    /** The number of background failures that Curator keeps, to throw each one at the next caller. */
    private static final int KEPT_BY_CURATOR = 10;

    /** Throws a few times before it gives the handle, as Curator's own does after failures in the background. */
    private static final class Failing extends CuratorZookeeperClient {
        final AtomicInteger left = new AtomicInteger();
        private final CuratorZookeeperClient real;

        Failing(CuratorZookeeperClient real) {
            super(real.getCurrentConnectionString(), 1_000, 1_000, null, new RetryOneTime(1));
            this.real = real;
        }

        @Override
        public ZooKeeper getZooKeeper() throws Exception {
            if (left.getAndUpdate(number -> Math.max(0, number - 1)) > 0) {
                throw new IOException("failed in the background, some time ago");
            }
            return real.getZooKeeper();
        }

        @Override
        public String getCurrentConnectionString() {
            return real.getCurrentConnectionString();
        }
    }

    private static CuratorFramework withClient(CuratorFramework real, Failing client) {
        return (CuratorFramework) Proxy.newProxyInstance(
                CuratorFramework.class.getClassLoader(),
                new Class<?>[] {CuratorFramework.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getZookeeperClient")) {
                        return client;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Test
    void failureInTheBackground_toldAtAReconnect_doesNotCostTheConnection() throws Exception {
        Resource lock = Resource.lock("lock");
        try (InnerServer server = new InnerServer();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                CuratorFramework curator = CuratorFrameworkFactory.builder()
                        .connectString("127.0.0.1:" + proxy.port())
                        .sessionTimeoutMs(20_000)
                        .retryPolicy(new RetryOneTime(100))
                        .build()) {
            curator.start();
            curator.blockUntilConnected();
            Failing failing = new Failing(curator.getZookeeperClient());
            try (ZookeeperClient client =
                    new ZookeeperClient("zookeeper:/?shortLeases=true", withClient(curator, failing))) {
                Release held = client.hold(lock);
                failing.left.set(KEPT_BY_CURATOR);
                proxy.cut();
                ZookeeperClient.until("it was told", () -> failing.left.get() < KEPT_BY_CURATOR);
                assertThat(client.release(held)).isTrue();
            }
        }
    }

    @Test
    void facts_areAskedOfAMemberThatAnswers() throws Exception {
        try (InnerServer server = new InnerServer()) {
            String away = "127.0.0.1:" + FreePort.next();
            try (ZookeeperClient client = new ZookeeperClient(
                    "zookeeper://" + away + ',' + server.servers() + "?sessionTimeout=20s&shortLeases=true")) {
                Map<String, String> facts = client.store().facts(ZookeeperClient.TIMEOUT_NANOS);
                assertThat(facts.get("version")).startsWith("3.");
                assertThat(facts.get("mode")).isEqualTo("standalone");
                assertThat(facts.get("members that answered")).isEqualTo("1 of 2, not " + away);
            }
        }
    }
}
