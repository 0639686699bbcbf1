package dev.baton.spring.boot;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where the store of the locks is. A bean of this type takes the place of {@code baton.uri} and of the address that is derived from other
 * properties, as for the containers of a test.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface BatonConnectionDetails extends ConnectionDetails {
    /**
     * Returns the address.
     *
     * @return as for {@link dev.baton.Baton#connect(String)}; may contain a password
     */
    String uri();

    /**
     * Returns objects for the store's driver, as a {@code DataSource}.
     *
     * @return as for {@link dev.baton.BatonOptions.Builder#driverObject}
     */
    default List<Object> driverObjects() {
        return List.of();
    }
}
