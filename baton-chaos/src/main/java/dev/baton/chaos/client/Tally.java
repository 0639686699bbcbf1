package dev.baton.chaos.client;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what the callers of a JVM do when no history is written. Thread-safe. */
final class Tally {
    private final AtomicLong passes = new AtomicLong();
    private final AtomicLong exceptions = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    void pass() {
        passes.incrementAndGet();
    }

    void exception() {
        exceptions.incrementAndGet();
    }

    /** The register refused a holder that still held. */
    void refusal() {
        refused.incrementAndGet();
    }

    long passes() {
        return passes.get();
    }

    long exceptions() {
        return exceptions.get();
    }

    long refused() {
        return refused.get();
    }
}
