package dev.baton.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key and a self-signed certificate for localhost and 127.0.0.1, made once per JVM with the JDK's keytool. Immutable.
 */
final class ServerCertificate {
    private static final String ALIAS = "server";
    private static final String OWN = "own";
    private static final String PASSWORD = "changeit";
    private static final int LINE = 64;

    /** The one certificate of this JVM. */
    private static final class Made {
        private static final ServerCertificate CERTIFICATE = make();
    }

    private final Key key;
    private final Certificate certificate;

    private ServerCertificate(Key key, Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    static ServerCertificate get() {
        return Made.CERTIFICATE;
    }

    private static ServerCertificate make() {
        Path directory = ScratchDirectory.create();
        try {
            Path file = directory.resolve("server.p12");
            keytool(file);
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream bytes = Files.newInputStream(file)) {
                store.load(bytes, PASSWORD.toCharArray());
            }
            return new ServerCertificate(store.getKey(ALIAS, PASSWORD.toCharArray()), store.getCertificate(ALIAS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } finally {
            ScratchDirectory.delete(directory);
        }
    }

    private static void keytool(Path file) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-startdate",
                        "-1d",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!Files.exists(file)) {
            throw new IOException("keytool made no certificate: " + output);
        }
    }

    /** Writes the key as PEM. */
    void writeKey(Path file) throws IOException {
        Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
    }

    /** Writes the certificate as PEM. */
    void writeCertificate(Path file) throws IOException {
        try {
            Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String what, byte[] content) {
        String text = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    /** Returns an SSL context that trusts only this certificate and shows it to servers that ask for one. */
    SSLContext trust() {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(ALIAS, certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            store.setKeyEntry(OWN, key, PASSWORD.toCharArray(), new Certificate[] {certificate});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
