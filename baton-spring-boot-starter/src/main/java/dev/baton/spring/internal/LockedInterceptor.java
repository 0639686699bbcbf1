package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.spring.LockNotAvailableException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.ClassUtils;

/** Acquires the lock, calls the method, and has the lock released at the end that the method's shape and transaction give. */
final class LockedInterceptor implements MethodInterceptor {
    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            LockedInterceptor.class.getClassLoader());

    private final ConfigurableBeanFactory beans;
    private final Plans plans;
    private final Observations observations;

    LockedInterceptor(ConfigurableBeanFactory beans, Plans plans) {
        this.beans = beans;
        this.plans = plans;
        this.observations = new Observations(beans);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Class<?> type = invocation.getThis() == null
                ? invocation.getMethod().getDeclaringClass()
                : invocation.getThis().getClass();
        Plan plan = plans.of(invocation.getMethod(), type);
        List<String> names = plan.names().of(invocation.getThis(), invocation.getArguments());
        Baton baton = plan.baton(beans);
        Lease own = plan.shape() == Plan.Shape.BLOCKING ? Inside.leaseFor(plan, baton, names) : null;
        Call call = new Call(invocation, plan, baton, names, plan.lock(baton, names), observations);
        if (own != null) {
            return call.proceed(own);
        }
        return switch (plan.shape()) {
            case BLOCKING -> blocking(call);
            case STAGE -> stage(call);
            case REACTIVE -> ReactiveCall.of(call);
        };
    }

    private static @Nullable Object blocking(Call call) throws Throwable {
        Taken taken = acquire(call);
        if (taken == null) {
            return call.notAvailable();
        }
        if (HAS_TRANSACTIONS && TransactionHold.until(call, taken)) {
            return requireEnded(call, call.proceed(taken));
        }
        return requireEnded(call, under(call, taken));
    }

    /** A result may go on after the method has returned, if its type is hidden behind another. */
    private static @Nullable Object requireEnded(Call call, @Nullable Object result) {
        if (result != null && Ends.isHiddenLater(call.plan().method(), result)) {
            throw new IllegalStateException(
                    "@Locked on " + LockNames.text(call.plan().method()) + " has returned a "
                            + result.getClass().getSimpleName()
                            + ", which goes on without the lock: declare that type, so that the lock is held to its end");
        }
        return result;
    }

    /** The lease is over on return. Its loss replaces the result; an exception of the method has it as suppressed. */
    private static @Nullable Object under(Call call, Taken taken) throws Throwable {
        Object result;
        try {
            result = call.proceed(taken);
        } catch (Throwable thrown) {
            LeaseLostException lost = taken.end();
            if (lost != null) {
                thrown.addSuppressed(lost);
            }
            throw thrown;
        }
        LeaseLostException lost = taken.end();
        if (lost != null) {
            throw lost;
        }
        return result;
    }

    /** Waits on the caller's thread; null if others hold it for too long. */
    private static @Nullable Taken acquire(Call call) throws InterruptedException {
        try {
            return call.acquire();
        } catch (InterruptedException interrupted) {
            if (call.plan().declares(InterruptedException.class)) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            LockNotAvailableException failure = call.plan().unavailable(call.names());
            failure.initCause(interrupted);
            throw failure;
        }
    }

    /** Waits and begins on the caller's thread, as the method would without a lock; ends with its stage. */
    private static @Nullable Object stage(Call call) throws Throwable {
        Taken taken = acquire(call);
        if (taken == null) {
            return call.notAvailable();
        }
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) call.proceed(taken);
        } catch (Throwable thrown) {
            taken.close();
            throw thrown;
        }
        if (stage == null) {
            taken.close();
            return null;
        }
        return HAS_TRANSACTIONS ? TransactionHold.both(call, stage, taken) : Call.ended(stage, taken);
    }
}
