package dev.baton.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a Spring bean while its caller holds a lock.
 *
 * <pre>{@code
 * @Locked("stock:#{#sku}")
 * @Transactional
 * public void sell(String sku, Lease lease) { … }
 * }</pre>
 *
 * <p><b>Begin.</b> The lock is acquired on the caller's thread, before a transaction that the method begins, whatever the
 * order of the advisors is. A caller that does not get it gets a {@link LockNotAvailableException}, or what {@link #otherwise}
 * returns; the method never runs without the lock. A {@code Mono} or {@code Flux} acquires it at each subscription, without
 * blocking a thread.
 *
 * <p><b>End.</b> The lock is released when the method returns or throws; for a {@code CompletionStage}, when it is complete or
 * cancelled; for a {@code Mono}, {@code Flux} or Kotlin {@code suspend} function, when it has ended or was cancelled. If a
 * transaction was active at the call already, the lock is held until that has committed or rolled back: others would
 * otherwise read uncommitted data. It rolls back if the lease is lost before.
 *
 * <p><b>Loss.</b> If the lease is lost while the method runs, the caller gets a {@link dev.baton.LeaseLostException} in place
 * of the result, though the method has done its work; an exception of the method comes through, with the loss suppressed in it. A
 * parameter of type {@link dev.baton.Lease} receives the lease, for its token or {@code isHeld}; callers pass {@code null}.
 *
 * <p>Calls of a bean to its own methods do not pass the proxy, and are not locked: as with {@code @Transactional}. What cannot
 * work keeps the application from starting, with the reason: private, static and final methods, names that do not parse, times
 * that contradict each other.
 *
 * <p>All times are texts as {@code 500ms}, {@code 10s}, {@code 5m} or {@code PT10S}, and may be placeholders such as
 * {@code ${app.wait}}.
 *
 * @since 0.1
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {
    /** The kinds of locks. */
    enum Kind {
        /** A lock: one holder. */
        LOCK,
        /** The reading side of a read-write lock. */
        READ,
        /** The writing side of a read-write lock. */
        WRITE,
        /** {@link Locked#permits} of the {@link Locked#capacity} permits of a semaphore. */
        SEMAPHORE
    }

    /**
     * Returns the names. Several are acquired together, all or none, and only as {@link Kind#LOCK}.
     *
     * @return texts with expressions in <code>#{…}</code>, which see the arguments by name ({@code #sku}, if the class was
     *     compiled with {@code -parameters}) or position ({@code #p0}), {@code #root.target}, {@code #root.method}, and beans
     *     as {@code @name}; and placeholders in <code>${…}</code>. An expression that is null or blank is an error: all
     *     callers would otherwise share one lock. Empty if a {@link #names resolver} tells the name
     */
    String[] value() default {};

    /**
     * Returns the bean that tells the names.
     *
     * @return the name of a {@link LockNameResolver} bean; empty for none
     */
    String names() default "";

    /**
     * Returns the kind of the lock.
     *
     * @return the kind
     */
    Kind kind() default Kind.LOCK;

    /**
     * Returns how many permits of a semaphore the method takes.
     *
     * @return at least 1
     */
    int permits() default 1;

    /**
     * Returns how many permits the semaphore has; all clients have to say the same number.
     *
     * @return at least {@link #permits}; needed for {@link Kind#SEMAPHORE}, and only there
     */
    int capacity() default 0;

    /**
     * Returns how long a caller waits for the lock.
     *
     * @return a time; {@code 0} to try once; empty for {@code baton.locked.wait-for}, which is 10 s by default
     */
    String waitFor() default "";

    /**
     * Returns the lease time, if it shall not be renewed.
     *
     * @return a time, after which the lock ends even if the method still runs; empty for a lease that is renewed
     */
    String lease() default "";

    /**
     * Returns how long the lock may be held, though it is renewed.
     *
     * @return a time; empty for no limit
     */
    String atMost() default "";

    /**
     * Returns how long the lock stays taken, even if the method ends sooner. For scheduled methods on several nodes, whose
     * clocks differ.
     *
     * @return a time; empty for none
     */
    String atLeast() default "";

    /**
     * Returns the method that answers a caller who does not get the lock in time.
     *
     * @return the name of a method of the same class with the same return type, and the same parameters or none; empty for a
     *     {@link LockNotAvailableException}
     */
    String otherwise() default "";

    /**
     * Returns whether each transaction of the method raises the fence of the lock before its first statement, on the
     * transaction's own connection ({@link dev.baton.jdbc.Fence}): a holder that was overtaken is then refused by the
     * database. The method has to run in a transaction.
     *
     * @return whether it does
     */
    boolean fence() default false;

    /**
     * Returns the client that has the locks, if there are several.
     *
     * @return the name of a {@link dev.baton.Baton} bean; empty for the primary one
     */
    String baton() default "";
}
