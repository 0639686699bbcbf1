package dev.baton.redis;

import dev.baton.internal.store.Uninterrupted;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentialsProvider;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

/**
 * The user and the password of connections: fixed, or what a provider of the application says. A provider is user code,
 * which may block or throw. So only a thread of its own calls it, and commands never wait for that thread. A new connection
 * takes what the provider said last, and waits a moment for the provider only if the server refuses that.
 *
 * <p>Thread-safe.
 */
final class Credentials implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.baton");

    /** How often the provider is asked at most, as long as the server refuses nothing. */
    private static final long PACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a new connection waits for the provider after the server refused what the provider said last. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final String PROVIDER = "the provider of credentials (the JedisClientConfig's)";
    private static final String SILENT = PROVIDER + " does not answer";
    private static final int MOST_WORDS = 200;

    /** Null if the credentials never change. */
    private final @Nullable Supplier<Supplier<RedisCredentials>> source;

    private final String target;
    private final long firstNanos;
    private final Pump asking;
    private final List<Predicate<UserPassword>> users = new CopyOnWriteArrayList<>();

    /** Opened when the next question, one that begins from now on, is answered. */
    private volatile CountDownLatch next = new CountDownLatch(1);

    private volatile @Nullable UserPassword last;
    private volatile Deadline pause = Deadline.in(0);
    private volatile Deadline refusalPause = Deadline.in(0);

    /** The patience with the question that is not answered yet; null if there is none. */
    private volatile @Nullable Deadline patience;

    /** Why the last question got no answer; null if it did. */
    private volatile @Nullable String failure;

    /** Jedis's own provider, which only reads a field, and what it said last: a fixed password needs no thread. */
    private final @Nullable DefaultRedisCredentialsProvider quick;

    private volatile @Nullable RedisCredentials held;

    private Credentials(
            @Nullable Supplier<Supplier<RedisCredentials>> source,
            @Nullable DefaultRedisCredentialsProvider quick,
            @Nullable UserPassword fixed,
            String target,
            String thread,
            long firstNanos) {
        this.source = source;
        this.quick = quick;
        this.last = fixed;
        this.target = target;
        this.firstNanos = firstNanos;
        this.asking = new Pump(this::ask, thread);
    }

    /** Returns credentials that never change. */
    static Credentials fixed(@Nullable String user, @Nullable String password) {
        return new Credentials(null, null, new UserPassword(user, password), "", "", 0);
    }

    /**
     * Returns the credentials for servers that keep locks: those of the address, or of the application's configuration.
     *
     * @throws IllegalArgumentException if both have some
     */
    static Credentials of(RedisAddress address, StoreConfig config) {
        Optional<JedisClientConfig> brought = config.driverObject(JedisClientConfig.class);
        boolean inAddress = address.user() != null || address.password() != null;
        if (brought.isEmpty()) {
            return fixed(address.user(), address.password());
        }
        JedisClientConfig jedis = brought.get();
        if (inAddress) {
            if (hasCredentials(jedis)) {
                throw new IllegalArgumentException("user and password are said twice: in " + address
                        + ", and by the JedisClientConfig; leave out those of one");
            }
            return fixed(address.user(), address.password());
        }
        return new Credentials(
                () -> providerOf(jedis),
                jedis instanceof DefaultJedisClientConfig
                                && providerOf(jedis) instanceof DefaultRedisCredentialsProvider own
                        ? own
                        : null,
                null,
                address.target(),
                "baton-" + config.clientId().substring(0, 6) + "-redis-credentials",
                config.connectTimeout().toNanos());
    }

    private static Supplier<RedisCredentials> providerOf(JedisClientConfig jedis) {
        return jedis.getAuthXManager() == null ? jedis.getCredentialsProvider() : jedis.getAuthXManager();
    }

    private static boolean hasCredentials(JedisClientConfig jedis) {
        Supplier<RedisCredentials> provider = providerOf(jedis);
        if (!(provider instanceof DefaultRedisCredentialsProvider)) {
            return true;
        }
        RedisCredentials given = provider.get();
        return given != null && (given.getUser() != null || given.getPassword() != null);
    }

    /**
     * Has a user of living connections called, on the thread that asks, each time that the provider was asked.
     *
     * @param first what the user has already
     * @param user returns false to be called again with the same
     */
    void tell(UserPassword first, Predicate<UserPassword> user) {
        users.add(user);
        if (!first.equals(last)) {
            held = null;
        }
    }

    /** Ends {@link #tell} for a user whose connections have ended for good. */
    void forget(Predicate<UserPassword> user) {
        users.remove(user);
    }

    /** Has the provider asked soon, unless that has just been done. Never waits. */
    void look() {
        if (source == null || pause.leftNanos() > 0) {
            return;
        }
        pause = Deadline.in(PACE_NANOS);
        if (isUnchanged()) {
            return;
        }
        try {
            asking.wake();
        } catch (OutOfMemoryError noThread) {
            // The process can start no more threads now. A caller's heartbeat must not fail because of that.
        }
    }

    private boolean isUnchanged() {
        return quick != null && quick.get() == held;
    }

    /** Returns the credentials for a new connection. Only the first call waits for the provider. */
    UserPassword now() throws StoreFailure {
        if (last == null && quick != null) {
            question();
        } else if (last == null) {
            await(Deadline.in(firstNanos));
        }
        UserPassword known = last;
        if (known != null) {
            return known;
        }
        String why = failure == null ? SILENT : failure;
        throw new StoreFailure(
                Effect.NONE, "there are no user and password for Redis at " + target + " yet: " + why, null);
    }

    /** Returns what to use after the server refused something: the same if the provider has nothing else in time. */
    UserPassword insteadOf(UserPassword refused) {
        UserPassword known = last;
        boolean asks = source != null && !isUnchanged() && refusalPause.leftNanos() <= 0;
        if (asks && refused.equals(known)) {
            refusalPause = Deadline.in(PACE_NANOS);
            Deadline begun = patience;
            await(begun == null ? Deadline.in(PATIENCE_NANOS) : begun);
            known = last;
        }
        return known == null ? refused : known;
    }

    /** Adds to a server's refusal why the credentials may not be the newest. */
    StoreFailure explained(StoreFailure refused) {
        String trouble = trouble();
        return trouble == null
                ? refused
                : new StoreFailure(refused.effect(), refused.reason(), refused.getMessage() + "; " + trouble, refused);
    }

    private @Nullable String trouble() {
        Deadline begun = patience;
        return begun == null || begun.leftNanos() > 0 ? failure : SILENT;
    }

    /** Waits until a question that begins now is answered. */
    private void await(Deadline patience) {
        CountDownLatch answered = next;
        asking.wake();
        boolean unused = Uninterrupted.await(patience, left -> answered.await(left, TimeUnit.NANOSECONDS));
    }

    // ---- the thread that asks ------------------------------------------------------------------------------------

    private void ask() {
        CountDownLatch answered = next;
        next = new CountDownLatch(1);
        patience = Deadline.in(PATIENCE_NANOS);
        question();
        patience = null;
        answered.countDown();
        UserPassword newest = last;
        if (newest != null) {
            for (Predicate<UserPassword> user : users) {
                if (!user.test(newest)) {
                    held = null;
                }
            }
        }
    }

    /** Asks the provider, which may throw anything. */
    private void question() {
        try {
            last = given();
            failure = null;
        } catch (Exception | Error failed) {
            // While there are no credentials at all, connecting fails and says why.
            boolean isTold = failure != null || last == null;
            String why = words(failed);
            failure = PROVIDER + " failed (" + why + ')';
            if (!isTold) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the provider of credentials for Redis at " + target + " failed (" + why
                                + "): connections keep those that it gave before, and it is asked again");
            }
        }
    }

    private UserPassword given() {
        Supplier<RedisCredentials> provider =
                Objects.requireNonNull(source, "fixed").get();
        RedisCredentialsProvider prepared = provider instanceof RedisCredentialsProvider jedis ? jedis : null;
        if (prepared != null) {
            prepared.prepare();
        }
        try {
            RedisCredentials given = Objects.requireNonNull(provider.get(), "it returned null");
            held = given;
            return UserPassword.copyOf(given);
        } finally {
            if (prepared != null) {
                prepared.cleanUp();
            }
        }
    }

    private String words(Throwable failed) {
        UserPassword known = last;
        String words = failed.toString();
        String safe = known == null ? words : known.without(words);
        return safe.length() <= MOST_WORDS ? safe : safe.substring(0, MOST_WORDS) + '…';
    }

    @Override
    public void close() {
        asking.close();
    }
}
