package dev.baton.chaos.zoo;

/** When a holder is told that it lost the lock. */
enum Notice {
    /** When a renewal was refused before the release began. */
    REFUSED_WHILE_HELD,
    /** When a renewal was refused at any time. */
    REFUSED_AT_ANY_TIME,
    /** When a renewal was refused or got no answer. */
    UNANSWERED
}
