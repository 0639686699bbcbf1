package dev.baton.servers;

import java.nio.charset.StandardCharsets;

/** The slots of a Redis Cluster. */
final class HashSlot {
    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int TOP_BIT = 0x8000;
    private static final int ALL_BITS = 0xFFFF;

    private HashSlot() {}

    /** Returns the slot of a key: of the part in its first braces, if there is one. */
    static int of(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        boolean tagged = open >= 0 && close > open + 1;
        return crc16((tagged ? key.substring(open + 1, close) : key).getBytes(StandardCharsets.UTF_8)) % COUNT;
    }

    /** Returns the CRC with the polynomial of XMODEM. */
    private static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte each : bytes) {
            crc ^= (each & 0xFF) << Byte.SIZE;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = ((crc << 1) ^ ((crc & TOP_BIT) == 0 ? 0 : POLYNOMIAL)) & ALL_BITS;
            }
        }
        return crc;
    }
}
