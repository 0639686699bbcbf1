package dev.baton.spi;

/**
 * Ends a hold, and hands it to the head of the queue in the same step.
 *
 * @param resource what is held
 * @param attempt the attempt that was granted
 * @param token its store token; another token is never freed
 * @param number this command's own number
 * @since 0.1
 */
public record Release(Resource resource, long attempt, long token, CommandNumber number) {
    /**
     * The answer.
     *
     * @param stamp server and time
     * @param released false where no such hold was (any more)
     */
    public record Reply(Stamp stamp, boolean released) {}
}
