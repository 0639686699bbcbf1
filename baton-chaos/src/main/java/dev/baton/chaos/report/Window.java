package dev.baton.chaos.report;

import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Happened;
import java.util.List;

/**
 * A part of a run that a picture shows.
 *
 * @param fromNanos its beginning
 * @param toNanos its end
 * @param lock whose holds are shown
 * @param faults for which it was chosen
 * @param findings that lie in it
 */
record Window(long fromNanos, long toNanos, String lock, List<Happened> faults, List<Finding> findings) {
    boolean overlaps(long from, long to) {
        return from <= toNanos && to >= fromNanos;
    }
}
