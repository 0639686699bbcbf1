package dev.baton.spring;

import dev.baton.JobOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method of a Spring bean at times, on one of all machines that have the application: for each fire time at most one
 * successful run is recorded, and at most one machine at a time believes that it runs ({@link dev.baton.Job}).
 *
 * <pre>{@code
 * @ClusterScheduled(name = "nightly-mail", cron = "0 0 3 * * *", zone = "Europe/Berlin", atMost = "2h")
 * public void send(Job.Run run) { … }
 * }</pre>
 *
 * <p><strong>The method may begin twice for one fire time</strong>, if its machine dies before the outcome is recorded, unless
 * {@link #afterDeath} forbids that. It should be idempotent, or fence its writes by the token of {@link dev.baton.Job.Run#lease}.
 *
 * <p><b>Method.</b> It takes nothing, or one {@link dev.baton.Job.Run}, which has the fire time, the number of the attempt, and
 * the lease. It is called through the bean's proxy, so {@code @Transactional} and {@link Locked} apply. Its result is ignored; an
 * exception is recorded as the outcome of the run, and the schedule goes on. What cannot work keeps the application from starting,
 * with the reason: private and static methods, other parameters, results such as futures, whose end a run would not await.
 *
 * <p><b>Begin and end.</b> Schedules begin when the context has started. When it closes, no other run begins, and one that works
 * is awaited for {@code baton.jobs.await-termination}, and then interrupted.
 *
 * <p>The texts may contain placeholders, such as {@code ${app.cron}}, and expressions in <code>#{…}</code>. Times are written as
 * {@code 500ms}, {@code 10s}, {@code 5m} or {@code PT10S}.
 *
 * @since 0.1
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface ClusterScheduled {
    /**
     * Returns the name of the job. All machines know the job by it, and its record outlives the application: a name that is
     * derived from the class would begin a new record when that is renamed, so there is no default.
     *
     * @return the name; the jobs of one client have different names
     */
    String name();

    /**
     * Returns when the job is due, as a cron expression of Spring.
     *
     * @return six fields, from seconds to days of the week, or a macro as {@code @daily}; {@code -} for never; empty if {@link
     *     #every} says it
     */
    String cron() default "";

    /**
     * Returns the time zone of the cron expression.
     *
     * @return an identifier as {@code Europe/Berlin}; empty for the zone of the JVM, which has to be the same on all machines
     */
    String zone() default "";

    /**
     * Returns the period of a job that is due at the multiples of a time since 1970-01-01T00:00Z, so that all machines agree on
     * them.
     *
     * @return a time of at least a second; {@code -} for never; empty if {@link #cron} says when
     */
    String every() default "";

    /**
     * Returns what happens with fire times that have passed while no machine could run the job.
     *
     * @return the policy
     */
    JobOptions.CatchUp catchUp() default JobOptions.CatchUp.ONE;

    /**
     * Returns what follows if a machine dies during a run.
     *
     * @return the policy
     */
    JobOptions.AfterDeath afterDeath() default JobOptions.AfterDeath.RERUN;

    /**
     * Returns how long the job is kept from all machines from the start of a run.
     *
     * @return a time, not longer than {@link #atMost} or the shortest time between two fire times; empty for none
     */
    String atLeast() default "";

    /**
     * Returns how long a run may take until it is interrupted, and recorded as failed.
     *
     * @return a time; empty for no limit
     */
    String atMost() default "";

    /**
     * Returns the client that has the job, if there are several.
     *
     * @return the name of a {@link dev.baton.Baton} bean; empty for the primary one
     */
    String baton() default "";
}
