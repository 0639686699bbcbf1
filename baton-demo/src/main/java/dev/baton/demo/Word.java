package dev.baton.demo;

/** What parent and children say to each other, one word a line. */
enum Word {
    /** Child: connected and waiting. */
    UP,
    /** Parent to seller: the next wave of buyers comes. */
    OPEN,
    /** Seller: this wave is through. */
    IDLE,
    /** Parent to villain: get into position. */
    ENGAGE,
    /** Villain: in position. */
    READY,
    /** Parent to villain: go on. */
    FINISH,
    /** Villain: over. */
    DONE,
    /** Parent to seller: go home. */
    STOP,
    /** Seller, with the times that its buyers waited, in microseconds. */
    WAITED,
    /** Child, with a message. */
    STORE_FAILED,
    /** Child, with a message. */
    FAILED
}
