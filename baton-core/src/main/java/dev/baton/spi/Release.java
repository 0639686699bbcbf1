package dev.baton.spi;

/**
 * Ends a hold, and grants the resource to the head of the queue in the same step.
 *
 * @param resource the held resource
 * @param attempt the attempt that was granted
 * @param token its store token; a store never frees a hold with another token
 * @param number this command's own number
 * @param failed whether the holder lost the hold instead of giving it back: its lock-delay begins now. Only stores whose
 *     holds belong to sessions are told; all others end a hold at its deadline themselves
 * @param keepMicros how long the store grants the resource to no client from now on, if this ends the hold; 0 to grant it
 *     at once. That time belongs to no client: it goes on when this one is gone. Never beside a hold of others
 * @since 0.1
 */
public record Release(
        Resource resource, long attempt, long token, CommandNumber number, boolean failed, long keepMicros) {
    /**
     * The release of a hold that its holder gives back.
     *
     * @param resource the held resource
     * @param attempt the attempt that was granted
     * @param token its store token
     * @param number this command's own number
     */
    public Release(Resource resource, long attempt, long token, CommandNumber number) {
        this(resource, attempt, token, number, false, 0);
    }

    /**
     * The answer.
     *
     * @param stamp server and time
     * @param released false if there was no such hold, or none any more
     */
    public record Reply(Stamp stamp, boolean released) {}
}
