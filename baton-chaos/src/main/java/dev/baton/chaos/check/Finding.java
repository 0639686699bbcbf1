package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;
import java.util.List;

/**
 * A promise that was not kept.
 *
 * @param promise which
 * @param name the lock; empty if it concerns none
 * @param fromNanos when it began to go wrong
 * @param toNanos when it had gone wrong
 * @param message what is wrong
 * @param excused whether the store had been made to forget, or to end leases early, so that this is not promised
 * @param holds that it concerns; empty if it concerns none
 */
public record Finding(
        String promise, String name, long fromNanos, long toNanos, String message, boolean excused, List<Hold> holds) {
    Finding withoutExcuse() {
        return new Finding(promise, name, fromNanos, toNanos, message, false, holds);
    }
}
