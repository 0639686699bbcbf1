package dev.baton.spring.internal;

import dev.baton.spring.ClusterScheduled;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods that are jobs when their beans are created, after all proxies, and checks them. */
public final class ClusterScheduledMethods implements BeanPostProcessor, ApplicationContextAware, Ordered {
    private @Nullable RunningJobs jobs;
    private @Nullable JobPlans plans;

    /** Creates the processor. */
    public ClusterScheduledMethods() {}

    @Override
    public void setApplicationContext(ApplicationContext context) {
        jobs = new RunningJobs(context);
        plans = new JobPlans(
                ((ConfigurableApplicationContext) context).getBeanFactory(),
                Instant.ofEpochMilli(context.getStartupDate()));
    }

    /**
     * Returns the jobs that were found; those of beans to come are added.
     *
     * @return the jobs
     */
    public RunningJobs jobs() {
        return Objects.requireNonNull(jobs, "no application context");
    }

    /** After the processors that make proxies, as that of {@code @Scheduled}. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /**
     * Returns whether a class has such methods.
     *
     * @param type the class
     */
    public static boolean areIn(Class<?> type) {
        return !methods(type).isEmpty();
    }

    private static Map<Method, ClusterScheduled> methods(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, ClusterScheduled.class)) {
            return Map.of();
        }
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<ClusterScheduled>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, ClusterScheduled.class));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        methods(AopProxyUtils.ultimateTargetClass(bean)).forEach((method, annotation) -> {
            JobPlan plan = Objects.requireNonNull(plans).of(method, annotation, bean, beanName);
            if (plan != null) {
                jobs().add(plan);
            }
        });
        return bean;
    }
}
