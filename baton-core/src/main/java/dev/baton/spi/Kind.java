package dev.baton.spi;

/**
 * The kind of a lock. A store records it with a name's first hold, and then refuses another kind under that name.
 *
 * @since 0.1
 */
public enum Kind {
    /** One hold at a time: capacity 1. */
    LOCK,
    /** Readers weigh 1, a writer weighs the whole capacity. */
    READ_WRITE,
    /** Up to the capacity may be held at once, in weights of the holders' choice. */
    SEMAPHORE
}
