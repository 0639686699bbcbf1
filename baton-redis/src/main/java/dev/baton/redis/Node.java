package dev.baton.redis;

import dev.baton.spi.Cancel;
import dev.baton.spi.Deadline;
import dev.baton.spi.Release;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server as a client sees it: a connection for commands, a subscription, and what the server may have forgotten
 * when it comes back. Another process may take the server's place, and may have another address; {@link Dialer.Opener} knows
 * where it is.
 *
 * <p>Thread-safe.
 */
final class Node implements AutoCloseable {
    private final Dialer.Opener opener;
    private final Hello hello;
    private final String target;
    private final String threads;
    private final Buckets buckets;
    private final Commands requests;
    private final KnownGrace grace;
    private final Credentials credentials;
    private final RecentEnds recent;
    private final Subscription subscription;
    private final int replicas;
    private volatile @Nullable Pipeline commands;
    /** The same as {@link #commands} if answers do not wait for replicas: otherwise heartbeats would wait with them. */
    private volatile @Nullable Pipeline heartbeats;

    private volatile @Nullable Reauthentication reauthentication;
    private volatile String lastHistory = "";

    /**
     * Creates a node without connections.
     *
     * @param requests writes the commands to this server
     * @param grace what they know of its grace period
     * @param onBreak runs each time before the subscription connects again
     * @param target the server, as messages show it
     * @param replicas how many replicas must have what a command wrote; 0 if answers do not wait for that
     */
    Node(
            Dialer.Opener opener,
            Hello hello,
            Commands requests,
            KnownGrace grace,
            Credentials credentials,
            Channels channels,
            Runnable onBreak,
            StoreConfig config,
            String target,
            int replicas) {
        this.replicas = replicas;
        this.opener = opener;
        this.hello = hello;
        this.grace = grace;
        this.credentials = credentials;
        this.requests = requests;
        this.buckets = channels.buckets();
        this.recent = new RecentEnds(requests);
        this.target = target;
        this.threads = "baton-" + config.clientId().substring(0, 6) + "-redis";
        Runnable beforeConnecting = () -> {
            onBreak.run();
            lookAfterCommands();
        };
        this.subscription = new Subscription(
                opener, channels, config.listener(), beforeConnecting, credentials::look, threads + "-push");
    }

    /**
     * Starts to use the server. Closes the connection and the node if the server is not fit.
     *
     * @param first the first connection for commands
     * @param known whether the namespace is known to exist: a server without it has forgotten it
     * @return the risks in how the server is set up and reached
     */
    List<String> start(Dialer.Open first, boolean known, Deadline deadline) throws StoreFailure {
        try {
            grace.noted(hello.say(first, known));
            List<String> warnings = new ArrayList<>(first.warnings());
            warnings.addAll(hello.warnings(first));
            lastHistory = first.server().history();
            String refusal = subscription.start(deadline);
            if (refusal != null) {
                warnings.add("nothing pushed by Redis at " + target
                        + " can be heard, so waiting takes up to a second longer than it must: " + refusal);
            }
            Pipeline started = new Pipeline(first.wire(), this::connectAgain, target, threads, replicas);
            commands = started;
            heartbeats = replicas > 0
                    ? new Pipeline(connectAgain(), this::connectAgain, target, threads + "-heartbeats", replicas)
                    : started;
            List<Pipeline> living = new ArrayList<>();
            forEachPipeline(living::add);
            UserPassword login = first.credentials();
            Reauthentication authenticating = new Reauthentication(living, subscription, hello, login);
            reauthentication = authenticating;
            credentials.tell(login, authenticating);
            return warnings;
        } catch (StoreFailure | RuntimeException refused) {
            subscription.close();
            first.close();
            throw refused;
        }
    }

    /** Makes the buckets that are missing at the server, before the node starts. */
    void makeBuckets(Dialer.Open first, boolean known) throws StoreFailure {
        grace.noted(hello.lookAtAll(first, known));
    }

    /** Returns whether clients of the namespace listen at the server. */
    boolean hasClients(Dialer.Open first) throws StoreFailure {
        return hello.hasClients(first);
    }

    /** Returns whether the server has buckets of the namespace. */
    boolean hasBuckets(Dialer.Open first) throws StoreFailure {
        return hello.hasBuckets(first);
    }

    /** Returns whether the server has the descriptor of the namespace. */
    boolean hasDescriptor(Dialer.Open first) throws StoreFailure {
        return hello.hasDescriptor(first);
    }

    /** Returns what writes the commands to this server. */
    Commands requests() {
        return requests;
    }

    /** Returns where to send commands. */
    Pipeline commands() {
        return started(commands);
    }

    /** Returns where to send heartbeats. While there are any, connections have to live: so this looks for new credentials. */
    Pipeline heartbeats() {
        credentials.look();
        return started(heartbeats);
    }

    private static Pipeline started(@Nullable Pipeline pipeline) {
        if (pipeline == null) {
            throw new IllegalStateException("not started");
        }
        return pipeline;
    }

    private void forEachPipeline(Consumer<Pipeline> action) {
        Pipeline first = commands;
        Pipeline second = heartbeats;
        if (first != null) {
            action.accept(first);
        }
        if (second != null && second != first) {
            action.accept(second);
        }
    }

    private void lookAfterCommands() {
        forEachPipeline(Pipeline::lookAfterTheConnection);
    }

    /**
     * Reconnects, and sends the last releases and cancels again: another server process, or the same one with other data, may have
     * forgotten them.
     */
    private Wire connectAgain() throws StoreFailure {
        Dialer.Open open = opener.open();
        try {
            boolean begins = grace.noted(hello.say(open, true));
            Wire wire = open.wire();
            String history = open.server().history();
            if (begins || !lastHistory.equals(history)) {
                Resending.send(recent.again(), wire);
                lastHistory = history;
            }
            subscription.follow(wire.runId());
            return wire;
        } catch (StoreFailure | RuntimeException refused) {
            open.close();
            throw refused;
        }
    }

    /** Returns the server, as messages show it. */
    String target() {
        return target;
    }

    /** Returns the identity of the namespace, as this server last told it. */
    String namespaceId() {
        return hello.namespaceId();
    }

    /** Keeps a release, to send it again to a server that may have forgotten it. */
    void ended(Release release) {
        recent.add(release);
    }

    /** Keeps a cancel, to send it again to a server that may have forgotten it. */
    void ended(Cancel cancel) {
        recent.add(cancel);
    }

    /** Takes the rest of a grace period from an answer; returns whether this client did not know of it. */
    boolean noted(long graceMicros) {
        return grace.noted(graceMicros);
    }

    /** Takes the next answer as the first of the grace period. */
    void noteAgain() {
        grace.forget();
    }

    /** Returns the commands to send after the server forgot while it was connected. */
    List<Request> forgotten() {
        return recent.againAndLook(buckets.numbers());
    }

    /** Connects again, if the connections have ended: the server is probably reached by now. */
    void hurry() {
        subscription.hurry();
        lookAfterCommands();
    }

    /** Subscribes anew, because the server keeps other buckets than before. */
    void listenAnew() {
        subscription.renew();
    }

    /** Returns how many messages on the client's channel were no pushes, and were ignored. */
    long malformed() {
        return subscription.malformed();
    }

    @Override
    public void close() {
        Reauthentication authenticating = reauthentication;
        if (authenticating != null) {
            credentials.forget(authenticating);
        }
        subscription.close();
        forEachPipeline(Pipeline::close);
    }
}
