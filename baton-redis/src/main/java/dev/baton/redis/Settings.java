package dev.baton.redis;

import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/** What Jedis is told, from the address and from what the application brought. */
final class Settings {
    private Settings() {}

    static JedisClientConfig of(RedisAddress address, StoreConfig config) throws StoreFailure {
        int connectMillis = (int)
                Math.max(1, Math.min(Integer.MAX_VALUE, config.connectTimeout().toMillis()));
        Optional<JedisClientConfig> brought = config.resource(JedisClientConfig.class);
        DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder();
        brought.ifPresent(builder::from);
        builder.protocol(RedisProtocol.RESP2)
                .connectionTimeoutMillis(connectMillis)
                .socketTimeoutMillis(connectMillis)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .clientName("baton-" + config.clientId().substring(0, 6));
        if (address.user() != null) {
            builder.user(address.user());
        }
        if (address.password() != null) {
            builder.password(address.password());
        }
        if (address.database() != 0) {
            builder.database(address.database());
        }
        return builder.build();
    }

    /** What encrypts; null where nothing does, or where the configuration that was brought sees to it. */
    static @Nullable SSLSocketFactory encryption(RedisAddress address, JedisClientConfig jedis, StoreConfig config)
            throws StoreFailure {
        if (!address.tls() || jedis.isSsl()) {
            return null;
        }
        Optional<SSLContext> brought = config.resource(SSLContext.class);
        if (brought.isPresent()) {
            return brought.get().getSocketFactory();
        }
        Path certificates = address.certificates();
        return certificates != null ? trusting(certificates) : (SSLSocketFactory) SSLSocketFactory.getDefault();
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
}
