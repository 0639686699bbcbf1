package dev.baton.chaos.history;

/**
 * A run of a job, as its runner saw it. Times are of {@link HostTime}.
 *
 * @param client the number of its JVM
 * @param job the name
 * @param fireTime in milliseconds
 * @param attempt which attempt its runner was told that it is
 * @param beganNanos when the action began
 * @param endedNanos when its runner knew that its success was recorded; {@link Hold#NEVER} if it never did
 */
public record Run(int client, String job, long fireTime, int attempt, long beganNanos, long endedNanos) {
    /** Whether its success is recorded for certain. */
    public boolean isRecorded() {
        return endedNanos != Hold.NEVER;
    }

    @Override
    public String toString() {
        return "attempt " + attempt + " of client " + client + " for " + fireTime;
    }
}
