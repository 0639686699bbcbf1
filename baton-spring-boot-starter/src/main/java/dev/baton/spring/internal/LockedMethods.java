package dev.baton.spring.internal;

import dev.baton.spring.Locked;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.util.ClassUtils;

/**
 * Gives beans with locked methods their advice: the lock outside all other advice, so that no transaction begins before it,
 * whatever order that has; and the fence innermost. Checks the methods when their bean is created.
 */
public final class LockedMethods {
    private LockedMethods() {}

    /** The methods with the annotation, in a class, its superclasses or interfaces. */
    private static final class Pointcut extends StaticMethodMatcherPointcut {
        private final boolean fencedOnly;

        Pointcut(boolean fencedOnly) {
            this.fencedOnly = fencedOnly;
        }

        @Override
        public boolean matches(java.lang.reflect.Method method, Class<?> type) {
            Locked locked = Plans.annotation(AopUtils.getMostSpecificMethod(method, type));
            return locked != null && (!fencedOnly || locked.fence());
        }
    }

    private abstract static class Processor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
        private static final long serialVersionUID = 1L;

        Processor(boolean outside, Environment environment) {
            setBeforeExistingAdvisors(outside);
            setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
            // Before the one of asynchronous methods, so that their threads hold the locks, and not their callers.
            setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        }
    }

    /** The lock. */
    public static final class Outside extends Processor {
        private static final long serialVersionUID = 1L;

        private final String usualWait;
        private transient @Nullable Plans plans;

        /**
         * Creates the processor.
         *
         * @param environment tells how proxies are made, and how long callers wait where the annotation does not say it
         */
        public Outside(Environment environment) {
            super(true, environment);
            this.usualWait = environment.getProperty("baton.locked.wait-for", "10s");
        }

        @Override
        public void setBeanFactory(BeanFactory beanFactory) {
            super.setBeanFactory(beanFactory);
            ConfigurableListableBeanFactory beans = (ConfigurableListableBeanFactory) beanFactory;
            Plans checked = new Plans(beans, usualWait);
            plans = checked;
            advisor = new DefaultPointcutAdvisor(new Pointcut(false), new LockedInterceptor(beans, checked));
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
            if (plans != null && AnnotationUtils.isCandidateClass(type, Locked.class)) {
                plans.check(type);
            }
            Object processed = super.postProcessAfterInitialization(bean, beanName);
            if (processed instanceof Advised proxy && !proxy.isFrozen()) {
                letAsyncBeOutside(proxy);
            }
            return processed;
        }

        /** If its order says that it comes first, it would be inside: its callers would hold the lock, and not its threads. */
        private void letAsyncBeOutside(Advised proxy) {
            int own = proxy.indexOf(Objects.requireNonNull(advisor));
            for (Advisor each : proxy.getAdvisors()) {
                if (each instanceof AsyncAnnotationAdvisor && own >= 0 && proxy.indexOf(each) > own) {
                    proxy.removeAdvisor(each);
                    proxy.addAdvisor(0, each);
                    return;
                }
            }
        }
    }

    /** The fence. */
    public static final class Inside extends Processor {
        private static final long serialVersionUID = 1L;

        /**
         * Creates the processor.
         *
         * @param environment tells how proxies are made
         */
        public Inside(Environment environment) {
            super(false, environment);
            advisor = new DefaultPointcutAdvisor(new Pointcut(true), new FenceInterceptor());
        }
    }
}
