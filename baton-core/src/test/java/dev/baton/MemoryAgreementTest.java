package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients of one memory store must agree on its times, as at every other store. */
class MemoryAgreementTest {
    private static Baton connect(String name, Duration grace) {
        return Baton.connect(
                "memory:" + name, BatonOptions.builder().grace(grace).build());
    }

    @Test
    void clientWithAnotherGrace_isRefused_andToldWhy() {
        try (Baton first = connect("agreement", Duration.ofSeconds(60))) {
            assertThat(first.lock("a").tryAcquire()).isPresent();
            assertThatThrownBy(() -> connect("agreement", Duration.ofSeconds(30)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("grace=PT1M")
                    .hasMessageContaining("grace=PT30S");
        }
    }

    @Test
    void maxHoldThatCannotWork_isRefused() {
        try (Baton baton = Baton.connect("memory:")) {
            LockOptions tooShort = LockOptions.defaults().withMaxHold(Duration.ofMillis(5));
            assertThatThrownBy(() -> baton.lock("a", tooShort))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxHold");
        }
    }

    @Test
    void extensionByCenturies_isRefused_andTheLeaseStaysHeld() {
        try (Baton baton = Baton.connect("memory:")) {
            Lease lease = baton.lock("a").tryAcquire().orElseThrow();
            Duration centuries = Duration.ofDays(400 * 365);
            assertThatThrownBy(() -> lease.extend(centuries)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> lease.ensureHeld(centuries)).isInstanceOf(LeaseLostException.class);
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
