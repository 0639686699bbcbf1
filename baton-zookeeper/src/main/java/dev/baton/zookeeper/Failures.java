package dev.baton.zookeeper;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** The meaning of ZooKeeper's codes for a command. */
final class Failures {
    private Failures() {}

    static StoreFailure of(int code, String what, String target) {
        KeeperException cause = KeeperException.create(Code.get(code));
        return switch (Code.get(code)) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                new StoreFailure(
                        Effect.UNKNOWN,
                        Reason.UNREACHABLE,
                        what + ": the connection to ZooKeeper at " + target + " broke before the answer",
                        cause);
            case SESSIONEXPIRED, SESSIONMOVED ->
                // Commands that were in transit when the session was given up fail with this code, too.
                new StoreFailure(
                        Effect.UNKNOWN,
                        Reason.UNREACHABLE,
                        what + ": the session with ZooKeeper at " + target + " is over",
                        cause);
            case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                new StoreFailure(
                        Effect.NONE,
                        Reason.DENIED,
                        what + ": ZooKeeper at " + target
                                + " refuses this user: check user and password, and the ACL of the nodes",
                        cause);
            case QUOTAEXCEEDED, THROTTLEDOP ->
                new StoreFailure(
                        Effect.NONE, Reason.UNFIT, what + ": ZooKeeper at " + target + " has no room for it", cause);
            case NOTREADONLY ->
                new StoreFailure(
                        Effect.NONE,
                        Reason.UNREACHABLE,
                        what + ": ZooKeeper at " + target + " only reads: its member has lost the majority",
                        cause);
            default ->
                new StoreFailure(
                        Effect.UNKNOWN, what + ": ZooKeeper at " + target + " answered " + Code.get(code), cause);
        };
    }

    static StoreFailure noSession(String target) {
        return new StoreFailure(
                Effect.NONE,
                Reason.UNREACHABLE,
                "there is no session with ZooKeeper at " + target + ": it is being connected to",
                null);
    }
}
