package dev.baton.internal.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private final Attempts attempts = new Attempts(new Deadlines(micros -> {}));

    private static Attempt own(String name, long attempt) {
        return new Attempt(
                "ab".repeat(16),
                new Acquire(
                        Resource.lock(name),
                        CommandNumber.of(attempt),
                        1,
                        100,
                        0,
                        "test",
                        Acquire.Mode.QUEUE,
                        attempt));
    }

    @Test
    void attempt_thatWasUndone_neverBegins() {
        attempts.cancel("x", 1);
        assertThat(attempts.begin(own("x", 1))).isFalse();
        assertThat(attempts.begin(own("y", 1))).as("another name").isTrue();
        Attempt begun = own("x", 2);
        assertThat(attempts.begin(begun)).isTrue();
        assertThat(attempts.cancel("x", 2)).isSameAs(begun);
        attempts.remove(begun);
        assertThat(attempts.begin(own("x", 2))).isFalse();
    }

    @Test
    void undoneAttempts_inHundredsOfThousands_areRememberedInBoundedMemory() {
        int many = 400_000;
        for (int attempt = 1; attempt <= many; attempt++) {
            Attempt own = own("stock", attempt);
            assertThat(attempts.begin(own)).isTrue();
            attempts.cancel("stock", attempt);
            attempts.remove(own);
        }
        assertThat(attempts.remembered()).isLessThanOrEqualTo(10_000);
        // Each of them is still known to be undone.
        for (int attempt = 1; attempt <= many; attempt += 997) {
            assertThat(attempts.begin(own("stock", attempt))).isFalse();
        }
        assertThat(attempts.begin(own("stock", many + 1))).isTrue();
    }
}
