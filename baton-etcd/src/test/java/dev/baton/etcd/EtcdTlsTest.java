package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.servers.EtcdServer;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers that speak TLS: with a user and a password, with client certificates, and with unfit clients. */
class EtcdTlsTest {
    private static final String SECRET = "s3cret-of-locks";

    /** A new JVM loads gRPC's classes while its first client connects, which takes a busy machine a while. */
    private static final BatonOptions PATIENT =
            BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).build();

    private static EtcdServer server;
    private static EtcdServer mutual;

    @BeforeAll
    static void start() {
        server = EtcdServer.start(EtcdServer.Tls.OF_SERVER);
        mutual = EtcdServer.start(EtcdServer.Tls.OF_BOTH);
        server.ask(0, "/v3/auth/user/add", "{\"name\":\"root\",\"password\":\"" + SECRET + "\"}");
        server.ask(0, "/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
        server.ask(0, "/v3/auth/enable", "{}");
    }

    @AfterAll
    static void stop() {
        server.close();
        mutual.close();
    }

    private static String uri(String host, String options) {
        return "etcd://root:" + SECRET + '@' + host + ':' + server.port(0) + "/locks?ttl=3s&" + options;
    }

    private static String trusting(String host) {
        return uri(host, "ca=" + server.certificate());
    }

    private static StoreFailure refusal(String uri) {
        StoreFailure refused = catchThrowableOfType(StoreFailure.class, () -> new EtcdTestClient(uri, "a"));
        assertThat(refused).as(uri).isNotNull().hasMessageNotContaining(SECRET);
        assertThat(refused.reason()).isEqualTo(StoreFailure.Reason.UNREACHABLE);
        return refused;
    }

    @Test
    void certificateThatIsTrusted_withUserAndPassword_isAllThatItTakes() throws Exception {
        try (Baton one = Baton.connect(trusting("localhost"), PATIENT);
                Baton two = Baton.connect(trusting("127.0.0.1"), PATIENT)) {
            Lease first = one.lock("lock").acquire();
            CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
            while (two.admin().inspect("lock").orElseThrow().waiters().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            first.release();
            try (Lease second = next.get(20, TimeUnit.SECONDS)) {
                assertThat(second.token()).isGreaterThan(first.token());
            }
            // Each member is asked on a connection of its own.
            assertThat(one.admin().examine().facts()).containsEntry("members that answered", "1 of 1");
        }
    }

    @Test
    void certificateOfAClient_isShown() throws Exception {
        String address = mutual.uri() + "/locks?ttl=3s&ca=" + mutual.certificate();
        try (Baton baton = Baton.connect(address + "&cert=" + mutual.certificate() + "&key=" + mutual.key(), PATIENT);
                Lease lease = baton.lock("lock").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(refusal(address)).hasMessageContaining("TLS");
    }

    @Test
    void certificateThatNobodyTrusts_isRefused() {
        StoreFailure refused = refusal(uri("localhost", "tls=true"));
        assertThat(refused).hasMessageContaining("certificate");
        assertThat(refused.effect()).isEqualTo(StoreFailure.Effect.NONE);
    }

    @Test
    void certificateForAnotherHost_isRefused() {
        // Reaches this machine, but is not one of its names.
        assertThat(refusal(trusting("0.0.0.0"))).hasMessageContaining("certificate");
    }

    @Test
    void tlsOnOneSideOnly_isSaidSo() {
        assertThat(refusal(server.uri() + "/locks")).hasMessageContaining("TLS");
        assertThat(refusal(EtcdServer.shared().uri() + "/locks?tls=true")).hasMessageContaining("TLS");
    }

    @Test
    void contextForTls_onAnAddress_isRefused() throws Exception {
        BatonOptions context =
                BatonOptions.builder().driverObject(SSLContext.getDefault()).build();
        assertThatThrownBy(() -> Baton.connect(server.uri() + "/locks", context))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SSLContext");
    }
}
