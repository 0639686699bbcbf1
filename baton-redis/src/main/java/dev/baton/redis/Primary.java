package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * The server that the sentinels name as the primary. When they name another one, all connections to the present one
 * end at once, also those that are being opened: an old primary that comes back takes writes for some seconds, which
 * are lost when it becomes a replica.
 *
 * <p>Thread-safe; one thread at a time moves it.
 */
final class Primary implements Dialer.Opener, AutoCloseable {
    /** One server that was named. */
    private record Place(HostAndPort at, Dialer dialer, Pace pace) {}

    private final String client;
    private final Function<HostAndPort, Dialer> dialers;
    private volatile @Nullable Place place;
    private volatile boolean closed;

    /**
     * Creates a primary that is nowhere yet.
     *
     * @param dialers makes a dialer for an announced address
     */
    Primary(String client, Function<HostAndPort, Dialer> dialers) {
        this.client = client;
        this.dialers = dialers;
    }

    /** Refuses a server that is not the primary yet, or no more: the next answer of a sentinel may name another one. */
    static void require(Server server, String place) throws StoreFailure {
        if (server.role().equals("slave")) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    "the sentinels name " + place + " as the primary, but it is a replica: a failover may be under way",
                    null);
        }
        server.require();
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

    /** Connects. Continues with the new server if the primary moves meanwhile. */
    @Override
    public Dialer.Open open() throws StoreFailure {
        while (true) {
            Place now = place;
            if (now == null) {
                throw new IllegalStateException("no sentinel was asked");
            }
            now.pace.await(() -> closed || !now.equals(place));
            try {
                return now.dialer.open();
            } catch (StoreFailure failure) {
                if (closed || now.equals(place)) {
                    throw explained(failure, now.at);
                }
            }
        }
    }

    private static StoreFailure explained(StoreFailure failure, HostAndPort at) {
        String message = String.valueOf(failure.getMessage());
        if (failure.reason() != Reason.UNREACHABLE || !message.startsWith("cannot connect")) {
            return failure;
        }
        String place = Hosts.shown(at);
        return new StoreFailure(
                failure.effect(),
                failure.reason(),
                "the sentinels name " + place + " as the primary: " + message + " If that is an address of another"
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
