package dev.baton.chaos.zoo;

/** How much a release gives back. */
enum Giving {
    /** The permits that its holder still has. */
    WHAT_IS_HELD("if redis.call('HDEL', KEYS[1], ARGV[1]) == 1 then used = used - weight done = 1 end\n"),
    /** The permits that its holder had taken. */
    WHAT_WAS_TAKEN("done = redis.call('HDEL', KEYS[1], ARGV[1]) used = used - weight\n");

    private final String step;

    Giving(String step) {
        this.step = step;
    }

    /** Returns whether the hold was there. */
    boolean free(Redis redis, Claim claim) {
        return claim.run(redis, step);
    }
}
