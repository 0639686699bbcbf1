package dev.baton.cli.run;

import dev.baton.cli.ExitCode;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Signals that are sent to this process while a command runs: they are the command's.
 *
 * <p>Java has no other way to hear of signals than {@code sun.misc.Signal}, of module {@code jdk.unsupported}; javac warns
 * of each use and cannot be told not to, so it is reached by reflection.
 */
final class Signals {
    /** Those that mean something to programs. What was ignored at the start stays so, in the command as well. */
    private static final List<String> HANDED_ON = List.of("INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "ALRM");

    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private final Class<?> handlerType;
    private final Constructor<?> constructor;
    private final Method handle;
    private final Method getNumber;

    Signals() {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            handlerType = Class.forName("sun.misc.SignalHandler");
            constructor = signalType.getConstructor(String.class);
            handle = signalType.getMethod("handle", signalType, handlerType);
            getNumber = signalType.getMethod("getNumber");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java cannot hear of signals: it lacks the module jdk.unsupported", e);
        }
    }

    /** From now on signals do not end this process. */
    void take(Consumer<String> receiver) {
        for (String name : HANDED_ON) {
            Object signal = signal(name);
            if (signal != null) {
                on(signal, () -> {
                    received.add(name);
                    receiver.accept(name);
                });
            }
        }
    }

    /**
     * Ends this process as the command ended, if a signal was sent to both: a shell that runs a script stops at Ctrl-C
     * only if the program that it started died of it.
     *
     * @param exitCode 128 + the signal's number, or anything else, which does nothing
     */
    void dieLike(int exitCode) throws InterruptedException {
        for (String name : List.of("INT", "TERM", "HUP")) {
            Object signal = received.contains(name) ? signal(name) : null;
            if (signal != null && exitCode == ExitCode.SIGNALLED + (int) call(getNumber, signal)) {
                dieOf(name, signal);
            }
        }
    }

    private void dieOf(String name, Object signal) throws InterruptedException {
        try {
            call(handle, null, signal, handlerType.getField("SIG_DFL").get(null));
            // Java raises no signal that it does not handle, and ends no process that is its own.
            new ProcessBuilder(
                            "kill",
                            "-s",
                            name,
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (ReflectiveOperationException | IOException unsupported) {
            // The exit code says the same.
        }
    }

    /** Null if the system has none of that name. */
    private @Nullable Object signal(String name) {
        try {
            return constructor.newInstance(name);
        } catch (InvocationTargetException unknown) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void on(Object signal, Runnable action) {
        Object handler = Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == handlerType) {
                        action.run();
                        return null;
                    }
                    // Of Object's methods the JDK uses none but in error messages.
                    return method.getName().equals("toString") ? "handler" : method.invoke(action, arguments);
                });
        try {
            call(handle, null, signal, handler);
        } catch (IllegalArgumentException reserved) {
            // The JVM keeps it for itself.
        }
    }

    private static Object call(Method method, @Nullable Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
