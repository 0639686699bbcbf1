package dev.baton.etcd;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** The meaning of etcd's and gRPC's codes for a command. */
final class Failures {
    private Failures() {}

    static StoreFailure of(Throwable failed, String what, String target) {
        StoreFailure known = find(failed, StoreFailure.class);
        if (known != null) {
            return known;
        }
        Status.Code code = code(failed);
        String said = said(failed);
        String at = what + ": etcd at " + target;
        return switch (code) {
            case UNAVAILABLE -> unavailable(failed, said, at);
            case DEADLINE_EXCEEDED, CANCELLED ->
                failure(Effect.UNKNOWN, Reason.UNREACHABLE, at + " did not answer in time", failed);
            case PERMISSION_DENIED, UNAUTHENTICATED -> denied(said, at, failed);
            case INVALID_ARGUMENT -> invalid(said, at, failed);
            case RESOURCE_EXHAUSTED -> exhausted(said, at, failed);
            case NOT_FOUND -> failure(Effect.NONE, Reason.UNREACHABLE, at + ": the lease is over", failed);
            case FAILED_PRECONDITION -> failure(Effect.NONE, Reason.UNFIT, at + " refuses: " + said, failed);
            default -> failure(Effect.UNKNOWN, Reason.OTHER, at + " answered " + code + ' ' + said, failed);
        };
    }

    private static StoreFailure unavailable(Throwable failed, String said, String at) {
        if (find(failed, ConnectException.class) != null || find(failed, UnresolvedAddressException.class) != null) {
            return failure(
                    Effect.NONE,
                    Reason.UNREACHABLE,
                    at + " is not to be reached: check that it runs, and that it can be reached from here",
                    failed);
        }
        SSLException tls = find(failed, SSLException.class);
        if (tls != null) {
            // No command is sent before the handshake is complete.
            return failure(
                    tls instanceof SSLHandshakeException ? Effect.NONE : Effect.UNKNOWN,
                    Reason.UNREACHABLE,
                    at + " is not to be spoken to over TLS (" + tls.getMessage() + "): check ca, cert and key, that its"
                            + " certificate is for the host that the address names, and that it speaks TLS",
                    failed);
        }
        if (said.contains("no leader")) {
            return failure(
                    Effect.NONE, Reason.UNREACHABLE, at + " has no leader: a majority of its members is away", failed);
        }
        return failure(Effect.UNKNOWN, Reason.UNREACHABLE, at + " broke off: " + said, failed);
    }

    private static StoreFailure invalid(String said, String at, Throwable failed) {
        return said.contains("authentication") || said.contains("user") || said.contains("auth ")
                ? denied(said, at, failed)
                : failure(Effect.NONE, Reason.OTHER, at + " refuses: " + said, failed);
    }

    private static StoreFailure denied(String said, String at, Throwable failed) {
        return failure(
                Effect.NONE,
                Reason.DENIED,
                at + " refuses this user: " + said + ": check user and password, and the rights of the role",
                failed);
    }

    private static StoreFailure exhausted(String said, String at, Throwable failed) {
        if (said.contains("space exceeded")) {
            return failure(
                    Effect.NONE,
                    Reason.UNFIT,
                    at + " has no room left (" + said + "): compact and defragment it, then disarm its alarm",
                    failed);
        }
        // An answer that is too large for this client comes after the command took effect.
        Effect effect = said.contains("etcdserver") ? Effect.NONE : Effect.UNKNOWN;
        return failure(effect, Reason.OTHER, at + " refuses: " + said, failed);
    }

    /** Returns the failure of the very first command: a connection that broke off then most likely never began. */
    static StoreFailure opening(Throwable failed, String target) {
        StoreFailure known = of(failed, "asking for a lease", target);
        boolean brokeOff = known.reason() == Reason.UNREACHABLE && known.effect() == Effect.UNKNOWN;
        return brokeOff
                ? failure(
                        known.effect(),
                        known.reason(),
                        known.getMessage() + ". Is it TLS (tls=true) on one side only?",
                        failed)
                : known;
    }

    /** Returns the failure of a command while there is no lease. */
    static StoreFailure noSession(String target) {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                "there is no lease with etcd at " + target + ": a new one is being asked for",
                null);
    }

    /** Returns the failure of a command whose lease ended while it was in transit. */
    static StoreFailure sessionOver(String target) {
        return new StoreFailure(
                Effect.UNKNOWN, Reason.UNREACHABLE, "the lease with etcd at " + target + " is over", null);
    }

    /** Returns whether a failure means that a lease does not exist. */
    static boolean isLeaseGone(Throwable failed) {
        return code(failed) == Status.Code.NOT_FOUND;
    }

    /** Returns whether a call ended because no answer came in its time. */
    static boolean isSilence(Throwable failed) {
        return code(failed) == Status.Code.DEADLINE_EXCEEDED;
    }

    private static StoreFailure failure(Effect effect, Reason reason, String message, Throwable cause) {
        return new StoreFailure(effect, reason, message, cause);
    }

    private static Status.Code code(Throwable failed) {
        EtcdException known = find(failed, EtcdException.class);
        return known == null
                ? Status.fromThrowable(failed).getCode()
                : Status.Code.valueOf(known.getErrorCode().name());
    }

    private static String said(Throwable failed) {
        EtcdException known = find(failed, EtcdException.class);
        String said = known == null ? Status.fromThrowable(failed).getDescription() : known.getMessage();
        return said == null ? failed.getClass().getSimpleName() : said;
    }

    private static <T extends Throwable> @Nullable T find(Throwable failed, Class<T> type) {
        for (Throwable each = failed; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }
}
