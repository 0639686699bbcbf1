package dev.baton.zookeeper;

import dev.baton.spi.StoreFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's asynchronous commands as futures. Each is sent once, on the session of this moment, in the order of the
 * calls. A future fails with a {@link StoreFailure}, but not for codes that are answers.
 */
final class Nodes {
    private final ZookeeperSession session;

    /** A node that was created. */
    record Made(String path, Stat stat) {}

    /** A node's data, as text. */
    record Data(String text, Stat stat) {}

    /** The outcome of a transaction: one code for each of its parts. */
    record Outcome(boolean done, List<Integer> codes) {}

    private interface Sending {
        void to(ZooKeeper handle);
    }

    Nodes(ZookeeperSession session) {
        this.session = session;
    }

    /** Creates a node; empty if its parent is missing. */
    CompletableFuture<Optional<Made>> create(String path, byte[] data, List<ACL> acl, CreateMode mode) {
        CompletableFuture<Optional<Made>> answer = new CompletableFuture<>();
        AsyncCallback.Create2Callback callback = (code, asked, context, name, stat) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(Optional.of(new Made(name, stat)));
            } else if (code == Code.NONODE.intValue()) {
                answer.complete(Optional.empty());
            } else {
                fail(answer, code, "creating a node");
            }
        };
        send(answer, handle -> handle.create(path, data, acl, mode, callback, null));
        return answer;
    }

    /** Creates a node unless it exists; false if its parent is missing. */
    CompletableFuture<Boolean> ensure(String path, byte[] data, List<ACL> acl, CreateMode mode) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        AsyncCallback.Create2Callback callback = (code, asked, context, name, stat) -> {
            if (code == Code.OK.intValue() || code == Code.NODEEXISTS.intValue()) {
                answer.complete(true);
            } else if (code == Code.NONODE.intValue()) {
                answer.complete(false);
            } else {
                fail(answer, code, "creating a node");
            }
        };
        send(answer, handle -> handle.create(path, data, acl, mode, callback, null));
        return answer;
    }

    /** Lets the session's server catch up with the changes that it has not received yet. */
    void sync(String path) {
        ZooKeeper handle = session.handle();
        if (handle != null) {
            handle.sync(path, (code, asked, context) -> {}, null);
        }
    }

    /** Returns the children of a node; none if it is missing. */
    CompletableFuture<List<String>> children(String path, org.apache.zookeeper.@Nullable Watcher watcher) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        AsyncCallback.ChildrenCallback callback = (code, asked, context, names) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(names);
            } else if (code == Code.NONODE.intValue()) {
                answer.complete(List.of());
            } else {
                fail(answer, code, "listing nodes");
            }
        };
        send(answer, handle -> handle.getChildren(path, watcher, callback, null));
        return answer;
    }

    /**
     * Returns a node's data; empty if it is missing. Watches the node only if it exists: a node that is never created
     * again must not be watched forever.
     */
    CompletableFuture<Optional<Data>> data(String path, org.apache.zookeeper.@Nullable Watcher watcher) {
        return read(path, watcher, (bytes, stat) -> new Data(new String(bytes, StandardCharsets.UTF_8), stat));
    }

    /** Returns what a node's data stand for; empty if it is missing. */
    <T> CompletableFuture<Optional<T>> read(String path, BiFunction<byte[], Stat, T> reading) {
        return read(path, null, reading);
    }

    private <T> CompletableFuture<Optional<T>> read(
            String path, org.apache.zookeeper.@Nullable Watcher watcher, BiFunction<byte[], Stat, T> reading) {
        CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
        AsyncCallback.DataCallback callback = (code, asked, context, bytes, stat) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(Optional.of(reading.apply(bytes == null ? new byte[0] : bytes, stat)));
            } else if (code == Code.NONODE.intValue()) {
                answer.complete(Optional.empty());
            } else {
                fail(answer, code, "reading a node");
            }
        };
        send(answer, handle -> handle.getData(path, watcher, callback, null));
        return answer;
    }

    /** Returns the access rights of a node; empty if this user may not read them. */
    CompletableFuture<List<ACL>> acl(String path) {
        CompletableFuture<List<ACL>> answer = new CompletableFuture<>();
        AsyncCallback.ACLCallback callback = (code, asked, context, acl, stat) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(acl);
            } else if (code == Code.NOAUTH.intValue() || code == Code.NONODE.intValue()) {
                answer.complete(List.of());
            } else {
                fail(answer, code, "reading an ACL");
            }
        };
        send(answer, handle -> handle.getACL(path, null, callback, null));
        return answer;
    }

    /** Returns whether a node exists. Needs no right. */
    CompletableFuture<Boolean> exists(String path) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        AsyncCallback.StatCallback callback = (code, asked, context, stat) -> {
            if (code == Code.OK.intValue() || code == Code.NONODE.intValue()) {
                answer.complete(code == Code.OK.intValue());
            } else {
                fail(answer, code, "looking for a node");
            }
        };
        send(answer, handle -> handle.exists(path, false, callback, null));
        return answer;
    }

    /** Writes a node's data; empty if it is missing or has another version. */
    CompletableFuture<Optional<Stat>> write(String path, byte[] data, int version) {
        CompletableFuture<Optional<Stat>> answer = new CompletableFuture<>();
        AsyncCallback.StatCallback callback = (code, asked, context, stat) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(Optional.of(stat));
            } else if (code == Code.NONODE.intValue() || code == Code.BADVERSION.intValue()) {
                answer.complete(Optional.empty());
            } else {
                fail(answer, code, "writing a node");
            }
        };
        send(answer, handle -> handle.setData(path, data, version, callback, null));
        return answer;
    }

    /** Removes a node; false if it is missing, or has children. */
    CompletableFuture<Boolean> delete(String path) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        AsyncCallback.VoidCallback callback = (code, asked, context) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(true);
            } else if (code == Code.NONODE.intValue() || code == Code.NOTEMPTY.intValue()) {
                answer.complete(false);
            } else {
                fail(answer, code, "removing a node");
            }
        };
        send(answer, handle -> handle.delete(path, -1, callback, null));
        return answer;
    }

    /** Runs a transaction, through the leader and a majority even if it changes nothing. */
    CompletableFuture<Outcome> transaction(List<Op> parts) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        AsyncCallback.MultiCallback callback = (code, asked, context, results) -> {
            // A transaction that an expired session requested also has results, and proves nothing.
            if (results == null || !isAnswer(code)) {
                fail(answer, code, "a transaction");
            } else {
                answer.complete(new Outcome(
                        code == Code.OK.intValue(),
                        results.stream().map(Nodes::codeOf).toList()));
            }
        };
        send(answer, handle -> handle.multi(parts, callback, null));
        return answer;
    }

    /** Returns the numbers of children, in one read from this member; the greatest number if a read is denied. */
    CompletableFuture<List<Integer>> childrenNumbers(List<String> paths) {
        CompletableFuture<List<Integer>> answer = new CompletableFuture<>();
        AsyncCallback.MultiCallback callback = (code, asked, context, results) -> {
            if (results == null || code != Code.OK.intValue()) {
                fail(answer, code, "reading nodes");
            } else {
                answer.complete(results.stream().map(Nodes::childrenNumber).toList());
            }
        };
        send(answer, handle -> handle.multi(paths.stream().map(Op::getData).toList(), callback, null));
        return answer;
    }

    private static int childrenNumber(OpResult result) {
        if (result instanceof OpResult.GetDataResult found) {
            return found.getStat().getNumChildren();
        }
        return codeOf(result) == Code.NONODE.intValue() ? 0 : Integer.MAX_VALUE;
    }

    private static boolean isAnswer(int code) {
        return switch (Code.get(code)) {
            case OK, NONODE, NODEEXISTS, BADVERSION, NOTEMPTY -> true;
            default -> false;
        };
    }

    private static int codeOf(OpResult result) {
        return result instanceof OpResult.ErrorResult error ? error.getErr() : Code.OK.intValue();
    }

    private void fail(CompletableFuture<?> answer, int code, String what) {
        answer.completeExceptionally(Failures.of(code, what, session.target()));
    }

    private void send(CompletableFuture<?> answer, Sending sending) {
        ZooKeeper handle = session.handle();
        if (handle == null) {
            answer.completeExceptionally(Failures.noSession(session.target()));
            return;
        }
        try {
            sending.to(handle);
        } catch (RuntimeException refused) {
            answer.completeExceptionally(new StoreFailure(
                    StoreFailure.Effect.NONE,
                    "ZooKeeper's client refused a command: " + refused.getMessage(),
                    refused));
        }
    }
}
