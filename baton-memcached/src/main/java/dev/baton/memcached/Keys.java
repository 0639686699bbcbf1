package dev.baton.memcached;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Keys of items: {@code NAMESPACE:NAME}, both as in a URL; what is too long for Memcached is hashed. Immutable.
 *
 * <p>A hash has no name in it, so every item has, and who finds another name than his own in an item says so.
 */
final class Keys {
    /** No key that is not hashed has a slash. */
    private static final String HASHED = "baton/";

    private static final int MAX_KEY_BYTES = 250;
    private static final String PLAIN = "-._~";

    private final String namespace;

    Keys(String namespace) {
        this.namespace = encode(namespace);
    }

    /** The key of a name's item. */
    String of(String name) {
        return shortened(namespace + ':' + encode(name));
    }

    /** The key of the namespace's descriptor. */
    String descriptor() {
        return shortened(namespace);
    }

    /** Whether a key may be that of a name of this namespace; what is in its item tells for sure. */
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

    /** Letters, digits and a few signs as they are, all else as in a URL. */
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
