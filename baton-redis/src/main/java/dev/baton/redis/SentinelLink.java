package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/**
 * One sentinel: a connection that asks it, and its last answer. One thread asks at a time; the answers may be read, and
 * the link closed, by any.
 */
final class SentinelLink implements AutoCloseable {
    /** How long a sentinel that did not answer is left alone: a host that is gone costs a time-out each time. */
    private static final long LEFT_ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Dialer dialer;
    private final String service;
    private final String place;
    private Dialer.@Nullable Open open;
    private Deadline notBefore = Deadline.in(0);
    private volatile @Nullable SentinelReply reply;
    private volatile @Nullable StoreFailure failure;

    SentinelLink(HostAndPort at, Dialer dialer, String service) {
        this.dialer = dialer;
        this.service = service;
        this.place = Hosts.shown(at);
    }

    /** Refuses servers that are no sentinels. */
    static void require(Server server, String place) throws StoreFailure {
        if (!server.isSentinel()) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    "the server at " + place + " is a data server, not a sentinel: the port of a sentinel is usually"
                            + " 26379; for one server without sentinels write redis://" + place,
                    null);
        }
    }

    /** Returns where the sentinel is, as messages show it. */
    String place() {
        return place;
    }

    /** Returns its last answer; null if it gave none yet. */
    @Nullable
    SentinelReply reply() {
        return reply;
    }

    /** Returns why it did not answer the last time; null if it did. */
    @Nullable
    StoreFailure failure() {
        return failure;
    }

    /** Returns whether asking it is likely to cost little. */
    boolean isWorthAsking() {
        return failure == null || notBefore.leftNanos() <= 0;
    }

    /** Asks for the primary. */
    void ask() {
        try {
            SentinelReply answer = SentinelReply.of(texts("MASTER", service));
            if (answer == null) {
                throw new StoreFailure(Effect.NONE, Reason.UNFIT, place + " gave an answer that names no server", null);
            }
            reply = answer;
            failure = null;
        } catch (StoreFailure failed) {
            failure = failed;
            notBefore = Deadline.in(LEFT_ALONE_NANOS);
        }
    }

    /** Returns whether the sentinel answered that it does not know the name. */
    boolean isServiceUnknown() {
        StoreFailure failed = failure;
        return failed != null && String.valueOf(failed.getMessage()).contains("No such master");
    }

    /** Returns the names under which it watches servers; empty if it does not say. */
    List<String> services() {
        try {
            List<?> all = ask("MASTERS") instanceof List<?> list ? list : List.of();
            return all.stream()
                    .map(Dialer::texts)
                    .filter(words -> words.size() > 1)
                    .map(words -> words.get(1))
                    .toList();
        } catch (StoreFailure refused) {
            return List.of();
        }
    }

    /** Opens another connection, to be subscribed. */
    Wire wire() throws StoreFailure {
        return dialer.open().wire();
    }

    private List<String> texts(Object... words) throws StoreFailure {
        return Dialer.texts(ask(words));
    }

    /** Asks on the open connection, and on a new one if that has ended meanwhile. */
    private Object ask(Object... words) throws StoreFailure {
        Dialer.Open before = open;
        if (before != null) {
            try {
                return before.ask(Command.SENTINEL, words);
            } catch (StoreFailure failed) {
                if (failed.reason() != Reason.UNREACHABLE) {
                    throw failed;
                }
                open = null;
                before.close();
            }
        }
        Dialer.Open fresh = dialer.open();
        open = fresh;
        return fresh.ask(Command.SENTINEL, words);
    }

    @Override
    public void close() {
        dialer.close();
    }
}
