package dev.baton.spring.internal;

import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Schedule;
import dev.baton.spring.ClusterScheduled;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/** Reads the annotations of methods that are jobs, and refuses what cannot work. Immutable. */
final class JobPlans {
    private static final String NEVER = Scheduled.CRON_DISABLED;

    private final ConfigurableBeanFactory beans;
    private final StringValueResolver texts;
    private final Instant now;

    /**
     * Creates a reader.
     *
     * @param now after which schedules must have fire times
     */
    JobPlans(ConfigurableBeanFactory beans, Instant now) {
        this.beans = beans;
        this.texts = new EmbeddedValueResolver(beans);
        this.now = now;
    }

    /**
     * Returns the plan of a method.
     *
     * @param method of the bean's own class
     * @return null if it shall never run
     * @throws IllegalStateException if it cannot work; the message says what to change
     */
    @Nullable
    JobPlan of(Method method, ClusterScheduled annotation, Object bean, String beanName) {
        String source = LockNames.text(method) + " of the bean \"" + beanName + '"';
        try {
            requireOneBean(beanName);
            requireCallable(method, AopUtils.getTargetClass(bean));
            JobOptions options = options(annotation);
            String name = name(annotation);
            Schedule schedule = schedule(annotation);
            if (schedule == null) {
                return null;
            }
            requireFit(options, schedule);
            return new JobPlan(name, annotation.baton(), options, schedule, bean, callable(method, bean), source);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalStateException("@ClusterScheduled on " + source + ' ' + wrong.getMessage(), wrong);
        }
    }

    // ---- the method ----------------------------------------------------------------------------------------------

    /** A prototype has many instances, of which each fire time would reach any one. Inner beans are not in the factory. */
    private void requireOneBean(String beanName) {
        require(
                !beans.containsBean(beanName) || beans.isSingleton(beanName),
                "cannot choose an instance: its bean is not a singleton; move the method to one");
    }

    private static void requireCallable(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        require(!Modifier.isPrivate(modifiers), "cannot be called: a private method has no advice; make it visible");
        require(
                !Modifier.isStatic(modifiers),
                "cannot be called: a static method is not one of the bean; leave out static");
        Class<?>[] parameters = method.getParameterTypes();
        require(
                !Ends.isLater(method, type),
                "returns before its work is over, and that would count as its end: wait for it in the method");
        require(
                parameters.length == 0 || (parameters.length == 1 && parameters[0] == Job.Run.class),
                "has parameters that a run does not know: take none, or one dev.baton.Job.Run");
        require(
                !AnnotatedElementUtils.hasAnnotation(method, Scheduled.class),
                "is @Scheduled as well, which runs it on every machine: leave that out");
        require(
                !AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        && !AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class),
                "is @Async as well, so its work would go on after its run: leave that out");
    }

    /** Returns the method as the bean's proxy has it. */
    private static Method callable(Method method, Object bean) {
        Method found;
        try {
            found = AopUtils.selectInvocableMethod(method, bean.getClass());
        } catch (IllegalStateException notInTheProxy) {
            throw new IllegalArgumentException("cannot be called: " + notInTheProxy.getMessage(), notInTheProxy);
        }
        require(
                !Modifier.isFinal(found.getModifiers()) || !AopUtils.isCglibProxy(bean),
                "cannot be called: the bean's proxy cannot override a final method (in Kotlin, use the Spring plugin or open)");
        ReflectionUtils.makeAccessible(found);
        return found;
    }

    // ---- the annotation ------------------------------------------------------------------------------------------

    private String name(ClusterScheduled annotation) {
        String name = text("name", annotation.name());
        require(!name.isBlank(), "has an empty name: say one by which all machines know the job");
        return name;
    }

    private @Nullable Schedule schedule(ClusterScheduled annotation) {
        String cron = text("cron", annotation.cron());
        String every = text("every", annotation.every());
        String zone = text("zone", annotation.zone());
        require(cron.isEmpty() || every.isEmpty(), "has both cron and every: leave one of them out");
        require(
                !cron.isEmpty() || !every.isEmpty(),
                "has neither cron nor every: say when it is due, or \"-\" for never");
        require(zone.isEmpty() || every.isEmpty(), "has a zone, which every does not use: leave zone out");
        if (cron.equals(NEVER) || every.equals(NEVER)) {
            return null;
        }
        return cron.isEmpty() ? every(annotation, every) : CronSchedule.of(cron, zone);
    }

    private static Schedule every(ClusterScheduled annotation, String every) {
        Duration period = Times.of("every", annotation.every(), every);
        try {
            return Schedule.every(period);
        } catch (IllegalArgumentException tooShort) {
            throw new IllegalArgumentException("cannot use every: " + tooShort.getMessage(), tooShort);
        }
    }

    private JobOptions options(ClusterScheduled annotation) {
        JobOptions options =
                JobOptions.defaults().withCatchUp(annotation.catchUp()).withAfterDeath(annotation.afterDeath());
        String atMost = text("atMost", annotation.atMost());
        String atLeast = text("atLeast", annotation.atLeast());
        Duration most = atMost.isEmpty() ? null : Times.of("atMost", annotation.atMost(), atMost);
        Duration least = atLeast.isEmpty() ? Duration.ZERO : Times.of("atLeast", annotation.atLeast(), atLeast);
        try {
            return (most == null ? options : options.withAtMost(most)).withAtLeast(least);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("has times that cannot be: " + wrong.getMessage(), wrong);
        }
    }

    private void requireFit(JobOptions options, Schedule schedule) {
        try {
            options.check(schedule, now);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("cannot be scheduled: " + wrong.getMessage(), wrong);
        }
    }

    /** A context whose placeholders are not strict leaves an unknown one as it is. */
    private String text(String attribute, String text) {
        String resolved;
        try {
            resolved = texts.resolveStringValue(text);
        } catch (IllegalArgumentException unknown) {
            throw unresolved(attribute, text, unknown);
        }
        if (resolved != null && resolved.contains("${")) {
            throw unresolved(attribute, text, null);
        }
        return resolved == null ? "" : resolved;
    }

    private static IllegalArgumentException unresolved(String attribute, String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "has a placeholder in " + attribute + " that nothing resolves: \"" + text + "\"; set the property",
                cause);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
