package dev.baton.servers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A Redis primary with replicas and sentinels, for one test: by default two replicas and three sentinels, of which two
 * have to agree that the primary is down. Each is a process, as in {@link RedisServer}, whose program they have too:
 * Redis 6.2 or newer. Closed at the latest when this JVM ends.
 *
 * <p>A test fails over by {@link #killPrimary} or {@link #switchOver}, and loses writes by {@link #loseTail} before. A
 * member is frozen and revived by its {@link RedisServer#pause} and {@link RedisServer#resume}, and comes back after it
 * was killed by its {@link RedisServer#restart}: with the configuration that Sentinel has left it, so that a former
 * primary believes for about 10 s that it still is the primary. {@link #rejoin} starts it as a replica instead.
 *
 * <p>Every member and every sentinel has the users of {@link RedisServer}, as which replicas and sentinels log in.
 * {@link #members}, {@link #sentinels}, {@link #primary}, {@link #name} and {@link #uri} are thread-safe; all else is for one thread
 * at a time.
 */
public final class RedisSentinels implements AutoCloseable {
    private static final Duration LIMIT = RedisMembers.LIMIT;
    private static final int ANSWER_LIMIT_MILLIS = RedisMembers.ANSWER_LIMIT_MILLIS;
    private static final int DEFAULT_REPLICAS = 2;
    private static final int DEFAULT_SENTINELS = 3;
    private static final Duration DEFAULT_DOWN_AFTER = Duration.ofMillis(500);
    private static final Duration DEFAULT_FAILOVER_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration DEFAULT_PING = Duration.ofSeconds(1);
    private static final Duration SWITCH_OVER_SILENCE = Duration.ofSeconds(30);
    private static final Duration STAGGER = Duration.ofMillis(150);
    private static final Duration QUICK_HELLO = Duration.ofMillis(100);
    private static final Duration DEFAULT_HELLO = Duration.ofSeconds(2);

    private final String name;
    private final boolean tls;
    private final int quorum;
    private final Duration downAfter;
    private final RedisMembers members = new RedisMembers();
    private final List<RedisServer> sentinels = new ArrayList<>();
    private Duration tolerated;

    private RedisSentinels(Builder builder) {
        this.name = builder.name;
        this.tls = builder.members.isTls();
        this.quorum = builder.sentinels / 2 + 1;
        this.downAfter = builder.downAfter;
        this.tolerated = downAfter;
    }

    /** Starts the defaults: a primary, two replicas and three sentinels, without TLS and passwords. */
    public static RedisSentinels start() {
        return builder().start();
    }

    /** Returns a builder for a set that differs from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The differences from the defaults. Not thread-safe. */
    public static final class Builder {
        private final RedisMembers.Settings members = new RedisMembers.Settings();
        private final RedisMembers.Settings sentinelSettings = new RedisMembers.Settings();
        private String name = "baton";
        private int replicas = DEFAULT_REPLICAS;
        private int sentinels = DEFAULT_SENTINELS;
        private Duration downAfter = DEFAULT_DOWN_AFTER;
        private Duration failoverTimeout = DEFAULT_FAILOVER_TIMEOUT;

        private Builder() {}

        /** Sets the name under which the sentinels know the primary, instead of {@code baton}. */
        public Builder name(String newName) {
            name = newName;
            return this;
        }

        /** Sets the number of replicas. */
        public Builder replicas(int number) {
            replicas = number;
            return this;
        }

        /** Sets the number of sentinels. More than half of them have to agree. */
        public Builder sentinels(int number) {
            sentinels = number;
            return this;
        }

        /** Sets how long a server may be silent before a sentinel takes it for dead, instead of 500 ms, and at least. */
        public Builder downAfter(Duration silence) {
            downAfter = silence;
            return this;
        }

        /** Sets how long a failover may take before another sentinel tries, instead of 3 s. */
        public Builder failoverTimeout(Duration timeout) {
            failoverTimeout = timeout;
            return this;
        }

        /** Lets all of them accept and use only TLS, with one certificate; see {@link RedisSentinels#sslContext}. */
        public Builder tls() {
            members.tls();
            sentinelSettings.tls();
            return this;
        }

        /** Adds a line of {@code redis.conf} to primary and replicas; see {@link RedisServer.Builder#config}. */
        public Builder config(String directive, String value) {
            members.config(directive, value);
            return this;
        }

        /** Adds an ACL user to primary and replicas, such as {@code user baton on >secret ~baton:* +@all}. */
        public Builder aclUser(String line) {
            members.aclUser(line);
            return this;
        }

        /** Adds an ACL user to the sentinels, such as {@code user default on >secret +@all}. */
        public Builder sentinelAclUser(String line) {
            sentinelSettings.aclUser(line);
            return this;
        }

        /** Starts all, and waits until every replica follows and every sentinel knows all others. */
        public RedisSentinels start() {
            RedisSentinels all = new RedisSentinels(this);
            try {
                all.startMembers(this);
                all.startSentinels(this);
                return all;
            } catch (RuntimeException e) {
                all.close();
                throw e;
            }
        }

        /**
         * Returns the period of pings. After a failover a sentinel connects to the new primary when this period has passed
         * since it tried to reach the old one: the period must be shorter than the silence that it tolerates, or it fails
         * over twice. Five periods must be longer than the second in which it asks replicas, or it takes none for good.
         */
        private Duration pingPeriod() {
            Duration most = downAfter.multipliedBy(3).dividedBy(5);
            return most.compareTo(DEFAULT_PING) < 0 ? most : DEFAULT_PING;
        }

        /**
         * Describes a sentinel. They take a server for dead one after the other: those that do so at the same time vote
         * for themselves, and try again when twice the time of a failover has passed.
         */
        private RedisServer.Builder sentinel(RedisServer primary, int quorum, int number) {
            Duration silence = staggered(downAfter, number);
            return sentinelSettings
                    .server()
                    .argument("--sentinel")
                    .config("sentinel monitor", name + " 127.0.0.1 " + primary.port() + " " + quorum)
                    .config("sentinel down-after-milliseconds", name + " " + silence.toMillis())
                    .config("sentinel failover-timeout", name + " " + failoverTimeout.toMillis())
                    .config("sentinel parallel-syncs", name + " " + Math.max(1, replicas))
                    .config("sentinel auth-user", name + " " + RedisServer.KIT_USER)
                    .config("sentinel auth-pass", name + " " + RedisServer.KIT_USER)
                    .config("sentinel sentinel-user", RedisServer.KIT_USER)
                    .config("sentinel sentinel-pass", RedisServer.KIT_USER);
        }
    }

    private static Duration staggered(Duration downAfter, int number) {
        return downAfter.plus(STAGGER.multipliedBy(number));
    }

    private void startMembers(Builder builder) {
        RedisServer primary = builder.members.server().start();
        members.add(primary);
        for (int i = 0; i < builder.replicas; i++) {
            members.add(builder.members.server().replicaOf(primary).start());
        }
    }

    /** Sentinels find each other by greetings, so they greet often until they have. */
    private void startSentinels(Builder builder) {
        for (int i = 0; i < builder.sentinels; i++) {
            sentinels.add(builder.sentinel(members.first(), quorum, i).start());
        }
        sentinels.forEach(sentinel -> {
            set(sentinel, "ping-period", builder.pingPeriod());
            set(sentinel, "publish-period", QUICK_HELLO);
        });
        awaitComplete(LIMIT);
        sentinels.forEach(sentinel -> set(sentinel, "publish-period", DEFAULT_HELLO));
    }

    /** Sets a period of a sentinel, until it is started again. */
    private static void set(RedisServer sentinel, String period, Duration length) {
        try {
            sentinel.command("SENTINEL", "DEBUG", period, Long.toString(length.toMillis()));
        } catch (RedisErrorReply tooOld) {
            // Redis 6 has fixed periods. It starts 2 s later, and may fail over twice.
        }
    }

    /** Returns the name under which the sentinels know the primary. */
    public String name() {
        return name;
    }

    /**
     * Returns the address of the sentinels, {@code redis+sentinel://127.0.0.1:port,127.0.0.1:port/name}, or the same
     * with {@code rediss+sentinel} and {@code localhost} with TLS.
     */
    public String uri() {
        return (tls ? "rediss" : "redis") + "+sentinel://" + RedisMembers.addresses(sentinels) + "/" + name;
    }

    /** Returns an SSL context that trusts only the certificate of these servers. */
    public SSLContext sslContext() {
        return members.first().sslContext();
    }

    /** Returns primary and replicas, running or not. The first one has begun as the primary. */
    public List<RedisServer> members() {
        return members.all();
    }

    /** Returns the sentinels, running or not. */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /**
     * Returns the primary of which the sentinels know now: of those that answer, the one with the newest configuration
     * is right.
     *
     * @throws IllegalStateException if no sentinel answers
     */
    public RedisServer primary() {
        return views().stream()
                .max(Comparator.comparingLong(SentinelView::epoch))
                .map(view -> members.withPort(view.port()))
                .orElseThrow(() -> new IllegalStateException("no sentinel answers: " + describe()));
    }

    private List<SentinelView> views() {
        List<SentinelView> views = new ArrayList<>();
        for (RedisServer sentinel : sentinels) {
            try {
                views.add(SentinelView.of(sentinel, name));
            } catch (IOException | RedisErrorReply silent) {
                // It is down. The others tell.
            }
        }
        return views;
    }

    /** Returns the primary on which all sentinels agree that answer, if these are enough for a failover. */
    private Optional<RedisServer> agreed(List<SentinelView> views) {
        return views.size() >= quorum
                        && views.stream().map(SentinelView::port).distinct().count() == 1
                ? Optional.of(members.withPort(views.get(0).port()))
                : Optional.empty();
    }

    /**
     * Waits for the end of a failover: enough sentinels agree on another primary, which answers and is one.
     *
     * @param former the primary before
     * @param limit how long it may take
     * @return the new primary
     * @throws IllegalStateException if it takes longer; the message says what the servers tell
     */
    public RedisServer awaitPrimaryOtherThan(RedisServer former, Duration limit) {
        await("another primary than the one on port " + former.port(), limit, () -> isAnotherThan(former, views()));
        return primary();
    }

    private boolean isAnotherThan(RedisServer former, List<SentinelView> views) throws IOException {
        Optional<RedisServer> now = agreed(views);
        return now.isPresent() && now.get() != former && RedisMembers.isPrimary(now.get());
    }

    /**
     * Waits until all run and agree: one primary, which all others follow and have caught up with, and sentinels that
     * know all members and each other.
     *
     * @param limit how long it may take
     * @throws IllegalStateException if it takes longer; the message says what the servers tell
     */
    public void awaitComplete(Duration limit) {
        await("all servers agree", limit, this::isComplete);
    }

    private boolean isComplete() throws IOException {
        List<SentinelView> views = views();
        int replicas = members.all().size() - 1;
        Optional<RedisServer> primary = agreed(views);
        return views.size() == sentinels.size()
                && views.stream().allMatch(view -> view.isComplete(sentinels.size() - 1, replicas))
                && primary.isPresent()
                && RedisMembers.online(primary.get()) == replicas;
    }

    /**
     * From now on the replicas receive nothing from the primary, although its clients go on: when it dies, all later
     * writes are lost. All earlier ones have arrived. Sentinel promotes no replica that was cut off ten times as long as
     * {@link Builder#downAfter}: 5 s by default, so kill the primary before.
     *
     * @return the primary
     * @see #keepTail
     */
    public RedisServer loseTail() {
        RedisServer primary = primary();
        members.loseTail(primary);
        return primary;
    }

    /**
     * Waits until each connected replica has all writes so far, so that a {@link #killPrimary} loses none of them:
     * replication is asynchronous, and a primary may die before it has sent what it has confirmed.
     *
     * @return the primary
     * @throws IllegalStateException if a replica takes longer than a second
     */
    public RedisServer awaitReplicas() {
        RedisServer primary = primary();
        members.awaitReplicas(primary);
        return primary;
    }

    /** Lets replicas follow again after {@link #loseTail}: all members that run. A start does the same. */
    public void keepTail() {
        members.keepTail();
    }

    /**
     * From now on the sentinels that run tolerate a longer silence of a server, so that nothing fails over while one is
     * restarted.
     *
     * @param silence how long a server may be silent
     * @see #tolerateUsualSilence
     */
    public void tolerateSilence(Duration silence) {
        for (int i = 0; i < sentinels.size(); i++) {
            if (sentinels.get(i).isRunning()) {
                String millis = Long.toString(staggered(silence, i).toMillis());
                sentinels.get(i).command("SENTINEL", "SET", name, "down-after-milliseconds", millis);
            }
        }
        tolerated = silence;
    }

    /** Takes {@link #tolerateSilence} back. */
    public void tolerateUsualSilence() {
        tolerateSilence(downAfter);
    }

    /** Sends SIGKILL to the primary, and returns it. What no replica has received yet is lost; see {@link #awaitReplicas}. */
    public RedisServer killPrimary() {
        RedisServer primary = primary();
        primary.kill();
        return primary;
    }

    /**
     * Lets Sentinel promote a replica although the primary lives, and waits for it. The former primary goes on to accept
     * writes for about 10 s, until Sentinel makes it a replica, too.
     *
     * @return the new primary
     */
    public RedisServer switchOver() {
        RedisServer former = primary();
        Duration before = tolerated;
        // A sentinel that begins again would take no replica that loseTail has cut off for too long.
        tolerateSilence(SWITCH_OVER_SILENCE);
        try {
            await("a replica takes over from the one on port " + former.port(), LIMIT, () -> isSwitchedOver(former));
        } finally {
            tolerateSilence(before);
        }
        return primary();
    }

    /** Begins to switch over if no sentinel does: one gives up, and does not tell, when a replica takes too long. */
    private boolean isSwitchedOver(RedisServer former) throws IOException {
        List<SentinelView> views = views();
        if (views.stream().allMatch(view -> view.port() == former.port() && !view.isFailingOver())) {
            beginSwitchOver();
            return false;
        }
        return isAnotherThan(former, views);
    }

    /** Asks the sentinels one by one. One that has seen no good replica refuses. */
    private void beginSwitchOver() throws IOException {
        for (RedisServer sentinel : sentinels) {
            if (sentinel.isRunning()) {
                sentinel.ask(ANSWER_LIMIT_MILLIS, "SENTINEL", "FAILOVER", name);
                return;
            }
        }
    }

    /**
     * Kills a member if it runs, and starts it as a replica of the present primary, whose data it gets.
     *
     * @param member one that is not the primary
     */
    public void rejoin(RedisServer member) {
        RedisServer primary = primary();
        if (member == primary) {
            throw new IllegalArgumentException("this is the primary: " + describe());
        }
        member.restartAsReplicaOf(primary);
    }

    /** Starts each member that does not run as a replica of the present primary. */
    public void rejoinMissing() {
        members.missing().forEach(this::rejoin);
    }

    private void await(String what, Duration limit, Await.State state) {
        Await.until(what, limit, state, this::describe);
    }

    private String describe() {
        return RedisMembers.told("sentinel", sentinels, sentinel -> SentinelView.of(sentinel, name)) + members.told();
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        members.close();
    }
}
