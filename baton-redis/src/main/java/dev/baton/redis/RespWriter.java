package dev.baton.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Commands in RESP, one after the other in one growing array. Not thread-safe. */
final class RespWriter {
    private static final byte[] NEW_LINE = {'\r', '\n'};
    private static final int LONGEST_NUMBER = 20;

    private byte[] bytes = new byte[8 * 1024];
    private int size;
    private final byte[] digits = new byte[LONGEST_NUMBER];

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** Drops everything behind a size. */
    void truncate(int newSize) {
        size = newSize;
    }

    /** Begins a command with the given number of arguments. */
    RespWriter command(int arguments) {
        return line('*', arguments);
    }

    /** Adds bytes that are already RESP. */
    RespWriter raw(byte[] encoded) {
        append(encoded, encoded.length);
        return this;
    }

    RespWriter bulk(byte[] value) {
        line('$', value.length);
        append(value, value.length);
        append(NEW_LINE, NEW_LINE.length);
        return this;
    }

    /** Adds one argument of two parts. */
    RespWriter bulk(byte[] start, byte[] end) {
        line('$', start.length + end.length);
        append(start, start.length);
        append(end, end.length);
        append(NEW_LINE, NEW_LINE.length);
        return this;
    }

    /** Begins an argument of the given length; its parts follow, and then {@link #end}. */
    RespWriter begin(int length) {
        return line('$', length);
    }

    /** Adds everything that another writer has written. */
    RespWriter part(RespWriter other) {
        append(other.bytes, other.size);
        return this;
    }

    /** Adds one byte: a letter, or a whole number below 256. */
    RespWriter octet(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Adds a whole number of four bytes, little-endian. */
    RespWriter fourOctets(int value) {
        ensure(Integer.BYTES);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    RespWriter part(byte[] value) {
        append(value, value.length);
        return this;
    }

    /** Adds a number in the scripts' format: a little-endian double, exact for whole numbers below 2^53. */
    RespWriter part(long value) {
        ensure(Double.BYTES);
        long bits = Double.doubleToRawLongBits((double) value);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (bits >>> shift);
        }
        return this;
    }

    /** Adds eight bytes, little-endian, which scripts pass on and do not read. */
    RespWriter eightOctets(long value) {
        ensure(Long.BYTES);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    RespWriter end() {
        append(NEW_LINE, NEW_LINE.length);
        return this;
    }

    RespWriter bulk(String value) {
        return bulk(value.getBytes(StandardCharsets.UTF_8));
    }

    RespWriter bulk(long value) {
        int start = format(value);
        line('$', LONGEST_NUMBER - start);
        start = format(value);
        ensure(LONGEST_NUMBER);
        System.arraycopy(digits, start, bytes, size, LONGEST_NUMBER - start);
        size += LONGEST_NUMBER - start;
        append(NEW_LINE, NEW_LINE.length);
        return this;
    }

    private RespWriter line(char type, int number) {
        int start = format(number);
        ensure(1 + LONGEST_NUMBER);
        bytes[size++] = (byte) type;
        System.arraycopy(digits, start, bytes, size, LONGEST_NUMBER - start);
        size += LONGEST_NUMBER - start;
        append(NEW_LINE, NEW_LINE.length);
        return this;
    }

    /** Writes a number to the end of {@link #digits}, and returns where it starts. */
    private int format(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("no argument is negative, but " + value + " is");
        }
        int at = LONGEST_NUMBER;
        long left = value;
        do {
            digits[--at] = (byte) ('0' + left % 10);
            left /= 10;
        } while (left > 0);
        return at;
    }

    private void append(byte[] source, int length) {
        ensure(length);
        System.arraycopy(source, 0, bytes, size, length);
        size += length;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
