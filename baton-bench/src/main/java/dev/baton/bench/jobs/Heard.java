package dev.baton.bench.jobs;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The news that a product gave the listeners of a node. Thread-safe. */
final class Heard {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    void tell(String line) {
        lines.add(line);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
