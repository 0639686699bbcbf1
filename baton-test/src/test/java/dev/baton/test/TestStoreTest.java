package dev.baton.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.LossCause;
import dev.baton.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TestStoreTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void advance_byAnHour_renewsOnTheWay() throws Exception {
        try (TestStore store = TestStore.create()) {
            Lease lease = store.connect().lock("x").acquire();
            store.advance(HOUR);
            assertThat(lease.isHeld()).isTrue();
            assertThat(store.connect().lock("x").tryAcquire()).isEmpty();
        }
    }

    @Test
    void advance_beyondAnExplicitLease_endsIt() throws Exception {
        try (TestStore store = TestStore.create()) {
            LockOptions tenSeconds = LockOptions.defaults().withLeaseTime(Duration.ofSeconds(10));
            Lease lease = store.connect().lock("x", tenSeconds).acquire();
            store.advance(Duration.ofSeconds(9));
            assertThat(lease.isHeld()).isTrue();
            store.advance(Duration.ofSeconds(2));
            assertThat(lease.isHeld()).isFalse();
            assertThat(store.connect().lock("x").tryAcquire()).isPresent();
        }
    }

    @Test
    void expire_ofAHeldLock_tellsItsHolderAndLetsTheNextIn() throws Exception {
        try (TestStore store = TestStore.create()) {
            Lease lease = store.connect().lock("x").acquire();
            CompletableFuture<LossCause> lost = new CompletableFuture<>();
            lease.onLost(lost::complete);
            CompletableFuture<Lease> next = store.connect().lock("x").acquireAsync();
            assertThat(store.expire("x")).isTrue();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lost.get(20, TimeUnit.SECONDS)).isEqualTo(LossCause.EXPIRED);
            assertThat(next.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        }
    }

    @Test
    void expire_ofAFreeLock_saysSo() {
        try (TestStore store = TestStore.create()) {
            assertThat(store.expire("x")).isFalse();
        }
    }

    @Test
    void timedWait_endsWhenTheClockIsMoved_andNotBefore() throws Exception {
        try (TestStore store = TestStore.create()) {
            Baton baton = store.connect();
            Lease held = baton.lock("x").acquire();
            CompletableFuture<Optional<Lease>> waiting =
                    store.connect().lock("x").tryAcquireAsync(HOUR);
            store.advance(HOUR.minusSeconds(1));
            assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            store.advance(Duration.ofSeconds(2));
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void silence_endsLeases_whenTheyAreOver() throws Exception {
        try (TestStore store = TestStore.create()) {
            Lease lease = store.connect().lock("x").acquire();
            store.setSilent(true);
            store.advance(Duration.ofSeconds(20));
            assertThat(lease.isHeld()).isTrue();
            store.advance(Duration.ofSeconds(20));
            assertThat(lease.isHeld()).isFalse();
            store.setSilent(false);
            store.advance(Duration.ofSeconds(1));
            assertThat(store.connect().lock("x").tryAcquire()).isPresent();
        }
    }

    @Test
    void silence_isUnknown_toACaller() throws Exception {
        try (TestStore store = TestStore.create()) {
            Baton baton = store.connect();
            store.setSilent(true);
            CompletableFuture<Lease> asked = baton.lock("x").acquireAsync();
            // Threads of the client notice the silence in real time: each step of the clock leaves them some.
            for (int i = 0; i < 300 && !asked.isDone(); i++) {
                store.advance(Duration.ofSeconds(1));
                waitBriefly(asked);
            }
            assertThat(asked).isCompletedExceptionally();
            assertThatThrownBy(asked::join)
                    .cause()
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("silent");
        }
    }

    private static void waitBriefly(CompletableFuture<?> asked) throws Exception {
        try {
            asked.get(50, TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException | java.util.concurrent.ExecutionException e) {
            // The next step of the clock comes.
        }
    }
}
