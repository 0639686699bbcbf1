package dev.baton.spring;

import java.lang.reflect.Method;
import java.util.List;

/**
 * Tells the names of the locks of a {@link Locked} method, where an expression would be too long. A bean of the application,
 * named by {@link Locked#names}. Must be thread-safe.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockNameResolver {
    /**
     * Returns the names of the locks for a call.
     *
     * @param method that was called
     * @param arguments of the call
     * @return at least one name, and none that is blank
     */
    List<String> names(Method method, Object[] arguments);
}
