package dev.baton.chaos.check;

import java.util.List;

/** Checks one promise. */
public interface Checker {
    /** Returns the promise, in a word. */
    String promise();

    /** Returns what is not as promised. */
    List<Finding> check(Evidence evidence);
}
