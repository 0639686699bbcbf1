package servers;

import dev.baton.servers.EtcdServer;
import dev.baton.servers.MemcachedServer;
import dev.baton.servers.RedisServer;
import dev.baton.servers.ZookeeperServer;
import java.io.IOException;

/** Starts the servers of the stores, prints their addresses, and stops them at the end of its input. */
public final class Servers {
    private Servers() {}

    /**
     * Runs.
     *
     * @param arguments none
     * @throws IOException if its input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        try (RedisServer redis = RedisServer.start();
                MemcachedServer memcached = MemcachedServer.start();
                ZookeeperServer zookeeper = ZookeeperServer.start();
                EtcdServer etcd = EtcdServer.start()) {
            System.out.println("redis " + redis.uri());
            System.out.println("memcached " + memcached.uri());
            System.out.println("zookeeper " + zookeeper.uri());
            System.out.println("etcd " + etcd.uri());
            System.out.println("started");
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }
}
