package dev.baton.spring.internal;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.spring.LockNotAvailableException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A method whose result is subscribed to. Each subscription has a lease of its own, and no thread waits. */
final class ReactiveCall {
    private final Call call;
    private final boolean suspends;
    private final @Nullable ReactiveAdapter adapter;

    private ReactiveCall(Call call) {
        this.call = call;
        this.suspends = KotlinDetector.isSuspendingFunction(call.plan().method());
        this.adapter = ReactiveAdapterRegistry.getSharedInstance()
                .getAdapter(call.plan().method().getReturnType());
    }

    /** Returns the publisher for the caller, of the method's type; for a suspend function a Mono, which the proxy converts. */
    static Object of(Call call) {
        return new ReactiveCall(call).result();
    }

    private Object result() {
        if (suspends || adapter == null) {
            return one();
        }
        return adapter.fromPublisher(adapter.isMultiValue() ? many() : one());
    }

    /**
     * The resource is the attempt, which is there at once, and not its lease: Reactor may drop a lease that comes while the
     * subscriber cancels, and it would be renewed for ever. What the attempt brings is released at the end in any case.
     */
    private Mono<CompletableFuture<Optional<Lease>>> attempt() {
        return Mono.fromSupplier(() -> call.lock().tryAcquireAsync(call.plan().waitFor()));
    }

    private Mono<Object> one() {
        return Mono.usingWhen(
                        attempt(),
                        attempt -> lease(attempt)
                                .flatMap(lease ->
                                        Mono.from(publisher(() -> call.plan().proceed(again(), lease)))),
                        ReactiveCall::complete,
                        (attempt, thrown) -> released(attempt),
                        ReactiveCall::released)
                .onErrorResume(LockNotAvailableException.class, this::instead);
    }

    private Flux<Object> many() {
        return Flux.usingWhen(
                        attempt(),
                        attempt -> lease(attempt)
                                .flatMapMany(
                                        lease -> publisher(() -> call.plan().proceed(again(), lease))),
                        ReactiveCall::complete,
                        (attempt, thrown) -> released(attempt),
                        ReactiveCall::released)
                .onErrorResume(LockNotAvailableException.class, this::instead);
    }

    private Mono<Lease> lease(CompletableFuture<Optional<Lease>> attempt) {
        return Mono.fromFuture(attempt, true)
                .flatMap(lease -> lease.map(Mono::just)
                        .orElseGet(() -> Mono.error(call.plan().unavailable(call.names()))));
    }

    /** A method that another locked method calls may also have no lock: only this one's own failure is answered here. */
    private Publisher<Object> insteadOf(LockNotAvailableException failure) {
        if (call.plan().otherwise() == null || !failure.names().equals(call.names())) {
            return Mono.error(failure);
        }
        return publisher(call::notAvailable);
    }

    private Mono<Object> instead(LockNotAvailableException failure) {
        return Mono.from(insteadOf(failure));
    }

    /** An interceptor chain runs once; each subscription needs its own. */
    private MethodInvocation again() {
        return ((ProxyMethodInvocation) call.invocation()).invocableClone();
    }

    /** Code of the application that returns something to subscribe to. */
    private interface Code {
        @Nullable
        Object call() throws Throwable;
    }

    private Publisher<Object> publisher(Code code) {
        try {
            Object result = code.call();
            if (result == null) {
                return Mono.empty();
            }
            if (result instanceof Publisher<?> publisher) {
                return Flux.from(publisher);
            }
            if (suspends) {
                return Mono.just(result);
            }
            return Objects.requireNonNull(adapter, "no adapter").<Object>toPublisher(result);
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        }
    }

    /** The end of a method that has not failed: the loss of its lease is a failure. */
    private static Mono<Void> complete(CompletableFuture<Optional<Lease>> attempt) {
        LeaseLostException lost = brought(attempt).map(Call::loss).orElse(null);
        return released(attempt).then(lost == null ? Mono.empty() : Mono.error(lost));
    }

    /** Withdraws the attempt, or releases what it has brought. */
    private static Mono<Void> released(CompletableFuture<Optional<Lease>> attempt) {
        attempt.cancel(false);
        return brought(attempt)
                .map(lease -> Mono.fromFuture(lease::releaseAsync).then())
                .orElseGet(Mono::empty);
    }

    private static Optional<Lease> brought(CompletableFuture<Optional<Lease>> attempt) {
        return attempt.isDone() && !attempt.isCompletedExceptionally() ? attempt.join() : Optional.empty();
    }
}
