package dev.baton.tck.sim;

/** The rules of the protocol. Each can be switched off, to prove that the simulator notices it. */
public enum BrokenRule {
    /** A client counts its belief from the arrival of an answer instead of the sending of the request. */
    SAFE_DEADLINE,
    /** Attempts leave no marks: a late request of a finished attempt is processed again. */
    ONCE,
    /** Tokens are a plain counter. */
    HYBRID_TOKENS,
    /** Waiters rely on pushes and never ask. */
    PUSH_IS_A_HINT,
    /** A server that may have lost its records grants new holds at once. */
    GRACE,
    /** Nobody ends an overdue hold in a session that goes on. */
    FAILED_RELEASE,
    /** At a server that waits for its replica, a client believes in a hand-off that no replica may have. */
    CONFIRMED_HAND_OFF,
    /** A server gives every hold a weight of one: a writer leaves room for readers, and two permits take one. */
    WEIGHT,
    /** A server forgets for how long a released lock is to be kept. */
    KEPT,
    /** A server takes a note without asking whether its writer has a hold. */
    NOTE_HOLD,
    /** A server does not compare notes: the one that comes last stays. */
    NOTE_ORDER,
    /** A client does not offer its notes to a server that may have forgotten them. */
    NOTE_OFFERS,
    /** A server takes back notes at any time. */
    NOTE_GRACE,
    /** A server takes the notes of holders that share a name. */
    NOTE_SHARED
}
