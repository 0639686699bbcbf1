package dev.baton.spring.boot;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;

/** The application's own connection to ZooKeeper, which it has started, with its namespace, user and encryption. */
final class CuratorDetails implements BatonConnectionDetails {
    private final CuratorFramework framework;

    CuratorDetails(CuratorFramework framework) {
        this.framework = framework;
    }

    @Override
    public String uri() {
        return "zookeeper:/";
    }

    @Override
    public List<Object> driverObjects() {
        return List.of(framework);
    }
}
