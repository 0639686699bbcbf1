package dev.baton.internal.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Detects virtual threads, on JDKs that have them. A store must not use a socket on a virtual thread: if that thread is
 * interrupted, the JDK closes the socket, but stores ignore interrupts. {@link Elsewhere} moves calls off them.
 */
public final class VirtualThreads {
    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    /**
     * Returns whether a thread is virtual.
     *
     * @param thread any thread
     * @return false on a JDK without virtual threads
     */
    public static boolean isVirtual(Thread thread) {
        MethodHandle question = IS_VIRTUAL;
        if (question == null) {
            return false;
        }
        try {
            return (boolean) question.invokeExact(thread);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException olderJdk) {
            return null;
        }
    }
}
