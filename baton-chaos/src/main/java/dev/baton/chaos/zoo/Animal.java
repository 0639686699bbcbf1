package dev.baton.chaos.zoo;

import java.util.List;

/**
 * A lock with one defect.
 *
 * @param name its name
 * @param defect in a sentence
 * @param source where it is known from
 * @param fault the fault that brings the defect out; {@link #CONTENTION} if several callers suffice
 * @param promises which checkers catch it; the first is the one that is meant, the others follow from it
 * @param protocol its steps
 * @param repaired the steps of its twin without the defect
 */
public record Animal(
        String name,
        String defect,
        String source,
        String fault,
        List<String> promises,
        Protocol protocol,
        Protocol repaired) {
    /** No fault, but a second caller. */
    public static final String CONTENTION = "contention";

    static final String PREFIX = "zoo:";
    static final String REPAIRED = "-repaired";

    /** Returns the name of the broken lock as a subject. */
    public String subject() {
        return PREFIX + name;
    }

    /** Returns the name of the repaired lock as a subject. */
    public String repairedSubject() {
        return subject() + REPAIRED;
    }

    /** Returns the promise that it breaks. */
    public String promise() {
        return promises.get(0);
    }
}
