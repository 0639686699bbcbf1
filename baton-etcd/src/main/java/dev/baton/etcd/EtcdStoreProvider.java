package dev.baton.etcd;

import dev.baton.internal.ordered.BoundedClose;
import dev.baton.internal.ordered.OrderedStore;
import dev.baton.internal.ordered.ServerHosts;
import dev.baton.spi.Agreement;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Deadline;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreProvider;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Opens stores in etcd.
 *
 * <p>Pass a {@link Client} of jetcd to use the application's connections, its user and its namespace; the address then
 * needs no server.
 */
public final class EtcdStoreProvider implements StoreProvider {
    static final Duration SHORTEST = Duration.ofMillis(100);
    private static final long MICROS_PER_MILLI = 1_000;
    private static final long VERSIONS_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Creates the provider; the service loader calls this. */
    public EtcdStoreProvider() {}

    @Override
    public Map<String, Capabilities> schemes() {
        Duration ttl = EtcdAddress.DEFAULT_TTL;
        return Map.of(EtcdAddress.SCHEME, capabilities(ttl.toMillis() * MICROS_PER_MILLI, ttl));
    }

    static Capabilities capabilities(long ttlMicros, Duration shortestLease) {
        return OrderedStore.capabilities("etcd", shortestLease, EtcdLines.trust(ttlMicros));
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
        config.requireDriverObjectsOf(Client.class);
        EtcdAddress address = EtcdAddress.of(config.uri());
        Client given = config.driverObject(Client.class).orElse(null);
        if (given == null && address.servers().isEmpty()) {
            throw new IllegalArgumentException("an etcd address names a server, as in etcd://localhost:2379, unless the"
                    + " application brings its jetcd client");
        }
        Client client = given == null ? Clients.make(address, config.connectTimeout()) : given;
        Commands commands = new Commands(client, address.target());
        // Counts from here: in a JVM that has just started, loading gRPC's classes takes half a second, or two.
        Deadline deadline = Deadline.in(config.connectTimeout().toNanos());
        Keys keys = Keys.of(address.prefix(), config.namespace());
        EtcdSession session = new EtcdSession(
                commands,
                given == null,
                keys.client(config.clientId()),
                address.ttl().toSeconds(),
                config.clientId());
        try {
            session.open(deadline);
            String namespaceId = agree(config, commands, keys, deadline);
            return open(config, time, address, session, commands, keys, namespaceId, deadline);
        } catch (StoreFailure | RuntimeException refused) {
            BoundedClose.run(config.clientId(), session::close);
            throw refused;
        }
    }

    private static Store open(
            StoreConfig config,
            OrderedStore.Time time,
            EtcdAddress address,
            EtcdSession session,
            Commands commands,
            Keys keys,
            String namespaceId,
            Deadline deadline) {
        Facts facts = new Facts(commands.client(), address, () -> session.ttlMicros() / MICROS_PER_MILLI);
        EtcdLines lines = new EtcdLines(session, commands, keys, config.clientId(), facts);
        OrderedStore store = new OrderedStore(
                config,
                time,
                lines,
                () -> capabilities(session.ttlMicros(), shortest(address, session)),
                namespaceId,
                warnings(address, session, facts, deadline.orIn(VERSIONS_PATIENCE_NANOS)));
        session.tell(new EtcdSession.Events() {
            @Override
            public void ended(String id) {
                lines.forget(id);
                store.sessionEnded(id);
            }

            @Override
            public void reconnected() {
                store.reconnected();
            }
        });
        return store;
    }

    private static Duration shortest(EtcdAddress address, EtcdSession session) {
        return address.shortLeases() ? SHORTEST : Duration.ofMillis(session.ttlMicros() / MICROS_PER_MILLI);
    }

    /** Checks the agreement of the namespace, which its first client writes for all; returns the namespace's identity. */
    private static String agree(StoreConfig config, Commands commands, Keys keys, Deadline deadline)
            throws StoreFailure {
        Agreement own = Agreement.of(config.timings());
        ByteSequence key = Keys.bytes(keys.descriptor());
        CompletableFuture<List<KeyValue>> recorded = commands.commit(
                        "reading the descriptor",
                        List.of(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0))),
                        List.of(Op.put(
                                key, Keys.bytes(own.text()), PutOption.builder().build())),
                        List.of(Op.get(key, GetOption.builder().build())))
                .thenApply(answer -> answer.isSucceeded()
                        ? List.of()
                        : answer.getGetResponses().get(0).getKvs());
        for (KeyValue each : await(recorded, deadline, commands.target())) {
            String where = "namespace \"" + config.namespace() + "\" in " + keys.descriptor() + " of etcd at "
                    + commands.target();
            Agreement agreement = Agreement.parse(Keys.text(each.getValue()), "the value of " + where);
            agreement.require(own, where);
            return agreement.namespaceId();
        }
        return own.namespaceId();
    }

    private static List<String> warnings(EtcdAddress address, EtcdSession session, Facts facts, Deadline deadline) {
        List<String> warnings = new ArrayList<>();
        long given = TimeUnit.MICROSECONDS.toSeconds(session.ttlMicros());
        if (given != address.ttl().toSeconds()) {
            warnings.add("etcd at " + address.target() + " gives leases of " + given + " s where ttl="
                    + address.ttl().toSeconds() + "s was asked for: set ttl, or its election timeout");
        }
        if (address.user() != null && address.tls() == null && !ServerHosts.areLocal(address.servers())) {
            warnings.add("the password of user " + address.user() + " goes to etcd at " + address.target()
                    + " unencrypted: use tls=true, or a network that nobody can listen to");
        }
        try {
            await(facts.versions(), deadline, address.target())
                    .forEach((server, version) ->
                            Versions.warning(version, server).ifPresent(warnings::add));
        } catch (StoreFailure untold) {
            // The version is unknown, and locks work.
        }
        return warnings;
    }

    private static <T> T await(CompletableFuture<T> answer, Deadline deadline, String target) throws StoreFailure {
        try {
            return answer.get(Math.max(0, deadline.leftNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw Failures.of(failed, "connecting", target);
        } catch (TimeoutException silent) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNREACHABLE,
                    "etcd at " + target + " did not answer in time",
                    silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreFailure(
                    StoreFailure.Effect.NONE, "interrupted while connecting to etcd at " + target, interrupted);
        }
    }
}
