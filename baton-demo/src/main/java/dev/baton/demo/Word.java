package dev.baton.demo;

/** The messages between parent and children, one word a line. */
enum Word {
    /** Child: connected and waiting. */
    UP,
    /** Parent to seller: start the next wave of buyers. */
    OPEN,
    /** Seller: this wave is done. */
    IDLE,
    /** Parent to villain: get into position. */
    ENGAGE,
    /** Villain: in position. */
    READY,
    /** Parent to villain: go on. */
    FINISH,
    /** Villain: done. */
    DONE,
    /** Parent to seller: stop. */
    STOP,
    /** Seller, with the times that its buyers waited, in microseconds. */
    WAITED,
    /** Child, with a message. */
    STORE_FAILED,
    /** Child, with a message. */
    FAILED
}
