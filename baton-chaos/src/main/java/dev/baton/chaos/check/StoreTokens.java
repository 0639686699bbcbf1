package dev.baton.chaos.check;

import dev.baton.spi.Protocol;

/** A client passes a hold of the store on to its own callers, each with a token of its own that begins with the store's. */
final class StoreTokens {
    private StoreTokens() {}

    /** Returns the number that the holds of callers have in common if their client had them as one hold of the store. */
    static long of(long token) {
        return token / Protocol.LOCAL_TOKENS;
    }

    /** Whether the first caller had the token: it may have told nothing, because its request failed or was cancelled. */
    static boolean isOfFirst(long token) {
        return token % Protocol.LOCAL_TOKENS == 0;
    }
}
