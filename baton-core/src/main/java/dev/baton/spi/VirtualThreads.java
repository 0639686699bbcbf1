package dev.baton.spi;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Whether a thread is virtual, on JDKs that have such threads. A store that speaks over a socket must not do so on one: the
 * JDK closes the socket under a virtual thread that is interrupted, and stores ignore interrupts.
 */
public final class VirtualThreads {
    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    /**
     * Whether a thread is virtual.
     *
     * @param thread any
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
