package dev.baton.spring.internal;

import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.spring.Locked;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.ParseException;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The plans of all locked methods. Each is made when its bean is, so that a mistake keeps the application from starting. */
final class Plans {
    private static final ClassLoader LOADER = Plans.class.getClassLoader();
    private static final boolean HAS_FENCES = ClassUtils.isPresent("dev.baton.jdbc.Fence", LOADER)
            && ClassUtils.isPresent("org.springframework.jdbc.datasource.ConnectionHolder", LOADER);

    private final ConfigurableBeanFactory beans;
    private final String usualWait;
    private final Map<Key, Plan> plans = new ConcurrentHashMap<>();

    /** A method as a class has it: what {@code otherwise} names may be another method in another class. */
    private record Key(Method method, Class<?> type) {}

    /**
     * Creates an empty collection.
     *
     * @param usualWait how long callers wait where the annotation does not say it
     */
    Plans(ConfigurableBeanFactory beans, String usualWait) {
        this.beans = beans;
        this.usualWait = usualWait;
    }

    /** Returns the annotation of a method, or of the same method in an interface or a superclass. */
    static @Nullable Locked annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
    }

    /** Returns the plan of a method that has the annotation. */
    Plan of(Method method, Class<?> type) {
        // A bean that is a proxy itself, as a repository, has its methods in its interfaces.
        Method specific = Proxy.isProxyClass(type) ? method : AopUtils.getMostSpecificMethod(method, type);
        return plans.computeIfAbsent(new Key(specific, type), unknown -> checked(specific, type));
    }

    /**
     * Checks all locked methods of a class.
     *
     * @throws IllegalStateException if one cannot work; the message says why
     */
    void check(Class<?> type) {
        Class<?>[] declaring = Proxy.isProxyClass(type) ? type.getInterfaces() : new Class<?>[] {type};
        for (Class<?> each : declaring) {
            ReflectionUtils.doWithMethods(each, method -> {
                if (!method.isBridge() && !method.isSynthetic() && annotation(method) != null) {
                    Plan unused = of(method, type);
                }
            });
        }
    }

    private Plan checked(Method method, Class<?> type) {
        try {
            return plan(method, type);
        } catch (IllegalArgumentException | ParseException wrong) {
            throw new IllegalStateException("@Locked on " + LockNames.text(method) + ' ' + wrong.getMessage(), wrong);
        }
    }

    private Plan plan(Method method, Class<?> type) {
        Locked locked = Objects.requireNonNull(annotation(method), "no annotation");
        if (!Proxy.isProxyClass(type)) {
            requireProxied(method, type);
        }
        LockNames names = new LockNames(beans, method, locked.value(), locked.names());
        Plan.Shape shape = shape(method, type);
        requireKind(locked, names);
        require(
                !locked.fence() || HAS_FENCES,
                "cannot raise a fence: that needs baton-jdbc and spring-jdbc on the class path");
        require(
                !locked.fence() || shape == Plan.Shape.BLOCKING,
                "cannot raise a fence: its method does not end when it returns, but transactions of a thread do");
        require(
                !locked.fence() || locked.kind() == Locked.Kind.LOCK || locked.kind() == Locked.Kind.WRITE,
                "cannot raise a fence: others hold a " + locked.kind()
                        + " at the same time, so its tokens order nothing");
        require(
                !locked.fence() || names.count() <= 1,
                "cannot raise a fence for several names: each has a token of its own; raise them in the method");
        return new Plan(
                method,
                locked,
                names,
                options(locked),
                time("waitFor", locked.waitFor().isEmpty() ? usualWait : locked.waitFor()),
                shape,
                Arrays.asList(method.getParameterTypes()).indexOf(Lease.class),
                otherwise(method, locked, type));
    }

    /** Methods that a proxy cannot override would silently run without the lock. */
    private static void requireProxied(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        require(!Modifier.isPrivate(modifiers), "does nothing: no proxy can call a private method");
        require(!Modifier.isStatic(modifiers), "does nothing: no proxy can call a static method");
        require(
                !Modifier.isFinal(modifiers),
                "does nothing: a proxy cannot override a final method (in Kotlin, use the Spring plugin or open)");
        require(
                !Modifier.isFinal(type.getModifiers()) || type.getInterfaces().length > 0 || type.isRecord(),
                "does nothing: a proxy cannot extend the final class " + type.getSimpleName());
    }

    private static void requireKind(Locked locked, LockNames names) {
        boolean counted = locked.kind() == Locked.Kind.SEMAPHORE;
        require(!counted || locked.capacity() >= 1, "has to say the capacity of its semaphore");
        require(
                counted || (locked.capacity() == 0 && locked.permits() == 1),
                "has permits or a capacity without a semaphore");
        require(
                locked.permits() >= 1 && (!counted || locked.permits() <= locked.capacity()),
                "asks for " + locked.permits() + " of " + locked.capacity() + " permits");
        require(
                locked.kind() == Locked.Kind.LOCK || names.count() <= 1,
                "has several names, which only a LOCK may have");
    }

    private LockOptions options(Locked locked) {
        LockOptions options = LockOptions.defaults();
        Duration limit = null;
        if (!locked.lease().isEmpty()) {
            limit = time("lease", locked.lease());
            options = options.withLeaseTime(limit);
        }
        if (!locked.atMost().isEmpty()) {
            Duration most = time("atMost", locked.atMost());
            limit = limit == null || most.compareTo(limit) < 0 ? most : limit;
            options = options.withMaxHold(most);
        }
        if (!locked.atLeast().isEmpty()) {
            Duration least = time("atLeast", locked.atLeast());
            require(
                    limit == null || least.compareTo(limit) <= 0,
                    "keeps its lock for at least " + least.toMillis() + " ms, but the lease ends after "
                            + (limit == null ? 0 : limit.toMillis()) + " ms: each run would fail");
            options = options.withAtLeast(least);
        }
        return options;
    }

    private Duration time(String what, String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return Times.of(what, text, resolved == null ? "" : resolved);
    }

    private static Plan.Shape shape(Method method, Class<?> bean) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return shapeOfSuspending(method);
        }
        // As the class has it: a superclass may leave it open.
        Class<?> type = ResolvableType.forMethodReturnType(method, bean).resolve(method.getReturnType());
        if (CompletionStage.class.isAssignableFrom(type)) {
            require(
                    type.isAssignableFrom(CompletableFuture.class),
                    "returns a " + type.getSimpleName() + ": use CompletableFuture or CompletionStage");
            return Plan.Shape.STAGE;
        }
        boolean reactive = Ends.isReactive(type);
        boolean subscribed = type.getName().matches("reactor\\..*|org\\.reactivestreams\\.Publisher");
        require(reactive || !subscribed, "needs reactor-core on the class path");
        require(
                reactive || !Ends.isUnnoticed(type),
                "returns a " + type.getSimpleName()
                        + ", whose end cannot be noticed: use CompletableFuture, or a type of Reactor");
        return reactive ? Plan.Shape.REACTIVE : Plan.Shape.BLOCKING;
    }

    private static Plan.Shape shapeOfSuspending(Method method) {
        require(
                ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", LOADER),
                "needs kotlinx-coroutines-reactor on the class path for a suspend function");
        require(
                !Ends.isReactive(new MethodParameter(method, -1).getParameterType()),
                "returns a flow from a suspend function: leave suspend out, so that the lock is held to the flow's end");
        return Plan.Shape.REACTIVE;
    }

    private static @Nullable Method otherwise(Method method, Locked locked, Class<?> type) {
        String name = locked.otherwise();
        if (name.isEmpty()) {
            return null;
        }
        Method found = ReflectionUtils.findMethod(type, name, method.getParameterTypes());
        Method instead = found != null ? found : ReflectionUtils.findMethod(type, name);
        require(
                instead != null && method.getReturnType().isAssignableFrom(instead.getReturnType()),
                "has no method \"" + name + "\" with the same return type and the same parameters, or none");
        ReflectionUtils.makeAccessible(instead);
        return instead;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
