package dev.baton.chaos.history;

/**
 * A run of a job, as its runner saw it. Times are of {@link HostTime}.
 *
 * @param client the number of its JVM
 * @param job the name
 * @param fireTime in milliseconds
 * @param attempt which attempt its runner was told that it is
 * @param lastSuccess the fire time of the last success that its runner found in the record, beside its own; {@link #NONE} if
 *     it found none, or had no answer
 * @param beganNanos when the action began, after that look
 * @param held whether its runner still held the job's lock after that. A process that is stopped between the engine's last
 *     check and the action begins when it goes on, and then another runner may have come and gone
 * @param workedNanos when the action had come to its end; {@link Hold#NEVER} if it never did
 * @param endedNanos when its runner knew that its success was recorded; {@link Hold#NEVER} if it never did
 */
public record Run(
        int client,
        String job,
        long fireTime,
        int attempt,
        long lastSuccess,
        long beganNanos,
        boolean held,
        long workedNanos,
        long endedNanos) {
    /** No fire time. */
    public static final long NONE = -1;

    /** Whether its success is recorded for certain. */
    public boolean isRecorded() {
        return endedNanos != Hold.NEVER;
    }

    Run workedAt(long nanos) {
        return new Run(client, job, fireTime, attempt, lastSuccess, beganNanos, held, nanos, endedNanos);
    }

    Run recordedAt(long nanos) {
        return new Run(client, job, fireTime, attempt, lastSuccess, beganNanos, held, workedNanos, nanos);
    }

    @Override
    public String toString() {
        return "attempt " + attempt + " of client " + client + " for " + fireTime;
    }
}
