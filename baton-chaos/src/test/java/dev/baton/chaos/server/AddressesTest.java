package dev.baton.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No report shows a password. */
class AddressesTest {
    @ParameterizedTest
    @CsvSource({
        "redis://me:secret@h:1/0, redis://me:***@h:1/0",
        "redis://:s@cret@h:1, redis://:***@h:1",
        "jdbc:postgresql://h/db?user=me&password=secret&ssl=true, jdbc:postgresql://h/db?user=me&password=***&ssl=true",
        "jdbc:mariadb://h/db?user=me&trustStorePassword=secret, jdbc:mariadb://h/db?user=me&trustStorePassword=***",
        "etcd://h:1?ttl=2s, etcd://h:1?ttl=2s"
    })
    void password_isNotShown(String address, String shown) {
        assertThat(Addresses.withoutPassword(address)).isEqualTo(shown);
    }
}
