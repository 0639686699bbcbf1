package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** A server whose certificate is trusted, and is for one of its two hosts: every way to use TLS accepts only that. */
@SuppressWarnings("deprecation") // Jedis has newer names for some ways, which its earlier versions lack.
class RedisTlsTest {
    /** The server also listens here, but its certificate does not cover this host. */
    private static final String OTHER_HOST = "127.0.0.2";

    private static final char[] WORD = "changeit".toCharArray();

    @TempDir
    static Path directory;

    private static RedisServer server;
    private static SSLContext before;
    private final Clients clients = new Clients();

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.builder()
                .config("bind", "127.0.0.1 " + OTHER_HOST)
                .tls()
                .start();
        before = SSLContext.getDefault();
        // As if the JVM's own certificates vouched for it.
        SSLContext.setDefault(server.sslContext());
    }

    @AfterAll
    static void stop() {
        SSLContext.setDefault(before);
        server.close();
    }

    @AfterEach
    void disconnect() {
        clients.close();
    }

    /** The ways to ask for TLS. */
    enum Way {
        ADDRESS(() -> null),
        CA_FILE(() -> null),
        CONTEXT(() -> server.sslContext()),
        JEDIS_SSL(() -> jedis().ssl(true).build()),
        JEDIS_SSL_WITHOUT_THE_ADDRESS(() -> jedis().ssl(true).build()),
        JEDIS_FACTORY(() -> jedis().ssl(true)
                .sslSocketFactory(server.sslContext().getSocketFactory())
                .build()),
        JEDIS_PARAMETERS(
                () -> jedis().ssl(true).sslParameters(new SSLParameters()).build()),
        JEDIS_OPTIONS(() -> jedis().sslOptions(sslOptions(SslVerifyMode.FULL)).build()),
        JEDIS_OPTIONS_WITHOUT_THE_ADDRESS(
                () -> jedis().sslOptions(sslOptions(SslVerifyMode.FULL)).build()),
        JEDIS_WITHOUT_SSL(() -> jedis().build());

        private final Supplier<Object> brought;

        Way(Supplier<Object> brought) {
            this.brought = brought;
        }

        String uri(String host) {
            return (name().endsWith("WITHOUT_THE_ADDRESS") ? "redis://" : "rediss://")
                    + host
                    + ':'
                    + server.port()
                    + (this == CA_FILE ? "?ca=" + server.certificate() : "");
        }

        BatonOptions options() {
            Object resource = brought.get();
            return resource == null
                    ? Clients.options().build()
                    : Clients.options().driverObject(resource).build();
        }
    }

    private static DefaultJedisClientConfig.Builder jedis() {
        return DefaultJedisClientConfig.builder();
    }

    private static SslOptions sslOptions(SslVerifyMode mode) {
        Path file = directory.resolve("trusted.p12");
        try (InputStream in = Files.newInputStream(server.certificate());
                OutputStream out = Files.newOutputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
            store.store(out, WORD);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return SslOptions.builder()
                .truststore(file.toFile(), WORD)
                .trustStoreType("PKCS12")
                .sslVerifyMode(mode)
                .build();
    }

    private void works(String uri, BatonOptions options) throws InterruptedException {
        try (Lease lease = clients.connect(uri, options).lock("encrypted").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private void refused(String uri, BatonOptions options, String why) {
        assertThatThrownBy(() -> clients.connect(uri, options))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @EnumSource
    void certificate_ofTheHost_isTaken(Way way) throws Exception {
        works(way.uri(server.host()), way.options());
    }

    @ParameterizedTest
    @EnumSource
    void certificate_ofAnotherHost_isRefused(Way way) {
        refused(way.uri(OTHER_HOST), way.options(), "No subject alternative names matching IP address " + OTHER_HOST);
    }

    @Test
    void verifier_thatIsBrought_decides() throws Exception {
        String uri = "rediss://" + OTHER_HOST + ':' + server.port();
        works(
                uri,
                options()
                        .driverObject(jedis().ssl(true)
                                .hostnameVerifier((host, session) -> host.equals(OTHER_HOST))
                                .build())
                        .build());
        JedisClientConfig strict =
                jedis().ssl(true).hostnameVerifier((host, session) -> false).build();
        refused(server.uri(), options().driverObject(strict).build(), "says the verifier");
    }

    @Test
    void modeThatLooksAtNoHost_isWarnedOf_orRefusedIfStrict() throws Exception {
        String uri = "rediss://" + OTHER_HOST + ':' + server.port();
        JedisClientConfig lax = jedis().sslOptions(sslOptions(SslVerifyMode.CA)).build();
        try (Logs logs = new Logs()) {
            works(uri, options().driverObject(lax).build());
            assertThat(logs.ofBaton()).anyMatch(line -> line.contains("SslVerifyMode.FULL"));
        }
        refused(uri, options().driverObject(lax).strict(true).build(), "strict");
    }

    @Test
    void trust_thatWouldBeIgnored_isRefused() {
        JedisClientConfig jedis = jedis().ssl(true).build();
        String ca = server.uri() + "?ca=" + server.certificate();
        for (List<Object> brought : List.of(List.<Object>of(jedis), List.<Object>of(server.sslContext()))) {
            BatonOptions.Builder options = options();
            brought.forEach(options::driverObject);
            assertThatThrownBy(() -> clients.connect(ca, options.build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("more than once");
        }
        assertThatThrownBy(() -> clients.connect(
                        server.uri(),
                        options()
                                .driverObject(jedis)
                                .driverObject(server.sslContext())
                                .build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than once");
    }

    @Test
    void context_forAnAddressWithoutTls_isRefused() {
        String plain = RedisServer.shared().uri().replace("redis://", "redis://user:s3cr3t@");
        assertThatThrownBy(() -> clients.connect(
                        plain, options().driverObject(server.sslContext()).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write rediss://")
                .hasMessageNotContaining("s3cr3t");
    }

    @Test
    void password_inTheClear_isWarnedOfBeyondThisMachine() throws UnknownHostException {
        InetAddress far = InetAddress.getByAddress(new byte[] {10, 1, 2, 3});
        assertThat(Encryption.warnings(null, true, far, "far:6379"))
                .singleElement()
                .asString()
                .contains("far:6379")
                .contains("rediss://");
        assertThat(Encryption.warnings(null, false, far, "far:6379")).isEmpty();
        assertThat(Encryption.warnings(null, true, InetAddress.getLoopbackAddress(), "here:6379"))
                .isEmpty();
    }
}
