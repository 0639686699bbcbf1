package dev.baton.zookeeper;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.NameNote;
import dev.baton.internal.ordered.OrderedNames;
import dev.baton.internal.ordered.OrderedServer;
import dev.baton.spi.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;

/**
 * Queues of ephemeral sequential nodes, a container for each name, in {@link Buckets}.
 *
 * <p>A ticket's label is part of its node's name, so that one read of the children tells everything; its token is the
 * number of the transaction that made it. Every answered change went through the leader and a majority, and so did a
 * transaction that only checks: that proves a session. The leader hears of a session from the follower it is connected
 * to every half tick, and a session lasts two ticks or more; so a quarter of the session is not counted on.
 */
final class ZookeeperLines implements OrderedServer {
    private static final int CHECKED_AT_ONCE = 500;

    /** A server breaks the connection over a request of more than 1 MB. */
    private static final int MOST_CHARACTERS = 500_000;

    private static final int LISTED_AT_ONCE = 64;
    private static final byte[] NOTHING = new byte[0];

    private final ZookeeperSession session;
    private final Nodes nodes;
    private final String root;
    private final Function<String, List<ACL>> acl;
    private final Buckets buckets;
    private final Joins joins;
    private final NameNotes nameNotes;
    private final Watches watches = new Watches(this::watchAgain);

    ZookeeperLines(ZookeeperSession session, String root, Function<String, List<ACL>> acl) {
        this.session = session;
        this.nodes = new Nodes(session);
        this.root = root;
        this.acl = acl;
        this.buckets = new Buckets(root);
        this.joins = new Joins(session, nodes, buckets, root, acl);
        this.nameNotes = new NameNotes(nodes, buckets, acl);
    }

    private String parent(String name) {
        return buckets.parent(name);
    }

    @Override
    public String session() {
        return session.id();
    }

    @Override
    public boolean ownsSession() {
        return session.isOwn();
    }

    @Override
    public Duration trust() {
        return trust(session.timeoutMillis());
    }

    static Duration trust(long timeoutMillis) {
        return Duration.ofMillis(timeoutMillis * 3 / 4);
    }

    @Override
    public CompletableFuture<Joined> join(String name, EntryLabel label, EntryNotes notes) {
        return joins.join(name, parent(name), label, notes);
    }

    @Override
    public CompletableFuture<Void> undo(String name, String client, long attempt) {
        joins.stop(name, attempt);
        return lineNow(name).thenCompose(line -> {
            List<CompletableFuture<?>> deletes = new ArrayList<>();
            for (Entry entry : line) {
                if (entry.label().attempt() == attempt && entry.label().client().equals(client)) {
                    deletes.add(nodes.delete(entry.id()));
                }
            }
            deletes.add(prove(List.of()));
            return CompletableFuture.allOf(deletes.toArray(CompletableFuture[]::new));
        });
    }

    @Override
    public CompletableFuture<List<Entry>> line(String name) {
        String parent = parent(name);
        return nodes.children(parent, null).thenApply(children -> NodeNames.entries(name, parent, children));
    }

    @Override
    public CompletableFuture<List<Entry>> lineNow(String name) {
        nodes.sync(parent(name));
        return line(name);
    }

    @Override
    public CompletableFuture<List<Noted>> look(List<Entry> entries) {
        List<CompletableFuture<Optional<Noted>>> asked = new ArrayList<>();
        for (Entry entry : entries) {
            asked.add(nodes.data(entry.id(), null)
                    .thenApply(data -> data.map(found -> new Noted(
                            entry,
                            found.stat().getCzxid(),
                            found.stat().getVersion(),
                            EntryNotes.decode(found.text())))));
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        asked.stream().flatMap(each -> each.join().stream()).toList());
    }

    @Override
    public CompletableFuture<List<Integer>> lengths(List<String> names) {
        List<CompletableFuture<List<Integer>>> parts = new ArrayList<>();
        for (List<String> part : parts(names.stream().map(this::parent).toList(), Function.identity())) {
            parts.add(nodes.childrenNumbers(part));
        }
        return all(parts);
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<List<T>>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        parts.stream().flatMap(each -> each.join().stream()).toList());
    }

    /** Splits a list into parts that each fit in one request. */
    private static <T> List<List<T>> parts(List<T> all, Function<T, String> path) {
        List<List<T>> parts = new ArrayList<>();
        int from = 0;
        int characters = 0;
        for (int i = 0; i < all.size(); i++) {
            int more = path.apply(all.get(i)).length();
            if (i - from == CHECKED_AT_ONCE || characters + more > MOST_CHARACTERS) {
                parts.add(all.subList(from, i));
                from = i;
                characters = 0;
            }
            characters += more;
        }
        parts.add(all.subList(from, all.size()));
        return parts;
    }

    // ---- proof ---------------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<List<Proof>> prove(List<Noted> entries) {
        if (entries.isEmpty()) {
            return nodes.transaction(List.of(Op.check(root, -1))).thenApply(done -> List.of());
        }
        List<CompletableFuture<List<Proof>>> parts = new ArrayList<>();
        for (List<Noted> part : parts(entries, each -> each.entry().id())) {
            parts.add(check(part));
        }
        return all(parts);
    }

    /** Checks in one transaction. If it fails as a whole, reads each entry, and retries those that seem to stand. */
    private CompletableFuture<List<Proof>> check(List<Noted> entries) {
        List<Op> checks = entries.stream()
                .map(each -> Op.check(each.entry().id(), (int) each.version()))
                .toList();
        return nodes.transaction(checks).thenCompose(outcome -> {
            if (outcome.done()) {
                return CompletableFuture.completedFuture(
                        entries.stream().map(each -> Proof.STANDS).toList());
            }
            if (entries.size() == 1) {
                boolean gone = outcome.codes().get(0) == Code.NONODE.intValue();
                return CompletableFuture.completedFuture(List.of(gone ? Proof.GONE : Proof.CHANGED));
            }
            return sort(entries);
        });
    }

    private CompletableFuture<List<Proof>> sort(List<Noted> entries) {
        nodes.sync(root);
        return look(entries.stream().map(Noted::entry).toList()).thenCompose(found -> {
            Map<String, Noted> there = new HashMap<>();
            found.forEach(each -> there.put(each.entry().id(), each));
            List<Noted> standing =
                    entries.stream().filter(each -> isSame(each, there)).toList();
            CompletableFuture<List<Proof>> again = standing.isEmpty() ? prove(List.of()) : check(standing);
            return again.thenApply(proofs -> {
                List<Proof> all = new ArrayList<>();
                int next = 0;
                for (Noted each : entries) {
                    if (isSame(each, there)) {
                        all.add(proofs.get(next++));
                    } else {
                        all.add(there.containsKey(each.entry().id()) ? Proof.CHANGED : Proof.GONE);
                    }
                }
                return all;
            });
        });
    }

    private static boolean isSame(Noted seen, Map<String, Noted> there) {
        Noted now = there.get(seen.entry().id());
        return now != null && seen.isOfVersion(now.version());
    }

    // ---- changes -------------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Optional<Noted>> note(Noted entry, EntryNotes notes) {
        return nodes.write(entry.entry().id(), notes.encode(), (int) entry.version())
                .thenApply(written ->
                        written.map(stat -> new Noted(entry.entry(), entry.token(), stat.getVersion(), notes)));
    }

    @Override
    public CompletableFuture<Boolean> delay(Entry ticket) {
        String delay = parent(ticket.name()) + '/' + ticket.label().delay().text();
        List<Op> parts =
                List.of(Op.check(ticket.id(), -1), Op.create(delay, NOTHING, acl.apply(delay), CreateMode.PERSISTENT));
        return nodes.transaction(parts)
                .thenApply(outcome -> outcome.done() || outcome.codes().get(1) == Code.NODEEXISTS.intValue());
    }

    @Override
    public CompletableFuture<Boolean> leave(Entry entry, boolean keepsDelay) {
        boolean alone = keepsDelay
                || entry.label().lockDelayMicros() == 0
                || entry.label().sort() != EntryLabel.Sort.TICKET;
        if (alone) {
            return nodes.delete(entry.id());
        }
        String delay = parent(entry.name()) + '/' + entry.label().delay().text();
        return nodes.transaction(List.of(Op.delete(entry.id(), -1), Op.delete(delay, -1)))
                .thenCompose(outcome -> outcome.done()
                        ? CompletableFuture.completedFuture(true)
                        : nodes.delete(entry.id())
                                .thenCompose(was -> nodes.delete(delay).thenApply(done -> was)));
    }

    @Override
    public CompletableFuture<Boolean> lower(Entry ticket, EntryLabel sign) {
        String path = path(ticket, sign);
        return nodes.transaction(List.of(
                        Op.check(ticket.id(), -1), Op.create(path, NOTHING, acl.apply(path), CreateMode.EPHEMERAL)))
                .thenApply(outcome -> outcome.done() || outcome.codes().get(1) == Code.NODEEXISTS.intValue());
    }

    @Override
    public CompletableFuture<?> removeSign(Entry ticket, EntryLabel sign) {
        return nodes.delete(path(ticket, sign));
    }

    private String path(Entry ticket, EntryLabel sign) {
        return parent(ticket.name()) + '/' + sign.text();
    }

    /**
     * {@inheritDoc}
     *
     * <p>The ticket is written before it is deleted: its watchers hear of the write, and so read the queue, in which the
     * keeper stands.
     */
    @Override
    public CompletableFuture<Boolean> keep(Entry ticket, EntryLabel keeper) {
        String parent = parent(ticket.name());
        String path = parent + '/' + keeper.text();
        List<Op> parts = List.of(
                Op.setData(ticket.id(), NOTHING, -1),
                Op.create(path, NOTHING, acl.apply(path), CreateMode.PERSISTENT),
                Op.delete(ticket.id(), -1));
        return nodes.transaction(parts).thenCompose(outcome -> {
            boolean delayed = ticket.label().lockDelayMicros() > 0;
            return delayed
                    ? nodes.delete(parent + '/' + ticket.label().delay().text()).thenApply(was -> outcome.done())
                    : CompletableFuture.completedFuture(outcome.done());
        });
    }

    @Override
    public CompletableFuture<?> withhold(String name, EntryLabel label) {
        return joins.stay(parent(name), label);
    }

    @Override
    public void tidy(String name) {
        String parent = parent(name);
        String bucket = Buckets.of(parent);
        buckets.forget(bucket);
        CompletableFuture<?> unused = nodes.delete(parent).exceptionally(away -> false);
        // Without waiting, since the connection may be about to close: a node with children stays.
        CompletableFuture<?> unusedToo = nodes.delete(bucket).exceptionally(away -> false);
    }

    // ---- notes of names ------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<NameNote> readNameNote(String name) {
        return nameNotes.read(name);
    }

    @Override
    public CompletableFuture<NameWritten> writeNameNote(NameWrite write) {
        return nameNotes.write(write, write.sign().map(sign -> path(write.ticket(), sign)));
    }

    @Override
    public CompletableFuture<Boolean> removeNameNote(String name) {
        return nameNotes.remove(name);
    }

    // ---- watching ------------------------------------------------------------------------------------------------

    @Override
    public void watch(Entry entry, boolean notes, Watcher watcher) {
        Watches.Target target = watches.add(entry.id(), watcher, notes);
        CompletableFuture<?> unused = nodes.data(entry.id(), target).whenComplete((data, failure) -> {
            if (failure != null) {
                watches.failed(target, failure);
            } else if (data.isEmpty()) {
                // It may have left a keeper since the queue was read.
                watches.end(target, false);
            } else if (notes && holds(data.get())) {
                watcher.changed(false);
            }
        });
    }

    /**
     * Whether the entry began to hold before the watch was set. Its version does not tell: a ticket that waits is written too,
     * when another thread takes its place, and a reader of the queue who took that for news would read for ever.
     */
    private static boolean holds(Nodes.Data found) {
        return EntryNotes.decode(found.text()).token() > 0;
    }

    /** Watches a written node again: watchers that wait for its end are not told of the write. */
    private void watchAgain(Watches.Target target) {
        CompletableFuture<?> unused = nodes.data(target.path(), target).whenComplete((data, failure) -> {
            if (failure != null) {
                watches.failed(target, failure);
            } else if (data.isEmpty()) {
                // The write may have been that of keep().
                watches.end(target, false);
            }
        });
    }

    @Override
    public void watchLine(String name, List<Entry> seen, Watcher watcher) {
        String parent = parent(name);
        Watches.Target target = watches.add(parent, watcher, true);
        CompletableFuture<?> unused = nodes.children(parent, target).whenComplete((children, failure) -> {
            if (failure != null) {
                watches.failed(target, failure);
            } else if (!new HashSet<>(NodeNames.entries(name, parent, children)).equals(new HashSet<>(seen))) {
                watcher.changed(false);
            }
        });
    }

    // ---- for operators -------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<List<String>> names(String prefix) {
        nodes.sync(root);
        return nodes.children(root, null).thenCompose(children -> {
            List<String> left = children.stream().filter(Buckets::isBucket).toList();
            return names(OrderedNames.encode(prefix), left, new ArrayList<>());
        });
    }

    /** Reads a few buckets at a time: answers in transit take memory. */
    private CompletableFuture<List<String>> names(String prefix, List<String> left, List<String> found) {
        if (left.isEmpty()) {
            return CompletableFuture.completedFuture(found);
        }
        int number = Math.min(left.size(), LISTED_AT_ONCE);
        List<CompletableFuture<List<String>>> asked = left.subList(0, number).stream()
                .map(bucket -> nodes.children(buckets.path(bucket), null))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            asked.stream()
                    .flatMap(each -> each.join().stream())
                    .filter(child -> child.startsWith(prefix))
                    .flatMap(child -> OrderedNames.decode(child).stream())
                    .forEach(found::add);
            return names(prefix, left.subList(number, left.size()), found);
        });
    }

    @Override
    public CompletableFuture<Map<String, String>> facts() {
        return Facts.ask(session, nodes);
    }

    /** Creates the root unless it exists, and reads its data. */
    CompletableFuture<String> open(byte[] descriptor) {
        return nodes.data(root, null)
                .thenCompose(there -> there.isPresent()
                        ? CompletableFuture.completedFuture(there)
                        : make(descriptor).thenCompose(made -> nodes.data(root, null)))
                .thenCompose(data -> data.isPresent()
                        ? CompletableFuture.completedFuture(data.get().text())
                        : CompletableFuture.failedFuture(new StoreFailure(
                                StoreFailure.Effect.NONE, "the node " + root + " cannot be made", null)));
    }

    /** Returns the access rights of the namespace; empty if they may not be read. */
    CompletableFuture<List<ACL>> aclOfRoot() {
        return nodes.acl(root);
    }

    /** Creates the missing nodes only, so that no user needs the right to create existing ones. */
    private CompletableFuture<Boolean> make(byte[] descriptor) {
        CompletableFuture<Boolean> made = CompletableFuture.completedFuture(true);
        for (int slash = root.indexOf('/', 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            String ancestor = root.substring(0, slash);
            made = made.thenCompose(done -> nodes.exists(ancestor))
                    .thenCompose(there -> there
                            ? CompletableFuture.completedFuture(true)
                            : nodes.ensure(ancestor, NOTHING, acl.apply(ancestor), CreateMode.PERSISTENT));
        }
        return made.thenCompose(done -> nodes.ensure(root, descriptor, acl.apply(root), CreateMode.PERSISTENT));
    }

    @Override
    public void close() {
        session.close();
    }
}
