package dev.baton.internal.ordered;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Names as parts of paths: letters, digits, {@code _ , ; = @ + :} and the hyphen stand for themselves; all other bytes
 * of the UTF-8 are written like {@code %2F}. Any name is thus possible, and most stay readable.
 */
public final class OrderedNames {
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_,;=@+:";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** The plain characters, by code. A table, because a listing reads each byte of each name, up to 300 MB. */
    private static final boolean[] IS_PLAIN = new boolean[128];

    /** The digit value of each character, by code; -1 for others. */
    private static final byte[] DIGIT = new byte[128];

    static {
        for (int i = 0; i < IS_PLAIN.length; i++) {
            IS_PLAIN[i] = PLAIN.indexOf(i) >= 0;
            DIGIT[i] = (byte) Character.digit(i, 16);
        }
    }

    private OrderedNames() {}

    /**
     * Returns a name in plain characters.
     *
     * @param name any text
     * @return text that {@link #decode} reads
     */
    public static String encode(String name) {
        StringBuilder text = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain((char) (each & 0xff))) {
                text.append((char) each);
            } else {
                text.append('%').append(HEX.toHexDigits(each));
            }
        }
        return text.toString();
    }

    /**
     * Reads an encoded name.
     *
     * @param encoded a text, as {@link #encode} makes it
     * @return the name, or empty for anything else
     */
    public static Optional<String> decode(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int length = 0;
        for (int i = 0; i < encoded.length(); i++) {
            char each = encoded.charAt(i);
            if (isPlain(each)) {
                bytes[length++] = (byte) each;
            } else if (each == '%' && i + 2 < encoded.length()) {
                int value = digit(encoded.charAt(i + 1)) << 4 | digit(encoded.charAt(i + 2));
                if (value < 0) {
                    return Optional.empty();
                }
                bytes[length++] = (byte) value;
                i += 2;
            } else {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString());
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(char each) {
        return each < IS_PLAIN.length && IS_PLAIN[each];
    }

    /** Returns the digit's value; negative if the character is no digit. */
    private static int digit(char each) {
        return each < DIGIT.length ? DIGIT[each] : -1;
    }
}
