package dev.baton.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestStoreExtension.class)
class TestStoreExtensionTest {
    private static final List<Baton> GIVEN = new ArrayList<>();

    private Lease lease;

    @BeforeEach
    void acquire(Baton baton) throws InterruptedException {
        lease = baton.lock("x").acquire();
        GIVEN.add(baton);
    }

    @Test
    void parameters_ofOneTest_areOfOneStore(TestStore store, Baton baton) {
        assertThat(baton).isSameAs(GIVEN.get(GIVEN.size() - 1));
        assertThat(baton.isClosed()).isFalse();
        assertThat(store.expire("x")).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void parameters_ofAnotherTest_areOfAnotherStore(Baton baton) {
        assertThat(GIVEN).doesNotHaveDuplicates();
        assertThat(GIVEN.stream().filter(each -> each != baton)).allMatch(Baton::isClosed);
    }

    @AfterAll
    static void everyClientIsClosed() {
        assertThat(GIVEN).hasSize(2).allMatch(Baton::isClosed);
    }
}
