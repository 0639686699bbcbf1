package dev.baton.zookeeper;

import dev.baton.internal.ordered.BoundedClose;
import dev.baton.internal.ordered.OrderedNames;
import dev.baton.internal.ordered.OrderedStore;
import dev.baton.spi.Agreement;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Protocol;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.Timings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * Opens stores in ZooKeeper.
 *
 * <p>Pass a started {@link CuratorFramework} to use the application's session (the address then needs no server), and
 * an {@link ACLProvider} for ACLs of your own. Without one, nodes belong to the address's user alone, or to everyone if
 * the address has no user.
 */
public final class ZookeeperStoreProvider implements StoreProvider {
    /** 100 ms: with shortLeases, as short as on other stores. */
    static final Duration SHORTEST = Duration.ofMillis(100);

    /** Creates the provider; the service loader calls this. */
    public ZookeeperStoreProvider() {}

    @Override
    public Map<String, Capabilities> schemes() {
        long millis = ZookeeperAddress.DEFAULT_SESSION_TIMEOUT.toMillis();
        Capabilities capabilities = capabilities(millis, ZookeeperAddress.DEFAULT_SESSION_TIMEOUT);
        return Map.of(ZookeeperAddress.SCHEME, capabilities, ZookeeperAddress.TLS_SCHEME, capabilities);
    }

    static Capabilities capabilities(long timeoutMillis, Duration shortestLease) {
        return OrderedStore.capabilities("ZooKeeper", shortestLease, ZookeeperLines.trust(timeoutMillis));
    }

    @Override
    public Store open(StoreConfig config) throws StoreFailure {
        return open(config, OrderedStore.Time.HOST);
    }

    /** Opens a store whose client keeps deadlines by a clock that is moved from outside. */
    static Store open(StoreConfig config, LongSupplier clock) throws StoreFailure {
        return open(config, OrderedStore.Time.movedBy(clock));
    }

    private static Store open(StoreConfig config, OrderedStore.Time time) throws StoreFailure {
        config.requireDriverObjectsOf(CuratorFramework.class, ACLProvider.class);
        ZookeeperAddress address = ZookeeperAddress.of(config.uri());
        CuratorFramework given = config.driverObject(CuratorFramework.class).orElse(null);
        if (given == null && address.servers().isEmpty()) {
            throw new IllegalArgumentException("a ZooKeeper address names a server, as in zookeeper://localhost:2181,"
                    + " unless the application brings its CuratorFramework");
        }
        if (given != null && (!address.servers().isEmpty() || address.user() != null)) {
            throw new IllegalArgumentException("with a CuratorFramework of the application the address names neither"
                    + " server nor user, as in zookeeper:/path: that connection is used as it is");
        }
        if (given != null && address.tls() != null) {
            throw new IllegalArgumentException(
                    "with a CuratorFramework of the application the address is zookeeper:/path:"
                            + " whether that connection is encrypted is the application's to say");
        }
        String target = address.servers().isEmpty() ? "the application's connection" : address.servers();
        ZookeeperSession session =
                new ZookeeperSession(given == null ? Connections.make(address, config) : given, given == null, target);
        // Counts from here: in a JVM that has just started, loading Curator's classes takes half a second, or two.
        Deadline deadline = Deadline.in(config.connectTimeout().toNanos());
        try {
            session.open(deadline.leftNanos(), address.tls() != null);
            return open(config, time, address, session, deadline);
        } catch (StoreFailure | RuntimeException refused) {
            BoundedClose.run(config.clientId(), session::close);
            throw refused;
        }
    }

    private static Store open(
            StoreConfig config,
            OrderedStore.Time time,
            ZookeeperAddress address,
            ZookeeperSession session,
            Deadline deadline)
            throws StoreFailure {
        String outer = session.framework().getNamespace();
        String root = (outer == null || outer.isEmpty() ? "" : '/' + outer)
                + address.path()
                + '/'
                + OrderedNames.encode(config.namespace());
        ZookeeperLines lines = new ZookeeperLines(session, root, acl(config, address));
        Timings timings = config.timings();
        Agreement own = new Agreement(
                Protocol.VERSION,
                Buckets.NUMBER,
                timings.graceMicros(),
                timings.claimMicros(),
                timings.presenceMicros(),
                Agreement.of(timings).namespaceId());
        String recorded = await(lines.open(own.text().getBytes(StandardCharsets.UTF_8)), deadline, session.target());
        String where = "namespace \"" + config.namespace() + "\" in " + root + " of ZooKeeper at " + session.target();
        Agreement agreement = Agreement.parse(recorded, "the data of " + where);
        agreement.require(own, where);
        List<String> warnings = new ArrayList<>();
        long agreed = session.timeoutMillis();
        if (session.isOwn() && agreed != address.sessionTimeout().toMillis()) {
            warnings.add(
                    "ZooKeeper at " + session.target() + " gives sessions of " + agreed + " ms where sessionTimeout="
                            + address.sessionTimeout().toMillis() + "ms was asked for: set minSessionTimeout and"
                            + " maxSessionTimeout there, or sessionTimeout here");
        }
        warnings.addAll(Warnings.of(address, session, await(lines.aclOfRoot(), deadline, session.target())));
        OrderedStore store = new OrderedStore(
                config,
                time,
                lines,
                () -> capabilities(
                        session.timeoutMillis(),
                        address.shortLeases() ? SHORTEST : Duration.ofMillis(session.timeoutMillis())),
                agreement.namespaceId(),
                warnings);
        session.tell(new ZookeeperSession.Events() {
            @Override
            public void ended(String id) {
                store.sessionEnded(id);
            }

            @Override
            public void reconnected() {
                store.reconnected();
            }
        });
        return store;
    }

    private static Function<String, List<ACL>> acl(StoreConfig config, ZookeeperAddress address) {
        ACLProvider given = config.driverObject(ACLProvider.class).orElse(null);
        if (given != null) {
            return path -> {
                List<ACL> own = given.getAclForPath(path);
                return own == null ? given.getDefaultAcl() : own;
            };
        }
        Id id = address.user() == null ? new Id("world", "anyone") : new Id("auth", "");
        List<ACL> acl = List.of(new ACL(ZooDefs.Perms.ALL, id));
        return path -> acl;
    }

    private static <T> T await(CompletableFuture<T> answer, Deadline deadline, String target) throws StoreFailure {
        try {
            return answer.get(Math.max(0, deadline.leftNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StoreFailure failure) {
                throw failure;
            }
            throw new StoreFailure(
                    StoreFailure.Effect.NONE, "ZooKeeper at " + target + " was not understood", failed.getCause());
        } catch (TimeoutException silent) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNREACHABLE,
                    "ZooKeeper at " + target + " did not answer in time",
                    silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreFailure(
                    StoreFailure.Effect.NONE, "interrupted while connecting to ZooKeeper at " + target, interrupted);
        }
    }
}
