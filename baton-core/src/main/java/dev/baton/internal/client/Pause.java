package dev.baton.internal.client;

/** Lets time pass; returns early when the client is closed. */
@FunctionalInterface
interface Pause {
    void nanos(long nanos) throws InterruptedException;
}
