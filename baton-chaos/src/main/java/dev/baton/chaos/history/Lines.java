package dev.baton.chaos.history;

/** The first words of the lines of a history. */
final class Lines {
    static final String BEGAN = "began";
    static final String ENDED = "ended";
    static final String NOTED = "noted";
    static final String RUN = "run";
    static final String WORKED = "worked";
    static final String RAN = "ran";
    static final String LOST = "lost";
    static final String FAILED = "failed";
    static final String REFUSED = "refused";
    static final String SAID = "said";
    static final String LAST = "last";

    private Lines() {}
}
