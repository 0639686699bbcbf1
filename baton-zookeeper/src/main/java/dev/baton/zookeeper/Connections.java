package dev.baton.zookeeper;

import dev.baton.spi.StoreConfig;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;

/** Creates Curator's client for an address. */
final class Connections {
    private static final String PEM = "PEM";

    private Connections() {}

    static CuratorFramework make(ZookeeperAddress address, StoreConfig config) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(address.servers())
                .sessionTimeoutMs(Math.toIntExact(address.sessionTimeout().toMillis()))
                .connectionTimeoutMs((int)
                        Math.min(Integer.MAX_VALUE, config.connectTimeout().toMillis()))
                .zookeeperFactory(new Factory())
                .zkClientConfig(client(address))
                // For the connection only: Curator retries no commands of Baton.
                .retryPolicy(new RetryForever(100));
        if (address.user() != null) {
            builder.authorization(
                    "digest", (address.user() + ':' + address.password()).getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    /** Combines the JVM's system properties with the address, which wins. */
    private static ZKClientConfig client(ZookeeperAddress address) {
        ZKClientConfig config = new ZKClientConfig();
        ZookeeperAddress.Tls tls = address.tls();
        if (tls == null) {
            return config;
        }
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        try (ClientX509Util names = new ClientX509Util()) {
            config.setProperty(names.getSslHostnameVerificationEnabledProperty(), "true");
            Path ca = tls.ca();
            if (ca != null) {
                config.setProperty(names.getSslTruststoreLocationProperty(), readable("ca", ca));
                config.setProperty(names.getSslTruststoreTypeProperty(), PEM);
                config.setProperty(names.getSslTruststorePasswdProperty(), "");
            }
            Path cert = tls.cert();
            if (cert != null) {
                config.setProperty(names.getSslKeystoreLocationProperty(), readable("cert", cert));
                config.setProperty(names.getSslKeystoreTypeProperty(), PEM);
                config.setProperty(names.getSslKeystorePasswdProperty(), "");
            }
        }
        return config;
    }

    /** Refuses a missing file: ZooKeeper's client would only log it, and try to connect forever. */
    private static String readable(String option, Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(
                    option + " of a ZooKeeper address is a file in PEM: " + file + " is not there, or may not be read");
        }
        return file.toString();
    }

    private static final class Factory implements ZookeeperFactory {
        @Override
        public ZooKeeper newZooKeeper(String servers, int timeoutMillis, Watcher watcher, boolean readOnly)
                throws Exception {
            return newZooKeeper(servers, timeoutMillis, watcher, readOnly, new ZKClientConfig());
        }

        @Override
        public ZooKeeper newZooKeeper(
                String servers, int timeoutMillis, Watcher watcher, boolean readOnly, ZKClientConfig config)
                throws Exception {
            HostProvider hosts =
                    new Hosts(new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses()));
            return new ZooKeeper(servers, timeoutMillis, watcher, readOnly, hosts, config);
        }
    }

    /**
     * Returns hosts without pauses. ZooKeeper's client waits a second when it has tried all members, and up to another
     * before each connection: a release should not have to wait for both after a member is back.
     */
    private static final class Hosts implements HostProvider {
        private static final long MOST_MILLIS = 50;

        private final HostProvider all;

        Hosts(HostProvider all) {
            this.all = all;
        }

        @Override
        public int size() {
            return all.size();
        }

        @Override
        public InetSocketAddress next(long pauseMillis) {
            return all.next(Math.min(pauseMillis, MOST_MILLIS));
        }

        @Override
        public void onConnected() {
            all.onConnected();
        }

        @Override
        public boolean updateServerList(Collection<InetSocketAddress> servers, InetSocketAddress current) {
            return all.updateServerList(servers, current);
        }
    }
}
