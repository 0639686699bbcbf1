package dev.baton.spring.integration;

import dev.baton.Baton;
import dev.baton.LockOptions;
import dev.baton.ReentrantDistributedLock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.util.ClassUtils;

/**
 * Keeps the locks of Spring Integration in any store of Baton, for Spring Integration 6.5 and 7.
 *
 * <pre>{@code
 * @Bean
 * LockRegistry<?> lockRegistry(Baton baton) {          // in Spring Integration 6.5: LockRegistry
 *     return new BatonLockRegistry(baton);
 * }
 * }</pre>
 *
 * <p>A lock is owned by the thread that locked it, and re-entrant. Its lease is renewed for as long as the process lives,
 * unless {@link #with} gives it a fixed time. Waiting threads get the lock in the order in which they asked. In Spring
 * Integration 7 each lock is a {@code DistributedLock}, whose time to live is a fixed time, too.
 *
 * <p>The locks throw what those of Spring Integration's own registries throw:
 *
 * <ul>
 *   <li>{@link java.util.ConcurrentModificationException} if the lease was lost: from the last {@code unlock}, and before
 *       that from each {@code lock} and {@code tryLock} of the same thread. Its cause is a {@link
 *       dev.baton.LeaseLostException}, unless only the store knew of the loss
 *   <li>{@link IllegalMonitorStateException} if another thread, or none, holds the lock that is unlocked
 *   <li>{@link org.springframework.dao.CannotAcquireLockException} if the store gives no answer, or the client is closed. A
 *       lock that another holds is {@code false} from {@code tryLock}
 *   <li>{@link UnsupportedOperationException} from {@code newCondition}
 * </ul>
 *
 * <p>An {@code unlock} while the store does not answer returns: the section was protected, and the client repeats the
 * release in the background.
 *
 * <p>The types of Spring Integration 7 have parameters which those of 6.5 lack, so this class names none: declare variables
 * as {@code LockRegistry<?>}, through which {@code executeLocked} has its types.
 *
 * <p>Immutable and thread-safe. The registry keeps no locks: its memory does not grow with the number of keys.
 *
 * @since 0.1
 */
@SuppressWarnings("rawtypes") // of 7: a class file with type arguments could not be read beside 6.5
public final class BatonLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {
    /** Whether locks have a time to live, as in Spring Integration 7. */
    private static final boolean DISTRIBUTED = ClassUtils.isPresent(
            "org.springframework.integration.support.locks.DistributedLock", BatonLockRegistry.class.getClassLoader());

    private final Baton baton;
    private final String prefix;
    private final LockOptions options;
    private final Holds holds;

    /**
     * Creates a registry whose keys are names of locks.
     *
     * @param baton the client, which this object does not close
     */
    public BatonLockRegistry(Baton baton) {
        this(Objects.requireNonNull(baton, "baton"), "", LockOptions.defaults());
    }

    private BatonLockRegistry(Baton baton, String prefix, LockOptions options) {
        this.baton = baton;
        this.prefix = prefix;
        this.options = options;
        this.holds = new Holds(baton);
    }

    /**
     * Returns a registry of the same client that puts a prefix before each key. Registries with different prefixes do not
     * exclude each other.
     *
     * @param newPrefix the prefix, instead of the present one; may be empty
     * @return another registry
     */
    public BatonLockRegistry withPrefix(String newPrefix) {
        return new BatonLockRegistry(baton, Objects.requireNonNull(newPrefix, "newPrefix"), options);
    }

    /**
     * Returns a registry of the same client whose locks are held with other options, for example interrupt the holder at a
     * loss. Actions before and after a hold do not run: they belong to {@link dev.baton.DistributedLock#run}.
     *
     * @param newOptions how to hold the locks
     * @return another registry
     */
    public BatonLockRegistry with(LockOptions newOptions) {
        return new BatonLockRegistry(baton, prefix, Objects.requireNonNull(newOptions, "newOptions"));
    }

    /**
     * Returns the lock whose name is the prefix and the key. It excludes {@link Baton#lock(String)} and {@link
     * Baton#reentrantLock(String)} of that name. Sends nothing to the store.
     *
     * <p>Locks of one client and one name are equal, but not the same object. A thread may lock one and unlock another.
     *
     * @param lockKey a {@link String}, as Spring Integration's registries for several nodes demand it: the text of another
     *     object may differ from node to node, and would then exclude no other node. The name has 1 to 1024 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the key is no string, or the name is empty or too long
     */
    @Override
    public Lock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private KeyLock lock(@Nullable Object lockKey) {
        if (!(lockKey instanceof String key)) {
            String found = lockKey == null ? "null" : "a " + lockKey.getClass().getName();
            throw new IllegalArgumentException("the key of a lock must be a String, but is " + found
                    + ": pass a text that is the same on all nodes");
        }
        ReentrantDistributedLock lock = baton.reentrantLock(prefix + key, options);
        Duration time = options.leaseTime().orElse(null);
        if (DISTRIBUTED) {
            return DistributedKeyLock.of(lock, time, holds);
        }
        return new KeyLock(lock, time, holds);
    }

    /**
     * Renews a lock that the current thread holds. If the lease has a fixed time, it lasts for that time from now on; else
     * the client renews it anyhow, and this method only checks that it is held.
     *
     * @param lockKey the key
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws IllegalStateException if the lock is lost, or {@code maxHold} ends it before
     * @throws org.springframework.dao.DataAccessResourceFailureException if the store did not answer in time
     */
    @Override
    public void renewLock(Object lockKey) {
        lock(lockKey).renew(null);
    }

    /**
     * Makes a lock that the current thread holds last for a time from now on; never shorter than without this call.
     *
     * @param lockKey the key
     * @param ttl the time; positive
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws IllegalStateException if the lock is lost, or {@code maxHold} ends it before
     * @throws org.springframework.dao.DataAccessResourceFailureException if the store did not answer in time
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        lock(lockKey).renew(Objects.requireNonNull(ttl, "ttl"));
    }

    /**
     * Does nothing: the client renews leases on a thread of its own.
     *
     * @param renewalTaskScheduler not used
     * @throws IllegalStateException if the options of this registry give leases a fixed time, which the client does not renew
     */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {
        if (options.leaseTime().isPresent()) {
            throw new IllegalStateException("the locks of this registry have a fixed lease time of "
                    + options.leaseTime().get() + ": leave out LockOptions.withLeaseTime, and they are renewed");
        }
    }

    /**
     * Does nothing: this registry keeps no locks that it could remove.
     *
     * @param age not used
     */
    @Override
    public void expireUnusedOlderThan(long age) {}

    @Override
    public String toString() {
        return "BatonLockRegistry[" + (prefix.isEmpty() ? "" : "prefix \"" + prefix + "\", ") + baton + ']';
    }
}
