package dev.baton.spi;

/**
 * What a name stands for. Recorded at the store with the first hold; another kind under the same name is refused.
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
