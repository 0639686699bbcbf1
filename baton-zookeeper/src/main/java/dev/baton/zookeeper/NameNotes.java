package dev.baton.zookeeper;

import dev.baton.internal.ordered.NameNote;
import dev.baton.internal.ordered.OrderedServer.NameWrite;
import dev.baton.internal.ordered.OrderedServer.NameWritten;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;

/** Notes of names: persistent nodes in buckets of their own, so that a queue's node goes although its name has a note. */
final class NameNotes {
    private static final byte[] NOTHING = new byte[0];

    private final Nodes nodes;
    private final Buckets buckets;
    private final Function<String, List<ACL>> acl;

    NameNotes(Nodes nodes, Buckets buckets, Function<String, List<ACL>> acl) {
        this.nodes = nodes;
        this.buckets = buckets;
        this.acl = acl;
    }

    CompletableFuture<NameNote> read(String name) {
        String path = buckets.note(name);
        nodes.sync(path);
        return nodes.read(path, (bytes, stat) -> NameNote.decode(bytes, stat.getVersion()))
                .thenCompose(found -> found.orElseGet(() -> CompletableFuture.completedFuture(NameNote.ABSENT)));
    }

    /**
     * Writes in one transaction: it checks the ticket, makes the sign of a lower weight and removes it, which is
     * impossible if it is there, and writes the note. If only the bucket is missing, a second one follows.
     *
     * @param sign the path of the sign; empty if the ticket cannot have one
     */
    CompletableFuture<NameWritten> write(NameWrite write, Optional<String> sign) {
        String path = buckets.note(write.ticket().name());
        List<Op> parts = new ArrayList<>();
        parts.add(Op.check(write.ticket().id(), -1));
        sign.ifPresent(absent -> {
            parts.add(Op.create(absent, NOTHING, acl.apply(absent), CreateMode.EPHEMERAL));
            parts.add(Op.delete(absent, -1));
        });
        parts.add(change(path, write));
        return nodes.transaction(parts).thenCompose(outcome -> {
            boolean bucketIsMissing = write.seen().note().isEmpty() && lastCode(outcome) == Code.NONODE.intValue();
            if (!bucketIsMissing) {
                return CompletableFuture.completedFuture(written(outcome));
            }
            String bucket = Buckets.of(path);
            CompletableFuture<Boolean> made = nodes.ensure(bucket, NOTHING, acl.apply(bucket), CreateMode.CONTAINER);
            // Sent together: ZooKeeper keeps the order.
            return nodes.transaction(parts).thenCombine(made, (again, there) -> written(again));
        });
    }

    private Op change(String path, NameWrite write) {
        int version = (int) write.seen().version();
        if (!write.isNews()) {
            return Op.check(path, version);
        }
        byte[] data = NameNote.encode(write.note());
        return write.seen().note().isPresent()
                ? Op.setData(path, data, version)
                : Op.create(path, data, acl.apply(path), CreateMode.PERSISTENT);
    }

    /** Only the last part is about the note; if one before it failed, the hold is over or lowered. */
    private static NameWritten written(Nodes.Outcome outcome) {
        if (outcome.done()) {
            return NameWritten.DONE;
        }
        boolean hasPassed = outcome.codes().stream()
                .limit(outcome.codes().size() - 1L)
                .allMatch(code -> code == Code.OK.intValue());
        return hasPassed ? NameWritten.OUTDATED : NameWritten.KEPT_OUT;
    }

    private static int lastCode(Nodes.Outcome outcome) {
        return outcome.codes().get(outcome.codes().size() - 1);
    }

    /** Removes the note's node, and its bucket if that has no other. */
    CompletableFuture<Boolean> remove(String name) {
        String path = buckets.note(name);
        CompletableFuture<Boolean> removed = nodes.delete(path);
        CompletableFuture<?> unused = nodes.delete(Buckets.of(path)).exceptionally(away -> false);
        return removed;
    }
}
