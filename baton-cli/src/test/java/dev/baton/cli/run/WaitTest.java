package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a wait says, and when it says nothing. */
class WaitTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    /** A lock whose answers take their time: the store has granted it before its caller knows. */
    private static DistributedLock slowlyAnswering(DistributedLock lock) {
        Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
        return (DistributedLock) Proxy.newProxyInstance(
                WaitTest.class.getClassLoader(), new Class<?>[] {DistributedLock.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(lock, arguments);
                    return answer instanceof CompletableFuture<?> future
                            ? future.thenApplyAsync(lease -> lease, later)
                            : answer;
                });
    }

    private Optional<Lease> acquired(Baton baton, DistributedLock lock) throws InterruptedException {
        return new Wait(baton, lock, Terminal.noTerminal(said), true).forLease(null);
    }

    @Test
    void lockThatIsGrantedAndNotYetAnswered_isNotSaidToBeHeldByAnother() throws Exception {
        try (Baton baton = Baton.connect("memory:wait-answers")) {
            assertThat(acquired(baton, slowlyAnswering(baton.lock("x")))).isPresent();
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void lockThatAnotherHolds_isSaidToBeHeld() throws Exception {
        try (Baton baton = Baton.connect("memory:wait-held");
                Baton other = Baton.connect("memory:wait-held")) {
            Lease held = other.lock("x").acquire();
            CompletableFuture<Boolean> holder = CompletableFuture.supplyAsync(() -> toldBefore(held));
            assertThat(acquired(baton, baton.lock("x"))).isPresent();
            assertThat(holder.join()).isTrue();
        }
    }

    /** Releases once the wait has named the holder, and says whether it has: a time that is fixed may pass before its first look. */
    private boolean toldBefore(Lease held) {
        try (held) {
            Runs.until(
                    "the holder is named",
                    () -> said.toString(StandardCharsets.UTF_8).contains("waiting for 'x', held by "));
            return true;
        } catch (Exception failed) {
            throw new CompletionException(failed);
        }
    }
}
