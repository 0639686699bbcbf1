package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.ForwardingStore;
import java.util.Optional;

/**
 * A quorum whose commands return when all of its members have answered, and not only a majority: so that its answers can be
 * compared with those of a store on one server.
 */
final class SettledStore extends ForwardingStore {
    private final Store quorum;

    SettledStore(Store quorum) {
        this.quorum = quorum;
    }

    @Override
    protected Store inner() {
        return quorum;
    }

    /** Members answer in the order of the commands, and this one asks all of them. */
    static void settle(Store quorum) throws StoreFailure {
        Optional<ResourceView> unused = quorum.inspect("settled", Clients.PATIENCE.toNanos());
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Acquire.Reply reply = quorum.acquire(command, timeoutNanos);
        settle(quorum);
        return reply;
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Heartbeat.Reply reply = quorum.heartbeat(command, timeoutNanos);
        settle(quorum);
        return reply;
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        Release.Reply reply = quorum.release(command, timeoutNanos);
        settle(quorum);
        return reply;
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        Stamp stamp = quorum.cancel(command, timeoutNanos);
        settle(quorum);
        return stamp;
    }
}
