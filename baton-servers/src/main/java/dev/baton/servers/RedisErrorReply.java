package dev.baton.servers;

/** Redis answered with an error; the message is the server's text. */
public final class RedisErrorReply extends RuntimeException {
    private static final long serialVersionUID = 1;

    RedisErrorReply(String message) {
        super(message);
    }
}
