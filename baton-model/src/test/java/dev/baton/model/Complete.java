package dev.baton.model;

/**
 * A run that visits every state within its bounds and finds no violation.
 *
 * @param run the run
 * @param states how many distinct states there are: another number means that the model has become another one
 */
record Complete(Run run, long states) {
    @Override
    public String toString() {
        return run.name();
    }
}
