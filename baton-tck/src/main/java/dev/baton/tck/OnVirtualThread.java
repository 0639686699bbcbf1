package dev.baton.tck;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs cases of {@link Mode#VIRTUAL} on a virtual thread, so that all their code runs on one. */
final class OnVirtualThread implements InvocationInterceptor {
    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext test)
            throws Throwable {
        if (!context.getArguments().contains(Mode.VIRTUAL)) {
            invocation.proceed();
            return;
        }
        FutureTask<Void> body = new FutureTask<>(() -> {
            try {
                invocation.proceed();
            } catch (Exception | Error thrown) {
                throw thrown;
            } catch (Throwable thrown) {
                throw new IllegalStateException(thrown);
            }
            return null;
        });
        Mode.VIRTUAL.unstarted(body).start();
        try {
            body.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
    }
}
