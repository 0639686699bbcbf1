package dev.baton.test;

import dev.baton.Baton;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests of JUnit Jupiter 5.13 or newer a {@link TestStore} and a {@link Baton} that is connected to it, and closes both
 * at the end of the test. All parameters of one test get the same store and the same client.
 *
 * <pre>{@code
 * @ExtendWith(TestStoreExtension.class)
 * class OrdersTest {
 *     @Test
 *     void order_whoseLeaseExpires_isRefused(TestStore store, Baton baton) {
 *         Orders orders = new Orders(baton);
 *         orders.begin("order-7");
 *         store.expire("order-7");
 *         assertThrows(LeaseLostException.class, () -> orders.commit("order-7"));
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class TestStoreExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(TestStoreExtension.class);
    private static final Set<Class<?>> TYPES = Set.of(TestStore.class, Baton.class);

    /** Creates the extension; JUnit calls this. */
    public TestStoreExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Given given = test.getStore(NAMESPACE).computeIfAbsent(Given.class, key -> Given.create(), Given.class);
        return parameter.getParameter().getType() == Baton.class ? given.baton : given.store;
    }

    /** JUnit closes it with the test. */
    private record Given(TestStore store, Baton baton) implements AutoCloseable {
        static Given create() {
            TestStore store = TestStore.create();
            return new Given(store, store.connect());
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
