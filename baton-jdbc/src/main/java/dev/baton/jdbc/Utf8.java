package dev.baton.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Text in columns of bytes. Only this class makes and reads the bytes, never a driver or server, whose conversions
 * depend on the character set, collation and padding of a connection: two clients could mean different names by equal
 * bytes.
 */
final class Utf8 {
    /** Greater than the first byte of any character. */
    private static final byte BEYOND = (byte) 0xFF;

    private Utf8() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the bytes as hexadecimal digits, which no character set, escape or quotation can change on their way. */
    static byte[] hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns bytes that sort behind every text with a prefix, and before all others that sort behind it. */
    static byte[] beyond(String prefix) {
        byte[] start = bytes(prefix);
        byte[] end = Arrays.copyOf(start, start.length + 1);
        end[start.length] = BEYOND;
        return end;
    }

    /** Reads a column of bytes. */
    static @Nullable String text(ResultSet rows, int column) throws SQLException {
        byte[] bytes = rows.getBytes(column);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
