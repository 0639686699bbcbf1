package dev.baton.redis;

import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/**
 * TLS on an open connection, for each way to request it. Jedis does not do this itself: some of its versions check the
 * host name, and some accept any certificate that is trusted for any purpose.
 */
final class Encryption {
    /** Makes the JDK compare the certificate with the host during the handshake, as browsers do. */
    private static final String LIKE_BROWSERS = "HTTPS";

    /** The source of sockets; runs anew for each connection, so that files may be replaced in between. */
    private interface Factory {
        SSLSocketFactory get() throws IOException, GeneralSecurityException;
    }

    private final Factory factory;
    private final @Nullable SSLParameters parameters;
    private final @Nullable HostnameVerifier verifier;
    private final boolean anyHost;

    private Encryption(
            Factory factory, @Nullable SSLParameters parameters, @Nullable HostnameVerifier verifier, boolean anyHost) {
        this.factory = factory;
        this.parameters = parameters;
        this.verifier = verifier;
        this.anyHost = anyHost;
    }

    /**
     * Returns the encryption of connections to servers that keep locks.
     *
     * @return null if neither the address nor the configuration asks for encryption
     * @throws IllegalArgumentException if the application brought an object for it that would be ignored
     */
    static @Nullable Encryption of(RedisAddress address, StoreConfig config) throws StoreFailure {
        return of(address, config, address.tls());
    }

    /** Returns the encryption of connections to sentinels; null for none. */
    static @Nullable Encryption ofSentinels(RedisAddress address, SentinelAccess access, StoreConfig config)
            throws StoreFailure {
        return access.tls() ? of(address, config, true) : null;
    }

    private static @Nullable Encryption of(RedisAddress address, StoreConfig config, boolean tls) throws StoreFailure {
        SentinelAccess sentinels = address.sentinels();
        boolean anywhere = address.tls() || (sentinels != null && sentinels.tls());
        Optional<SSLContext> context = config.driverObject(SSLContext.class);
        Optional<JedisClientConfig> jedis =
                config.driverObject(JedisClientConfig.class).filter(Encryption::encrypts);
        Path certificates = address.certificates();
        if (context.isPresent() && !anywhere) {
            throw new IllegalArgumentException("an SSLContext was brought, but " + address
                    + " is not encrypted: write " + (sentinels == null ? "rediss://" : "rediss+sentinel://")
                    + ", or leave the SSLContext out");
        }
        if ((context.isPresent() ? 1 : 0) + (jedis.isPresent() ? 1 : 0) + (certificates != null ? 1 : 0) > 1) {
            throw new IllegalArgumentException("whom to trust is said more than once: use one of ca=FILE, an SSLContext"
                    + " and a JedisClientConfig with ssl, and leave out the others");
        }
        if (jedis.isPresent()) {
            return brought(jedis.get());
        }
        if (!tls) {
            return null;
        }
        SSLSocketFactory factory = context.isPresent()
                ? context.get().getSocketFactory()
                : certificates != null ? trusting(certificates) : (SSLSocketFactory) SSLSocketFactory.getDefault();
        return new Encryption(() -> factory, null, null, false);
    }

    private static boolean encrypts(JedisClientConfig jedis) {
        return jedis.isSsl() || jedis.getSslOptions() != null;
    }

    /** Jedis has newer names for some of this, which its earlier versions lack. */
    @SuppressWarnings("deprecation")
    private static Encryption brought(JedisClientConfig jedis) {
        SslOptions options = jedis.getSslOptions();
        if (options == null) {
            SSLSocketFactory own = jedis.getSslSocketFactory();
            SSLSocketFactory factory = own == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : own;
            return new Encryption(() -> factory, jedis.getSslParameters(), jedis.getHostnameVerifier(), false);
        }
        SSLParameters parameters = options.getSslParameters();
        // The options themselves say how much to check: SslVerifyMode.FULL, unless the application asked for less.
        boolean less = parameters != null && !isLikeBrowsers(parameters);
        return new Encryption(
                () -> options.createSslContext().getSocketFactory(), parameters, jedis.getHostnameVerifier(), less);
    }

    private static boolean isLikeBrowsers(SSLParameters parameters) {
        String algorithm = parameters.getEndpointIdentificationAlgorithm();
        return algorithm != null && !algorithm.isEmpty();
    }

    private static SSLSocketFactory trusting(Path file) throws StoreFailure {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + count++, each);
            }
            if (count == 0) {
                throw new StoreFailure(Effect.NONE, "there is no certificate in ca=" + file, null);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException | GeneralSecurityException e) {
            throw new StoreFailure(
                    Effect.NONE, "cannot read the certificates in ca=" + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the risks in how the server is reached.
     *
     * @param encryption the encryption; null for none
     * @param login whether there is a password
     * @param peer the host that the connection goes to
     */
    static List<String> warnings(@Nullable Encryption encryption, boolean login, InetAddress peer, String target) {
        if (encryption == null) {
            return login && !peer.isLoopbackAddress()
                    ? List.of("the password for Redis at " + target + " crosses the network in the clear, where others"
                            + " can read it and then take or free every lock: write rediss:// for redis://")
                    : List.of();
        }
        return encryption.anyHost && encryption.verifier == null
                ? List.of("the certificate of Redis at " + target + " may be for any host (the SslVerifyMode that was"
                        + " brought asks for no more), so another server can pose as it: use SslVerifyMode.FULL")
                : List.of();
    }

    /** Encrypts a connection; closing the returned socket also closes the given one. */
    SSLSocket over(Socket plain, String host, int port) throws IOException, GeneralSecurityException {
        SSLSocket socket = (SSLSocket) factory.get().createSocket(plain, host, port, true);
        SSLParameters wanted = parameters == null ? socket.getSSLParameters() : parameters;
        if (verifier == null && !anyHost && !isLikeBrowsers(wanted)) {
            wanted.setEndpointIdentificationAlgorithm(LIKE_BROWSERS);
        }
        socket.setSSLParameters(wanted);
        socket.startHandshake();
        if (verifier != null && !verifier.verify(host, socket.getSession())) {
            throw new SSLException("the certificate is not for " + host + ", says the verifier that was brought");
        }
        return socket;
    }
}
