package dev.baton.tck.sim;

/** The five rules of the protocol, each of which can be switched off to see that the simulator notices. */
public enum BrokenRule {
    /** Belief counts from the arrival of an answer instead of its request's sending. */
    SAFE_DEADLINE,
    /** Attempts leave no marks: late requests of finished attempts are served again. */
    ONCE,
    /** Tokens are a plain counter. */
    HYBRID_TOKENS,
    /** Waiters rely on pushes and never ask. */
    PUSH_IS_A_HINT,
    /** A server that may have forgotten grants at once. */
    GRACE
}
