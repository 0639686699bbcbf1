package dev.baton.bench;

import dev.baton.bench.jvm.ChildJvm;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The child JVMs of a run. A contestant keeps its own JVMs for all its trials, so that its code is compiled once and
 * not for the work of other contestants. For one thread at a time.
 */
final class ChildJvms implements Team.Opener, AutoCloseable {
    private final Map<String, Deque<ChildJvm>> idle = new HashMap<>();

    @Override
    public Team open(Trial trial, Contestant contestant, Stage stage, int from, int to) throws Exception {
        Deque<ChildJvm> own = idle.computeIfAbsent(contestant.name(), name -> new ArrayDeque<>());
        ChildJvm waiting = own.poll();
        ChildJvm jvm = waiting == null ? ChildJvm.start(Child.class, Map.of()) : waiting;
        return ChildTeam.open(jvm, own::add, trial, contestant, stage, from, to);
    }

    @Override
    public void close() {
        idle.values().forEach(own -> own.forEach(ChildJvm::close));
    }
}
