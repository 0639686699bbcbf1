package dev.baton.chaos.check;

import java.util.ArrayList;
import java.util.List;

/** All checkers. */
public final class Checkers {
    private static final List<Checker> ALL = List.of(
            new MutexChecker(),
            new OverlapChecker(),
            new FenceChecker(),
            new CounterChecker(),
            new NoteChecker(),
            new RunChecker(),
            new LossChecker(),
            new LivenessChecker(),
            new ResidueChecker(),
            new TroubleChecker());

    private Checkers() {}

    /** Returns them. */
    public static List<Checker> all() {
        return ALL;
    }

    /** Runs checkers. */
    public static List<Finding> run(List<Checker> checkers, Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        checkers.forEach(checker -> findings.addAll(checker.check(evidence)));
        return findings;
    }
}
