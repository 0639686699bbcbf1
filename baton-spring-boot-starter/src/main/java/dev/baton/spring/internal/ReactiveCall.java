package dev.baton.spring.internal;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.spring.LockNotAvailableException;
import io.micrometer.observation.Observation;
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
import reactor.util.context.Context;
import reactor.util.context.ContextView;

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
    private static final class Attempt {
        private final Call call;
        private final @Nullable Observation parent;
        private final CompletableFuture<Optional<Lease>> lease;

        /** The same, after the wait has ended. */
        private final CompletableFuture<Optional<Lease>> observed;

        private volatile @Nullable Taken taken;

        Attempt(Call call, ContextView context) {
            this.call = call;
            this.parent = context.getOrDefault(Observations.KEY, null);
            Observation wait = call.waits(parent);
            lease = call.lock().tryAcquireAsync(call.plan().waitFor());
            observed = lease.whenComplete(
                    (brought, thrown) -> Observations.ended(wait, brought != null && brought.isPresent(), thrown));
        }

        Mono<Taken> taken() {
            return Mono.fromFuture(observed, true)
                    .flatMap(brought -> brought.map(held -> Mono.just(take(held)))
                            .orElseGet(() -> Mono.error(call.plan().unavailable(call.names()))));
        }

        private Taken take(Lease held) {
            Taken result = call.taken(held, parent);
            taken = result;
            return result;
        }

        Mono<Void> failed(Throwable thrown) {
            Taken held = taken;
            if (held != null) {
                held.failed(thrown);
            }
            return released();
        }

        /** Withdraws the attempt, or releases its lease. */
        Mono<Void> released() {
            lease.cancel(false);
            Taken held = taken;
            if (held != null) {
                return Mono.fromFuture(held::releaseAsync).then();
            }
            boolean brought = lease.isDone() && !lease.isCompletedExceptionally();
            return (brought ? lease.join() : Optional.<Lease>empty())
                    .map(dropped -> Mono.fromFuture(dropped::releaseAsync).then())
                    .orElseGet(Mono::empty);
        }
    }

    private Mono<Attempt> attempt() {
        return Mono.deferContextual(context -> Mono.just(new Attempt(call, context)));
    }

    private Mono<Object> one() {
        return Mono.usingWhen(
                        attempt(),
                        attempt -> attempt.taken().flatMap(this::value),
                        Attempt::released,
                        Attempt::failed,
                        Attempt::released)
                .onErrorResume(LockNotAvailableException.class, this::instead);
    }

    private Flux<Object> many() {
        return Flux.usingWhen(
                        attempt(),
                        attempt -> attempt.taken().flatMapMany(this::values),
                        Attempt::released,
                        Attempt::failed,
                        Attempt::released)
                .onErrorResume(LockNotAvailableException.class, this::instead);
    }

    private Mono<Object> value(Taken taken) {
        return Mono.from(work(taken))
                .contextWrite(context -> under(taken, context))
                .takeUntilOther(loss(taken))
                .flatMap(value -> check(taken).thenReturn(value))
                .switchIfEmpty(check(taken));
    }

    private Flux<Object> values(Taken taken) {
        return Flux.from(work(taken))
                .contextWrite(context -> under(taken, context))
                .takeUntilOther(loss(taken))
                .concatWith(check(taken));
    }

    /** Completes when the lease is lost, which cancels the work. An error would not do: it would leave the work running. */
    private static Mono<Void> loss(Taken taken) {
        return Mono.create(sink -> {
            Object unused = taken.lease().onLost(cause -> sink.success());
        });
    }

    /** Fails if the lease is lost. usingWhen would wrap an error of the release. */
    private static Mono<Object> check(Taken taken) {
        return Mono.defer(() -> {
            LeaseLostException lost = taken.loss();
            return lost == null ? Mono.empty() : Mono.error(lost);
        });
    }

    private Publisher<Object> work(Taken taken) {
        try (Observation.Scope scope = taken.hold().openScope()) {
            assert scope != null;
            return publisher(() -> call.plan().proceed(again(), taken.lease()));
        }
    }

    /** Makes the hold the parent of all that the method subscribes to. */
    private static Context under(Taken taken, Context context) {
        return taken.hold().isNoop() ? context : context.put(Observations.KEY, taken.hold());
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
}
