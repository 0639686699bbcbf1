package dev.baton.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.Baton;
import dev.baton.test.TestStore;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ResolvableType;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** One jar beside the types of each line. */
class LinesTest {
    private static final String LINE = System.getProperty("baton.spring.integration");
    private static final boolean SEVEN = LINE.startsWith("7");
    private static final String DISTRIBUTED = "org.springframework.integration.support.locks.DistributedLock";

    @Test
    void springIntegration_isThatOfTheLine() {
        assertThat(LockRegistry.class.getPackage().getImplementationVersion()).startsWith(LINE + ".");
        assertThat(LockRegistry.class.getTypeParameters()).hasSize(SEVEN ? 1 : 0);
    }

    /** Spring looks at all methods and interfaces of a bean's class. */
    @ParameterizedTest
    @ValueSource(classes = {BatonLockRegistry.class, KeyLock.class})
    void class_canBeLookedAt(Class<?> type) {
        assertThat(type.getDeclaredMethods()).isNotEmpty();
        assertThatCode(type::getGenericInterfaces).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(classes = {LockRegistry.class, ExpirableLockRegistry.class, RenewableLockRegistry.class})
    void registry_isFoundByEachOfItsTypes(Class<?> asked) {
        assertThat(ResolvableType.forClass(BatonLockRegistry.class).as(asked).resolve())
                .isEqualTo(asked);
    }

    @Test
    void lock_isADistributedLock_whereThatTypeIs() throws Exception {
        try (TestStore store = TestStore.create();
                Baton client = store.connect();
                Baton other = store.connect()) {
            Lock lock = new BatonLockRegistry(client).obtain("foo");
            assertThat(Arrays.stream(lock.getClass().getInterfaces()).map(Class::getName))
                    .isEqualTo(List.of(SEVEN ? DISTRIBUTED : Lock.class.getName()));
            if (SEVEN) {
                Method lockForATime = Class.forName(DISTRIBUTED).getMethod("lock", Duration.class);
                lockForATime.invoke(lock, Duration.ofSeconds(2));
                assertThat(other.lock("foo").tryAcquire()).isEmpty();
                store.advance(Duration.ofSeconds(3));
                assertThat(other.lock("foo").tryAcquire()).isPresent();
            }
        }
    }
}
