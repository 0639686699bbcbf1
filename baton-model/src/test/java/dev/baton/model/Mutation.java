package dev.baton.model;

/**
 * A complete run with one rule switched off, which must find a violation.
 *
 * @param rule the rule, in words
 * @param whole the complete run: within its bounds the rule makes the difference
 * @param run the run without the rule, which checks one invariant
 * @param trace how many states the shortest way to the violation has, with the first
 */
record Mutation(String rule, Run whole, Run run, int trace) {
    String invariant() {
        return run.invariants().get(0);
    }

    String change() {
        return run.differenceTo(whole);
    }

    @Override
    public String toString() {
        return run.name();
    }
}
