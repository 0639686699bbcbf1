package dev.baton.chaos.zoo;

/** How a reader asks to write. */
enum Upgrade {
    /** It has to stop reading first. */
    AFTER_READING,
    /** It goes on reading, and waits until all readers have gone. */
    WHILE_READING
}
