package dev.baton.spi;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * Rules that all stores and clients of a namespace share. Any change to them is a new protocol version.
 *
 * @since 0.1
 */
public final class Protocol {
    /** Version of the record formats and rules. A namespace written by another version is refused. */
    public static final int VERSION = 2;

    /** Number of buckets for names. Stores keep high water and marks per bucket, never per name. */
    public static final int BUCKETS = 64;

    /** Longest name, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 1024;

    /**
     * Local hand-offs under one store token have numbers n = 0 … 254; a public token is {@code storeToken * 256 + n}. The
     * last number, 255, is for readers.
     */
    public static final int LOCAL_TOKENS = 256;

    /** 2025-01-01T00:00:00Z in microseconds: tokens count from here, which keeps public tokens below 2^53 until 2094. */
    public static final long TOKEN_EPOCH_MICROS = 1_735_689_600_000_000L;

    /** How long stores keep the marks of a silent client: longer than any command can be in flight. */
    public static final long MARK_MICROS = 3_600_000_000L;

    /** Store tokens stay below 2^45, so that public tokens stay below 2^53 and are exact in Lua, JSON and JavaScript. */
    public static final long MAX_STORE_TOKEN = (1L << 45) - 1;

    /** A day of tokens. A push whose token is further ahead of the clock is not believed without asking the store. */
    private static final long TOKENS_AHEAD = clockToken(TOKEN_EPOCH_MICROS + 86_400_000_000L);

    /**
     * The order of names: that of their UTF-8 bytes, which is the order of their code points. That of
     * {@link String#compareTo} is another one beyond U+FFFF.
     */
    public static final Comparator<String> NAME_ORDER = Protocol::compareNames;

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int ID_BYTES = 16;

    private Protocol() {}

    /**
     * Makes an identity for a client or a namespace. No two ever meet by chance.
     *
     * @return 128 random bits in 32 hexadecimal digits
     */
    public static String newId() {
        byte[] bits = new byte[ID_BYTES];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /**
     * Returns the public token of the first lease of a hold that is not shared.
     *
     * @param storeToken the hold's token
     * @return the smallest public token under it
     */
    public static long firstToken(long storeToken) {
        return storeToken * LOCAL_TOKENS;
    }

    /**
     * Returns the public token of all readers that hold under one store token, in any client. It is greater than that of
     * any writer under it: a writer that has become a reader may have got the lock from others of its client, which
     * the store does not know.
     *
     * @param storeToken the token of the readers' holds
     * @return the greatest public token under it
     */
    public static long sharedToken(long storeToken) {
        return firstToken(storeToken) + LOCAL_TOKENS - 1;
    }

    private static int compareNames(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // Surrogates stand for what is beyond U+FFFF, and so come last.
                boolean sameSort = Character.isSurrogate(a) == Character.isSurrogate(b);
                return sameSort ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    /**
     * Returns the bucket of a name: CRC-32 of its UTF-8 bytes, modulo {@link #BUCKETS}.
     *
     * @param name a resource's name
     * @return 0 … 63
     */
    public static int bucketOf(String name) {
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % BUCKETS);
    }

    /**
     * Returns the next store token of a bucket, a hybrid of counter and clock. The counter keeps tokens growing while
     * the data survives. The clock, in sixteenths of a millisecond, keeps them growing if the counter is lost. The
     * order breaks only if the data is lost <em>and</em> the clock steps back.
     *
     * @param highWater the largest token granted in the bucket so far
     * @param nowMicros the store's clock
     * @return a token greater than {@code highWater}
     */
    public static long nextToken(long highWater, long nowMicros) {
        return Math.max(highWater + 1, clockToken(nowMicros));
    }

    /**
     * Returns whether a hybrid token fits the clock of the server that claims to have drawn it. High water may run
     * ahead of the clock, by a burst of grants or because the clock was set back, but not by more than a day.
     *
     * @param token a store token
     * @param nowMicros the server's clock
     * @return false if no honest server is likely to have drawn it
     */
    public static boolean isPlausible(long token, long nowMicros) {
        return token > 0 && token <= Math.max(0, clockToken(nowMicros)) + TOKENS_AHEAD;
    }

    /**
     * Returns the clock's part of a hybrid token.
     *
     * @param nowMicros the store's clock
     * @return sixteenths of a millisecond since {@link #TOKEN_EPOCH_MICROS}
     */
    public static long clockToken(long nowMicros) {
        return (nowMicros - TOKEN_EPOCH_MICROS) * 2 / 125;
    }
}
