package dev.baton.spring.internal;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Which results go on after their method has returned. */
final class Ends {
    private static final ClassLoader LOADER = Ends.class.getClassLoader();

    /** Results that something else runs or reads after the method has returned, without a word to it. */
    private static final List<String> UNNOTICED = List.of(
            "java.util.concurrent.Callable",
            "java.util.concurrent.Future",
            "java.util.concurrent.Flow$Publisher",
            "java.util.stream.BaseStream",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private Ends() {}

    /** Returns whether the end of what has this type cannot be noticed. */
    static boolean isUnnoticed(Class<?> type) {
        return UNNOTICED.stream().anyMatch(name -> isA(type, name));
    }

    private static boolean isA(Class<?> type, String name) {
        return ClassUtils.isPresent(name, LOADER)
                && ClassUtils.resolveClassName(name, LOADER).isAssignableFrom(type);
    }

    /** Returns whether what has this type is subscribed to. */
    static boolean isReactive(Class<?> type) {
        return type != Object.class
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /** Returns whether a method of a bean is not over when it returns. */
    static boolean isLater(Method method, Class<?> bean) {
        Class<?> type = ResolvableType.forMethodReturnType(method, bean).resolve(method.getReturnType());
        return KotlinDetector.isSuspendingFunction(method)
                || CompletionStage.class.isAssignableFrom(type)
                || isReactive(type)
                || isUnnoticed(type);
    }

    /** Returns whether a result goes on, though the type that its method declares does not say so. */
    static boolean isHiddenLater(Method method, @Nullable Object result) {
        return method.getReturnType() == Object.class
                && result != null
                && (result instanceof Future
                        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result) != null);
    }
}
