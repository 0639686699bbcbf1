package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZookeeperAddressTest {
    private static ZookeeperAddress of(String uri) {
        return ZookeeperAddress.of(URI.create(uri));
    }

    @Test
    void address_withEverything_isRead() {
        ZookeeperAddress address = of("zookeeper://me:p%40ss%2B+@zk1,zk2:2182/a/b/?sessionTimeout=1m&shortLeases=true");
        assertThat(address.servers()).isEqualTo("zk1:2181,zk2:2182");
        assertThat(address.user()).isEqualTo("me");
        assertThat(address.password()).isEqualTo("p@ss++");
        assertThat(address.path()).isEqualTo("/a/b");
        assertThat(address.sessionTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(address.shortLeases()).isTrue();
        assertThat(address).hasToString("zookeeper://zk1:2181,zk2:2182/a/b");
    }

    @Test
    void address_withNothing_hasDefaults() {
        assertThat(of("zookeeper://zk"))
                .isEqualTo(new ZookeeperAddress("zk:2181", null, null, "", Duration.ofSeconds(10), false, null));
        assertThat(of("zookeeper://[::1]").servers()).isEqualTo("[::1]:2181");
        assertThat(of("zookeeper:/path").servers()).isEmpty();
        assertThat(of("zookeeper:/path").path()).isEqualTo("/path");
    }

    @Test
    void address_withTls_namesFilesToTrustAndToShow() {
        ZookeeperAddress address = of("zookeeper+tls://zk/a?ca=/etc/ca.pem&cert=/etc/own%20key.pem");
        assertThat(address.tls())
                .isEqualTo(new ZookeeperAddress.Tls(Path.of("/etc/ca.pem"), Path.of("/etc/own key.pem")));
        assertThat(address).hasToString("zookeeper+tls://zk:2181/a");
        assertThat(of("zookeeper+tls://zk").tls()).isEqualTo(new ZookeeperAddress.Tls(null, null));
    }

    @ParameterizedTest
    @DisplayName("P22: address_thatIsNone_isRefusedWithoutSecrets")
    @ValueSource(
            strings = {
                "zookeeper://me@zk",
                "zookeeper://:geheim@zk",
                "zookeeper://me:geheim@",
                "zookeeper://me:ge,heim@zk,,zk2",
                "zookeeper://me:geheim@zk:port",
                "zookeeper://me:geheim@zk//a",
                "zookeeper://me:geheim@zk/a/../b",
                "zookeeper://me:geheim@zk?sessionTimeout=10",
                "zookeeper://me:geheim@zk?sessionTimeout=0s",
                "zookeeper://me:geheim@zk?sessionTimeout=999999999m",
                "zookeeper://me:geheim@zk?password=geheim@x",
                "zookeeper://me:geheim@zk?shortLeases=yes",
                "zookeeper://me:geheim@zk?ca=/etc/ca.pem"
            })
    void address_thatIsNone_isRefusedWithoutSecrets(String uri) {
        IllegalArgumentException refusal = catchThrowableOfType(IllegalArgumentException.class, () -> of(uri));
        assertThat(refusal).isNotNull().hasMessageNotContaining("geheim").hasMessageNotContaining("heim");
    }

    @Test
    void address_withoutServerOrConnection_isRefused() {
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class,
                        () -> Baton.connect("zookeeper:/path", BatonOptions.defaults())))
                .hasMessageContaining("names a server");
    }
}
