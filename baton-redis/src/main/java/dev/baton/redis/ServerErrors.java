package dev.baton.redis;

import dev.baton.redis.RespReader.RespError;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a server's errors, and the remedies. Scripts read, and so check, everything before they write; a
 * server that refuses a script does so at its first write at the latest. The errors listed here therefore had no
 * effect.
 */
final class ServerErrors {
    /** An error by its code, anywhere in the message: older servers put their own words before it. */
    private record Meaning(String code, Reason reason, String advice) {}

    private static final String NO_SCRIPT = "NOSCRIPT";

    /** The answer of a replica to WAIT. */
    private static final String NO_WAIT = "WAIT cannot be used with replica";

    private static final List<Meaning> WITHOUT_EFFECT = List.of(
            new Meaning("NOPERM", Reason.DENIED, "give this user the rights that the page of the Redis store lists"),
            new Meaning(
                    "NOAUTH",
                    Reason.DENIED,
                    "the server wants a password (redis://:password@host:6379), or does not take the earlier one any more"),
            new Meaning("WRONGPASS", Reason.DENIED, "user or password are wrong"),
            new Meaning(
                    "OOM",
                    Reason.UNFIT,
                    "the server's memory is full: give it more, or keep locks on a server of their own"),
            new Meaning(
                    "WRONGTYPE",
                    Reason.UNFIT,
                    "a key of the namespace holds something else: remove it, or use another namespace"),
            new Meaning(
                    "HIGHWATER",
                    Reason.UNFIT,
                    "somebody wrote a largest token (field h of the bucket's key) that leaves none above it: remove the"
                            + " field, and tokens go on from the clock"),
            new Meaning(
                    "READONLY",
                    Reason.UNFIT,
                    "the server has become a replica: connect to its primary, or to an address that leads there"),
            new Meaning("LOADING", Reason.UNREACHABLE, "the server is loading its data: it answers in a moment"),
            new Meaning(
                    "BUSY",
                    Reason.UNREACHABLE,
                    "a script of somebody else keeps the server busy: end it with SCRIPT KILL"),
            // Redis kills no script that has written.
            new Meaning(
                    "Script killed",
                    Reason.OTHER,
                    "an operator ended a script of Baton with SCRIPT KILL: the next call works, unless it is ended, too"),
            new Meaning(
                    "MASTERDOWN", Reason.UNFIT, "the server is a replica without its primary: connect to a primary"),
            new Meaning(
                    "MISCONF", Reason.UNFIT, "the server cannot write to its disk, and refuses to go on: see its log"),
            new Meaning(
                    "NOREPLICAS",
                    Reason.UNFIT,
                    "the server has fewer replicas than it must: see min-replicas-to-write"),
            new Meaning(
                    "CLUSTERDOWN",
                    Reason.UNREACHABLE,
                    "the cluster does not serve this name now: a failover may be under way, or too many nodes are down"),
            new Meaning(
                    "UNBLOCKED", Reason.UNREACHABLE, "the server has changed its role: the next call connects again"),
            new Meaning(
                    "DENIED",
                    Reason.DENIED,
                    "the server is in protected mode: set a password, or bind it to another address"),
            new Meaning("unknown command", Reason.UNFIT, "the server lacks a command that locks need"),
            new Meaning(NO_SCRIPT, Reason.OTHER, "the server forgot a script"));

    /** The errors of a server that lost its role, or does not have it yet. */
    private static final List<String> WITHOUT_OFFICE =
            List.of("READONLY", "MASTERDOWN", "LOADING", "NOREPLICAS", "UNBLOCKED", NO_WAIT);

    /** The error of a server that takes a connection for one without a user, as when a token has expired. */
    private static final String NO_USER = "NOAUTH";

    /** A server repeats what it did not understand, which may be a password. */
    private static final String REPEATED = ", with args beginning with";

    private ServerErrors() {}

    /**
     * Returns whether an error means that the connection must be closed. The server's address may lead to another
     * server by now, and only a new connection gets there, or authenticates anew: this one would give the same answer for
     * as long as it is open.
     */
    static boolean endsConnection(RespError error) {
        String message = error.message();
        if (message.startsWith(NO_USER)) {
            return true;
        }
        for (String code : WITHOUT_OFFICE) {
            if (message.contains(code)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a node of a cluster did not execute a command because it does not keep its keys, because they are
     * moving, or because it has no contact with most others. A script is refused before it runs, or at the first key
     * that has moved: scripts read before they write.
     */
    static boolean isRedirection(RespError error) {
        return isRedirection(error.message());
    }

    private static boolean isRedirection(String message) {
        return message.startsWith("MOVED ")
                || message.startsWith("ASK ")
                || message.startsWith("TRYAGAIN")
                || message.startsWith("CLUSTERDOWN")
                || message.contains("non local key");
    }

    static boolean isNoScript(Object answer) {
        return answer instanceof RespError error && error.message().startsWith(NO_SCRIPT);
    }

    static StoreFailure failure(String message, String target, @Nullable Throwable cause) {
        for (Meaning meaning : WITHOUT_EFFECT) {
            if (message.contains(meaning.code)) {
                return new StoreFailure(
                        Effect.NONE,
                        meaning.reason,
                        meaning.advice + " (" + target + " said: " + brief(message) + ')',
                        cause);
            }
        }
        String said = target + " said: " + brief(message);
        return isRedirection(message)
                ? new StoreFailure(
                        Effect.NONE,
                        Reason.UNREACHABLE,
                        "a slot of the cluster, which has this name, is moving to another node (" + said + ')',
                        cause)
                : new StoreFailure(Effect.UNKNOWN, said, cause);
    }

    /** Returns whether a message must not be shown as a whole. */
    static boolean repeatsCommand(String message) {
        return message.contains(REPEATED);
    }

    /** Returns the beginning of a server's message, without the words of the command that it is about. */
    static String brief(String all) {
        int most = 200;
        int repeated = all.indexOf(REPEATED);
        String message = repeated < 0 ? all : all.substring(0, repeated);
        return message.length() <= most ? message : message.substring(0, most) + '…';
    }
}
