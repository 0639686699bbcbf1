package dev.baton.tck.history;

/**
 * Two holds that a mutex does not allow.
 *
 * @param before the hold that came first
 * @param hold the hold that must not be as it is
 * @param relation how the second stands to the first, in words
 */
public record Violation(HoldRecord before, HoldRecord hold, String relation) {
    /** Returns a sentence with all that is known of both. */
    public String message() {
        return hold + " " + relation + " " + before;
    }
}
