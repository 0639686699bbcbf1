package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * The server that the sentinels, or the nodes of a cluster, name as the primary. When they name another one, all connections
 * to the present one end at once, also those that are being opened: an old primary that comes back may take writes for some
 * seconds, which are lost when it becomes a replica.
 *
 * <p>Thread-safe; one thread at a time moves it.
 */
final class Primary implements Dialer.Opener, AutoCloseable {
    /** One server that was named. */
    private record Place(HostAndPort at, Dialer dialer, Pace pace) {}

    private final String witnesses;
    private final String client;
    private final Function<HostAndPort, Dialer> dialers;
    private final Runnable onFailure;
    private volatile @Nullable Place place;
    private volatile boolean closed;

    /**
     * Creates a primary that is nowhere yet.
     *
     * @param witnesses who names it, in messages: {@code the sentinels name}
     * @param dialers makes a dialer for an announced address
     * @param onFailure runs after an attempt to connect has failed: the primary may be another one by now
     */
    Primary(String witnesses, String client, Function<HostAndPort, Dialer> dialers, Runnable onFailure) {
        this.witnesses = witnesses;
        this.client = client;
        this.dialers = dialers;
        this.onFailure = onFailure;
    }

    /** Refuses a server that is not the primary yet, or no more: the next answer of a sentinel may name another one. */
    static void require(Server server, String witnesses, String place) throws StoreFailure {
        refuseReplica(server, witnesses, place);
        server.require();
    }

    /** The same in a cluster. */
    static void requireInCluster(Server server, String witnesses, String place) throws StoreFailure {
        server.requireInCluster();
        refuseReplica(server, witnesses, place);
        server.requirePrimary();
    }

    private static void refuseReplica(Server server, String witnesses, String place) throws StoreFailure {
        if (server.isReplica()) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    witnesses + ' ' + place + " as the primary, but it is a replica: a failover may be under way",
                    null);
        }
    }

    /** Leaves the present server if this is another one; returns whether it is. */
    boolean moveTo(HostAndPort at) {
        Place before = place;
        if (before != null && before.at.equals(at)) {
            return false;
        }
        Place now = new Place(at, dialers.apply(at), new Pace(client));
        place = now;
        if (before != null) {
            before.dialer.close();
        }
        if (closed) {
            now.dialer.close();
        }
        return true;
    }

    /** Returns where it is. */
    HostAndPort at() {
        Place now = place;
        if (now == null) {
            throw new IllegalStateException("nobody was asked where it is");
        }
        return now.at;
    }

    /** Connects. Continues with the new server if the primary moves meanwhile. */
    @Override
    public Dialer.Open open() throws StoreFailure {
        while (true) {
            Place now = place;
            if (now == null) {
                throw new IllegalStateException("nobody was asked where it is");
            }
            now.pace.await(() -> closed || !now.equals(place));
            try {
                return now.dialer.open();
            } catch (StoreFailure failure) {
                if (closed || now.equals(place)) {
                    onFailure.run();
                    throw explained(failure, now.at);
                }
            }
        }
    }

    private StoreFailure explained(StoreFailure failure, HostAndPort at) {
        String message = String.valueOf(failure.getMessage());
        if (failure.reason() != Reason.UNREACHABLE || !message.startsWith("cannot connect")) {
            return failure;
        }
        String place = Hosts.shown(at);
        return new StoreFailure(
                failure.effect(),
                failure.reason(),
                witnesses + ' ' + place + " as the primary: " + message + " If that is an address of another"
                        + " network, say where it is reached from here: map=" + place + "=HOST:PORT",
                failure);
    }

    @Override
    public void close() {
        closed = true;
        Place now = place;
        if (now != null) {
            now.dialer.close();
        }
    }
}
