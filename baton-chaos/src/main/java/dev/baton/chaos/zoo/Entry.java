package dev.baton.chaos.zoo;

/** Who may take a part of a name. */
enum Entry {
    /** A hold that fits beside all others. */
    IF_IT_FITS("if used + weight <= tonumber(ARGV[4]) then hold() used = used + weight end\n"),
    /** A writer if no other is there; a reader at any time. */
    READERS_ALWAYS("if used == 0 or weight < tonumber(ARGV[4]) then hold() used = used + weight end\n");

    private final String step;

    Entry(String step) {
        this.step = step;
    }

    /** Returns whether the part was taken. */
    boolean enter(Redis redis, Claim claim) {
        return claim.run(redis, step);
    }
}
