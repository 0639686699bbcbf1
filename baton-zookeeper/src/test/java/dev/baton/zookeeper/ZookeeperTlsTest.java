package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.ZookeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers that speak TLS: with a user, with client certificates, and with clients that they do not fit. */
class ZookeeperTlsTest {
    private static final String SECRET = "s3cret-of-locks";
    private static ZookeeperServer server;
    private static ZookeeperServer mutual;

    @BeforeAll
    static void start() {
        server = ZookeeperServer.start(ZookeeperServer.Tls.OF_SERVER);
        mutual = ZookeeperServer.start(ZookeeperServer.Tls.OF_BOTH);
    }

    @AfterAll
    static void stop() {
        server.close();
        mutual.close();
    }

    private static String uri(String host, String options) {
        return "zookeeper+tls://locks:" + SECRET + '@' + host + ':' + server.tlsPort() + "/locks" + options;
    }

    private static Baton connect(String uri, Duration connectTimeout) {
        return Baton.connect(
                uri, BatonOptions.builder().connectTimeout(connectTimeout).build());
    }

    private static Baton connect(String uri) {
        return connect(uri, Duration.ofSeconds(20));
    }

    private static void expectRefused(String uri) {
        StoreException refused = catchThrowableOfType(StoreException.class, () -> connect(uri, Duration.ofSeconds(1)));
        assertThat(refused).as(uri).isNotNull().hasMessageNotContaining(SECRET);
        assertThat(refused.reason()).isEqualTo(StoreException.Reason.UNREACHABLE);
    }

    private static List<String> warnings(String uri) throws Exception {
        try (ZookeeperClient client = new ZookeeperClient(uri)) {
            return client.store().warnings();
        }
    }

    @Test
    void passwordInTheClear_andOpenNodes_areWarnedOf_offThisMachine() throws Exception {
        String user = "locks:" + SECRET + '@';
        String port = server.uri().replaceAll(".*:", "");
        assertThat(warnings("zookeeper://" + user + "127.0.0.1:" + port + "/own"))
                .isEmpty();
        assertThat(warnings("zookeeper://127.0.0.1:" + port + "/open")).isEmpty();
        // Reaches this machine, but is not one of its names.
        assertThat(warnings("zookeeper://" + user + "0.0.0.0:" + port + "/own"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("unencrypted", "zookeeper+tls")
                .doesNotContain(SECRET);
        assertThat(warnings("zookeeper://0.0.0.0:" + port + "/open"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("world:anyone");
        assertThat(warnings("zookeeper://" + user + "127.0.0.1:" + port + "/open"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("world:anyone");
        assertThat(warnings(uri("localhost", "?ca=" + server.certificate()))).isEmpty();
    }

    @Test
    void certificateThatIsTrusted_isAllThatItTakes() throws Exception {
        String trusting = "?ca=" + server.certificate();
        try (Baton one = connect(uri("localhost", trusting));
                Baton two = connect(uri("127.0.0.1", trusting))) {
            Lease first = one.lock("lock").acquire();
            CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
            ZookeeperClient.until(
                    "it waits",
                    () -> !one.admin().inspect("lock").orElseThrow().waiters().isEmpty());
            first.release();
            try (Lease second = next.get(20, TimeUnit.SECONDS)) {
                assertThat(second.token()).isGreaterThan(first.token());
            }
        }
    }

    @Test
    void certificateOfAClient_isShown() throws Exception {
        String address = "zookeeper+tls://127.0.0.1:" + mutual.tlsPort() + "?ca=" + mutual.certificate();
        try (Baton baton = connect(address + "&cert=" + mutual.identity());
                Lease lease = baton.lock("lock").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
        expectRefused(address);
    }

    @Test
    void certificateThatNobodyTrusts_orForAnotherHost_isRefused() {
        expectRefused(uri("localhost", ""));
        // Reaches this machine, but is not one of its names.
        expectRefused(uri("0.0.0.0", "?ca=" + server.certificate()));
    }

    @Test
    void tlsOnOneSideOnly_isRefused() {
        expectRefused(uri("localhost", "?ca=" + server.certificate())
                .replace("+tls", "")
                .replaceAll("\\?.*", ""));
        expectRefused(server.uri().replace("zookeeper:", "zookeeper+tls:") + "?ca=" + server.certificate());
    }

    @Test
    void whatWouldNotEncrypt_isRefusedBeforeAnythingIsSent() throws Exception {
        assertThatThrownBy(() -> Baton.connect(server.uri() + "?ca=" + server.certificate()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zookeeper+tls://");
        assertThatThrownBy(() -> Baton.connect(uri("localhost", "?ca=/nowhere/ca.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nowhere/ca.pem");
        BatonOptions context =
                BatonOptions.builder().driverObject(SSLContext.getDefault()).build();
        for (String scheme : new String[] {"zookeeper", "zookeeper+tls"}) {
            assertThatThrownBy(() -> Baton.connect(scheme + "://127.0.0.1:" + server.tlsPort(), context))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("SSLContext");
        }
    }
}
