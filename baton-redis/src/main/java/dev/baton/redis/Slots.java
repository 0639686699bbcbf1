package dev.baton.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The slot of a key on a cluster: CRC16 of the key, or of its hash tag, modulo 16384 (Redis documentation, "Redis cluster
 * specification", "Hash tags" and appendix A, CRC16-CCITT in the variant of XMODEM).
 */
final class Slots {
    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int TOP_BIT = 0x8000;
    private static final int CRC_BITS = 0xFFFF;

    private Slots() {}

    static int of(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return crc(tag(bytes)) % COUNT;
    }

    /** Returns the part between the first opening brace and the next closing one, if it is not empty; else all. */
    private static byte[] tag(byte[] key) {
        int from = indexOf(key, '{', 0);
        int to = from < 0 ? -1 : indexOf(key, '}', from + 1);
        return to <= from + 1 ? key : Arrays.copyOfRange(key, from + 1, to);
    }

    private static int indexOf(byte[] key, char wanted, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int crc(byte[] bytes) {
        int crc = 0;
        for (byte each : bytes) {
            crc ^= (each & 0xFF) << Byte.SIZE;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = (crc & TOP_BIT) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            crc &= CRC_BITS;
        }
        return crc;
    }
}
