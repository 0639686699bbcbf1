package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.spring.LockNotAvailableException;
import dev.baton.spring.Locked;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;

/**
 * The annotation of a locked method, read once. Immutable.
 *
 * @param method of the bean's class
 * @param locked the annotation
 * @param names of its locks
 * @param options of its locks
 * @param waitFor how long a caller waits
 * @param shape how its end is noticed
 * @param leaseParameter the position of the parameter for the lease; negative for none
 * @param otherwise the method to call if the lock is not to be had; null for an exception
 */
record Plan(
        Method method,
        Locked locked,
        LockNames names,
        LockOptions options,
        Duration waitFor,
        Shape shape,
        int leaseParameter,
        @Nullable Method otherwise) {
    /** How the end of a method is noticed. */
    enum Shape {
        /** It returns. */
        BLOCKING,
        /** It returns a future that is completed. */
        STAGE,
        /** It returns something that is subscribed to. */
        REACTIVE
    }

    /** Returns the client that has the locks. */
    Baton baton(ConfigurableBeanFactory beans) {
        return locked.baton().isEmpty() ? beans.getBean(Baton.class) : beans.getBean(locked.baton(), Baton.class);
    }

    /** Returns the lock for these names. */
    DistributedLock lock(Baton baton, List<String> wanted) {
        if (wanted.size() > 1) {
            return baton.allOf(wanted.toArray(String[]::new)).with(options);
        }
        String name = wanted.get(0);
        return switch (locked.kind()) {
            case LOCK -> baton.lock(name, options);
            case READ -> sides(baton, name).read();
            case WRITE -> sides(baton, name).write();
            case SEMAPHORE -> baton.semaphore(name, locked.capacity(), options).permits(locked.permits());
        };
    }

    private DistributedReadWriteLock sides(Baton baton, String name) {
        return baton.readWriteLock(name, options);
    }

    /** Calls the method, with the lease as argument if it has a parameter for it. */
    @Nullable
    Object proceed(MethodInvocation invocation, Lease lease) throws Throwable {
        if (leaseParameter >= 0) {
            @Nullable Object[] arguments = invocation.getArguments().clone();
            arguments[leaseParameter] = lease;
            setArguments((ProxyMethodInvocation) invocation, arguments);
        }
        return invocation.proceed();
    }

    @SuppressWarnings("NullAway") // arguments of a call may be null
    private static void setArguments(ProxyMethodInvocation invocation, @Nullable Object[] arguments) {
        invocation.setArguments(arguments);
    }

    /** Calls the method for this case. */
    @Nullable
    Object notAvailable(MethodInvocation invocation, List<String> wanted) throws Throwable {
        if (otherwise == null) {
            throw unavailable(wanted);
        }
        Object[] arguments = otherwise.getParameterCount() == 0 ? new Object[0] : invocation.getArguments();
        if (KotlinDetector.isSuspendingFunction(otherwise)) {
            return CoroutinesUtils.invokeSuspendingFunction(
                    otherwise, Objects.requireNonNull(invocation.getThis()), arguments);
        }
        try {
            return otherwise.invoke(invocation.getThis(), arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    LockNotAvailableException unavailable(List<String> wanted) {
        return new LockNotAvailableException(wanted, waitFor, LockNames.text(method));
    }

    /** Whether the method declares an exception of a type. */
    boolean declares(Class<? extends Throwable> type) {
        return Arrays.stream(method.getExceptionTypes()).anyMatch(each -> each.isAssignableFrom(type));
    }
}
