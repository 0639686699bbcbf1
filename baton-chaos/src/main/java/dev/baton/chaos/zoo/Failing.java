package dev.baton.chaos.zoo;

/** How a request for several names ends when its time is over, and it has some of them. */
enum Failing {
    /** It gives them back. */
    GIVES_BACK,
    /** It leaves them to their watchdog. */
    KEEPS
}
