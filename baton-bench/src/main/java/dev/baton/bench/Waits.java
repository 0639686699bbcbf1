package dev.baton.bench;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/** Stores times in nanoseconds, and encodes them for other JVMs. */
final class Waits {
    /** Two digits give a precision of one per cent. */
    private static final int DIGITS = 2;

    private Waits() {}

    static Histogram none() {
        return new Histogram(DIGITS);
    }

    static Histogram sum(Iterable<Histogram> parts) {
        Histogram all = none();
        parts.forEach(all::add);
        return all;
    }

    /** Returns a percentile, or NaN if there are no times. */
    static double percentile(Histogram waits, double percent) {
        return waits.getTotalCount() == 0 ? Double.NaN : waits.getValueAtPercentile(percent);
    }

    static String encode(Histogram waits) {
        ByteBuffer bytes = ByteBuffer.allocate(waits.getNeededByteBufferCapacity());
        int length = waits.encodeIntoCompressedByteBuffer(bytes, Deflater.BEST_SPEED);
        byte[] encoded = new byte[length];
        bytes.rewind();
        bytes.get(encoded);
        return Base64.getEncoder().encodeToString(encoded);
    }

    static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a histogram", e);
        }
    }
}
