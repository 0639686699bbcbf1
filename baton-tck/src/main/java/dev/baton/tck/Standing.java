package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Election;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A candidate, and the calls of its listener. */
final class Standing implements Election.Listener {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<Election.Term> terms = new CopyOnWriteArrayList<>();
    private final AtomicInteger leading;
    private volatile long endedNanos;
    private volatile long startedNanos;

    Standing(AtomicInteger leading) {
        this.leading = leading;
    }

    @Override
    public void started(Election.Term term) {
        startedNanos = System.nanoTime();
        leading.incrementAndGet();
        terms.add(term);
        heard.add("started");
    }

    @Override
    public void ended(Election.Term term) {
        heard.add("ended");
        leading.decrementAndGet();
        endedNanos = System.nanoTime();
    }

    /** Returns when the listener heard of its last start, in nanoseconds of {@link System#nanoTime}. */
    long startedNanos() {
        return startedNanos;
    }

    /** Returns when the listener heard of its last end. */
    long endedNanos() {
        return endedNanos;
    }

    /** Returns the calls of the listener so far. */
    List<String> heard() {
        return List.copyOf(heard);
    }

    boolean leads() {
        return !terms.isEmpty() && last().isLeading();
    }

    Election.Term last() {
        return terms.get(terms.size() - 1);
    }

    void assertAlternates() {
        List<String> calls = List.copyOf(heard);
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i)).isEqualTo(i % 2 == 0 ? "started" : "ended");
        }
    }
}
