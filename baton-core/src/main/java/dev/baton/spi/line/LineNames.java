package dev.baton.spi.line;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Names as parts of paths: letters, digits, {@code _ , ; = @ + :} and the hyphen stand for themselves, all other bytes of
 * the UTF-8 as {@code %2F}; so any name is possible, and people can read most.
 */
public final class LineNames {
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_,;=@+:";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private LineNames() {}

    /**
     * A name in plain letters.
     *
     * @param name any text
     * @return what {@link #decode} reads
     */
    public static String encode(String name) {
        StringBuilder text = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (each > 0 && PLAIN.indexOf(each) >= 0) {
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
     * @param encoded what {@link #encode} made
     * @return the name, or empty for anything else
     */
    public static Optional<String> decode(String encoded) {
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char each = encoded.charAt(i);
            if (PLAIN.indexOf(each) >= 0) {
                bytes.put((byte) each);
            } else if (each == '%' && i + 2 < encoded.length() && isHex(encoded, i + 1) && isHex(encoded, i + 2)) {
                bytes.put((byte) HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            } else {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }

    private static boolean isHex(String text, int at) {
        return HexFormat.isHexDigit(text.charAt(at));
    }
}
