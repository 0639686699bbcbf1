package dev.baton.memcached;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Keys of items: {@code NAMESPACE:NAME}, both encoded as in a URL; a key that is too long for Memcached is hashed.
 * Immutable.
 *
 * <p>A hash does not contain the name, so every item does; a client that finds another name in an item reports it.
 */
final class Keys {
    /** A key that is not hashed contains no slash. */
    private static final String HASHED = "baton/";

    private static final int MAX_KEY_BYTES = 250;
    private static final String PLAIN = "-._~";

    private final String namespace;

    Keys(String namespace) {
        this.namespace = encode(namespace);
    }

    /** Returns the key of a name's item. */
    String of(String name) {
        return shortened(namespace + ':' + encode(name));
    }

    /** Returns the key of the namespace's descriptor. */
    String descriptor() {
        return shortened(namespace);
    }

    /** Returns whether a key may belong to a name of this namespace; only the contents of its item tell for sure. */
    boolean mayBeOurs(String key) {
        return key.startsWith(namespace + ':') || key.startsWith(HASHED);
    }

    private static String shortened(String key) {
        return key.length() <= MAX_KEY_BYTES ? key : HASHED + hash(key);
    }

    private static String hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** Keeps letters, digits and a few signs, and encodes everything else as in a URL. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return encoded.toString();
    }
}
