package dev.baton.internal.work;

import dev.baton.spi.Protocol;
import java.nio.ByteBuffer;
import java.util.Optional;

/** What a leader wrote, with the token of its term in front: a note outlives the term. */
final class LeaderNote {
    /** The most bytes of the leader's own. */
    static final int MOST = 1_000;

    private final long token;
    private final byte[] bytes;

    /**
     * Creates a note.
     *
     * @param token the public token of the term
     * @param bytes the leader's own bytes
     */
    LeaderNote(long token, byte[] bytes) {
        this.token = token;
        this.bytes = bytes;
    }

    /** Reads a note; empty if no leader wrote it. */
    static Optional<LeaderNote> of(byte[] note) {
        if (note.length < Long.BYTES) {
            return Optional.empty();
        }
        ByteBuffer buffer = ByteBuffer.wrap(note);
        long token = buffer.getLong();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return Optional.of(new LeaderNote(token, bytes));
    }

    byte[] note() {
        return ByteBuffer.allocate(Long.BYTES + bytes.length)
                .putLong(token)
                .put(bytes)
                .array();
    }

    byte[] bytes() {
        return bytes;
    }

    /** Whether it was written under the hold with this store token. */
    boolean isOfHold(long storeToken) {
        return token / Protocol.LOCAL_TOKENS == storeToken;
    }
}
