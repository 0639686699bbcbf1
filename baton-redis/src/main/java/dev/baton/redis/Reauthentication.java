package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates the living connections of a node again when the credentials have changed, because a service may end
 * connections whose token expires. A server that refuses new credentials leaves the connection as it was.
 *
 * <p>A connection that is opened at the same time misses nothing: it takes the newest credentials, or it is there when this
 * sends them. For one thread at a time, which may wait.
 */
final class Reauthentication implements Predicate<UserPassword> {
    private static final System.Logger LOG = System.getLogger("dev.baton");

    private final List<Pipeline> pipelines;
    private final Subscription subscription;
    private final Hello hello;

    /** What the servers answered last, whether they took it or not. */
    private UserPassword answered;

    /**
     * Creates it.
     *
     * @param first what the first connection was authenticated with
     */
    Reauthentication(List<Pipeline> pipelines, Subscription subscription, Hello hello, UserPassword first) {
        this.pipelines = pipelines;
        this.subscription = subscription;
        this.hello = hello;
        this.answered = first;
    }

    /** Returns whether the servers answered: if they did not, the connections have to be authenticated later. */
    @Override
    public boolean test(UserPassword newest) {
        if (newest.equals(answered)) {
            return true;
        }
        try {
            String refusal = newest.hasPassword() ? authenticate(newest) : null;
            boolean isOtherUser = !newest.isUserOf(answered);
            answered = newest;
            if (refusal != null) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "Redis at " + pipelines.get(0).target() + " refused new credentials (" + newest.without(refusal)
                                + "): connections keep the earlier ones as long as the server lets them, and the"
                                + " provider is asked for others");
            } else if (newest.hasPassword()) {
                subscription.renew();
                if (isOtherUser) {
                    checkRights();
                }
            }
            return true;
        } catch (StoreFailure unanswered) {
            // If the connection has ended, the next one has these credentials.
            return false;
        }
    }

    /** Returns why a connection refused; null if all took them. */
    private @Nullable String authenticate(UserPassword newest) throws StoreFailure {
        String refusal = null;
        for (Pipeline pipeline : pipelines) {
            Object answer = pipeline.ask((out, wire) -> newest.encode(out), Deadline.in(Pipeline.SILENCE_NANOS))
                    .answer();
            if (answer instanceof RespError error) {
                refusal = ServerErrors.brief(error.message());
            }
        }
        return refusal;
    }

    /** The next command would fail without saying all that is missing. */
    private void checkRights() throws StoreFailure {
        try {
            hello.requireRights(pipelines.get(0), Deadline.in(Pipeline.SILENCE_NANOS));
        } catch (StoreFailure refused) {
            if (refused.reason() == StoreFailure.Reason.UNREACHABLE) {
                throw refused;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the provider of credentials names another user now, who may not do what locks need: "
                            + refused.getMessage());
        }
    }
}
