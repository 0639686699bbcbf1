package dev.baton.spi.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Resource;
import org.junit.jupiter.api.Test;

class OwnsTest {
    private final Owns owns = new Owns();

    private static Own own(String name, long attempt) {
        return new Own(
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
        owns.cancel("x", 1);
        assertThat(owns.begin(own("x", 1))).isFalse();
        assertThat(owns.begin(own("y", 1))).as("another name").isTrue();
        Own begun = own("x", 2);
        assertThat(owns.begin(begun)).isTrue();
        assertThat(owns.cancel("x", 2)).isSameAs(begun);
        owns.remove(begun);
        assertThat(owns.begin(own("x", 2))).isFalse();
    }

    @Test
    void undoneAttempts_inHundredsOfThousands_areRememberedInBoundedMemory() {
        int many = 400_000;
        for (int attempt = 1; attempt <= many; attempt++) {
            Own own = own("stock", attempt);
            assertThat(owns.begin(own)).isTrue();
            owns.cancel("stock", attempt);
            owns.remove(own);
        }
        assertThat(owns.remembered()).isLessThanOrEqualTo(10_000);
        // Each of them is known to be undone all the same.
        for (int attempt = 1; attempt <= many; attempt += 997) {
            assertThat(owns.begin(own("stock", attempt))).isFalse();
        }
        assertThat(owns.begin(own("stock", many + 1))).isTrue();
    }
}
