package dev.baton.etcd;

import dev.baton.etcd.EtcdSession.Answered;
import dev.baton.etcd.EtcdSession.Lease;
import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.NameNote;
import dev.baton.internal.ordered.OrderedServer;
import dev.baton.internal.store.Pace;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Queues of keys, in the order of the revisions in which they were created; that revision is the token.
 *
 * <p>gRPC keeps no order between calls, so this class makes the order that a queue needs. Removals of one entry are
 * sent one after the other. A ticket waits for all earlier removals of this client in the same queue, including those
 * that undo an attempt ({@link Removals}). The epoch keeps out a ticket that arrives after its undoing ({@link Joins}).
 * Notes are written only if no client wrote since, so they never reach an entry that has left. Other calls may overtake
 * each other: a proof or a read that races with a removal shows an entry that no client wants any more, and a waiter
 * for it watches on from that read; two tickets of one client on their way into one queue at the same time have no
 * order to keep.
 */
final class EtcdLines implements OrderedServer {
    /** The most parts that a server accepts in one transaction by default. */
    private static final int MOST_PARTS = 128;

    private static final GetOption VALUE = GetOption.builder().build();
    private static final GetOption COUNT =
            GetOption.builder().isPrefix(true).withCountOnly(true).build();
    private static final GetOption ALONE =
            GetOption.builder().withKeysOnly(true).build();
    private static final DeleteOption ONE = DeleteOption.builder().build();

    private final EtcdSession session;
    private final Commands commands;
    private final Keys keys;
    private final String client;
    private final Looks looks = new Looks();
    private final Seats seats = new Seats();
    private final Ranges ranges;
    private final Combiner combiner;
    private final Joins joins;
    private final Watches watches;
    private final NameNotes nameNotes;
    private final Facts facts;
    private final Removals removals = new Removals();

    EtcdLines(EtcdSession session, Commands commands, Keys keys, String client, Facts facts) {
        this.session = session;
        this.commands = commands;
        this.keys = keys;
        this.client = client;
        this.facts = facts;
        this.ranges = new Ranges(commands);
        this.combiner = new Combiner(commands::commit, session::later, new Pace(Combiner.FAR_CALLS));
        this.joins = new Joins(session, combiner, ranges, keys, looks, seats);
        this.watches = new Watches(commands.client());
        this.nameNotes = new NameNotes(session, commands, keys);
    }

    @Override
    public String session() {
        Lease now = session.lease();
        return now == null ? "" : now.id();
    }

    @Override
    public boolean ownsSession() {
        return true;
    }

    @Override
    public Duration trust() {
        return trust(session.ttlMicros());
    }

    static Duration trust(long ttlMicros) {
        return Duration.ofNanos(ttlMicros / 3 * 2 * 1_000);
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<List<T>>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        parts.stream().flatMap(each -> each.join().stream()).toList());
    }

    private static <T> List<List<T>> chunks(List<T> all, int size) {
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            chunks.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return chunks;
    }

    // ---- joining and leaving -------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Joined> join(String name, EntryLabel label, EntryNotes notes) {
        CompletableFuture<?> before = removals.in(name);
        return joins.join(name, label, notes, before == null ? CompletableFuture.completedFuture(true) : before);
    }

    @Override
    public CompletableFuture<Void> undo(String name, String ofClient, long attempt) {
        joins.stop(name, attempt);
        List<Op> then = new ArrayList<>();
        seats.of(name, attempt).ifPresent(seat -> then.add(delete(seat, Keys.ofAttempt(ofClient, attempt))));
        return session.prove(lease -> removals.at(name, undo(lease, then).thenApply(response -> {
                    if (response.isSucceeded()) {
                        session.newEpoch(lease, response.getHeader().getRevision());
                        seats.free(name, attempt);
                    }
                    return answered(response, response.isSucceeded(), true);
                })))
                .thenAccept(undone -> {});
    }

    private CompletableFuture<TxnResponse> undo(Lease lease, List<Op> deletes) {
        List<Op> then = new ArrayList<>(deletes);
        then.add(session.touch(lease));
        return commands.commit("undoing an attempt", List.of(session.isAlive(lease)), then, List.of());
    }

    /** Deletes the entry that an attempt may have made, but no other entry that may have its seat by now. */
    private Op delete(Seats.Seat seat, String ofAttempt) {
        ByteSequence ticket = Keys.bytes(keys.seat(seat, EntryLabel.Sort.TICKET));
        ByteSequence delay = Keys.bytes(keys.seat(seat, EntryLabel.Sort.DELAY));
        Cmp[] isOfAttempt = {
            new Cmp(ticket, Cmp.Op.GREATER, CmpTarget.value(Keys.bytes(ofAttempt))),
            new Cmp(ticket, Cmp.Op.LESS, CmpTarget.value(Keys.bytes(Keys.afterAll(ofAttempt)))),
        };
        return Op.txn(isOfAttempt, new Op[] {Op.delete(ticket, ONE), Op.delete(delay, ONE)}, new Op[0]);
    }

    @Override
    public CompletableFuture<Boolean> delay(Entry ticket) {
        // Without a lease: it outlives the session.
        Op put = Op.put(
                Keys.bytes(Keys.delayOf(Keys.key(ticket))),
                Keys.bytes(ticket.label().delay().text()),
                PutOption.builder().build());
        return beside(ticket, "making a delay record", lease -> put);
    }

    @Override
    public CompletableFuture<Boolean> lower(Entry ticket, EntryLabel sign) {
        ByteSequence key = Keys.bytes(Keys.signOf(Keys.key(ticket)));
        return beside(
                ticket,
                "lowering a weight",
                lease -> Op.put(
                        key,
                        Keys.bytes(sign.text()),
                        PutOption.builder().withLeaseId(lease.number()).build()));
    }

    /** Creates an entry beside an own ticket, if that is there; answers whether both are. */
    private CompletableFuture<Boolean> beside(Entry ticket, String what, Function<Lease, Op> put) {
        return session.prove(lease -> commands.commit(
                        what,
                        List.of(session.isAlive(lease), isSame(ticket)),
                        List.of(put.apply(lease)),
                        List.of(Op.get(session.key(), VALUE)))
                .thenApply(response -> {
                    boolean made = response.isSucceeded();
                    return answered(response, made || EtcdSession.isAlive(lease, response), made);
                }));
    }

    private static Cmp isSame(Entry entry) {
        return new Cmp(Keys.bytes(Keys.key(entry)), Cmp.Op.EQUAL, CmpTarget.createRevision(Keys.created(entry)));
    }

    @Override
    public CompletableFuture<Boolean> leave(Entry entry, boolean keepsDelay) {
        EntryLabel label = entry.label();
        List<Op> deletes = new ArrayList<>();
        deletes.add(Op.delete(Keys.bytes(Keys.key(entry)), ONE));
        if (label.sort() == EntryLabel.Sort.TICKET && !keepsDelay) {
            deletes.addAll(withoutDelay(entry));
        }
        return end(entry, "leaving a line", List.of(isSame(entry)), deletes);
    }

    /** The delay record was created with the ticket, and is never another client's for as long as the ticket stands. */
    private static List<Op> withoutDelay(Entry ticket) {
        return ticket.label().lockDelayMicros() == 0
                ? List.of()
                : List.of(Op.delete(Keys.bytes(Keys.delayOf(Keys.key(ticket))), ONE));
    }

    /** Ends an entry, after its earlier removals; answers whether it was there. */
    private CompletableFuture<Boolean> end(Entry entry, String what, List<Cmp> isThere, List<Op> changes) {
        return session.prove(lease -> {
            List<Cmp> compares = new ArrayList<>(isThere);
            compares.add(session.isAlive(lease));
            Change change = Change.ending(
                    what, entry.name(), compares, new Change.Branches(changes, List.of(Op.get(session.key(), VALUE))));
            return removals.inTurn(entry.name(), entry.id(), () -> {
                CompletableFuture<Committed> queued = combiner.queue(change);
                combiner.send();
                return queued.thenApply(committed -> {
                    boolean was = committed.succeeded();
                    boolean alive = was || EtcdSession.isAlive(lease, committed);
                    if (alive) {
                        // Before a ticket that waits for this removal takes a seat.
                        free(entry);
                    }
                    return new Answered<>(was, alive, committed.term());
                });
            });
        });
    }

    /** Removes it unless the seat has a later one. */
    @Override
    public CompletableFuture<?> removeSign(Entry ticket, EntryLabel sign) {
        ByteSequence key = Keys.bytes(Keys.signOf(Keys.key(ticket)));
        Cmp isSame = new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(Keys.bytes(sign.text())));
        return commands.commit("removing a sign", List.of(isSame), List.of(Op.delete(key, ONE)), List.of());
    }

    /**
     * {@inheritDoc}
     *
     * <p>The ticket's key gets the keeper's label, and a lease of its own, at whose end the server removes it. So the
     * entry stays where it is, and those who watch it go on waiting. A server has a shortest lease, of about two seconds.
     */
    @Override
    public CompletableFuture<Boolean> keep(Entry ticket, EntryLabel keeper) {
        long seconds = TimeUnit.MICROSECONDS.toSeconds(keeper.lockDelayMicros() + 999_999);
        return commands.grant(seconds, session.ttlMicros() / 1_000)
                .thenCompose(lasting -> keep(ticket, keeper, lasting.getID()).whenComplete((kept, failure) -> {
                    if (failure == null && !kept) {
                        // Without a key, it would stay at the server for the whole time.
                        CompletableFuture<?> unused = commands.revoke(lasting.getID());
                    }
                }));
    }

    private CompletableFuture<Boolean> keep(Entry ticket, EntryLabel keeper, long lasting) {
        ByteSequence key = Keys.bytes(Keys.key(ticket));
        List<Op> changes = new ArrayList<>(withoutDelay(ticket));
        changes.add(Op.put(
                key,
                Keys.bytes(keeper.text()),
                PutOption.builder().withLeaseId(lasting).build()));
        // A ticket that is a keeper already was answered to no client: it is not written again.
        return end(ticket, "keeping a name", List.of(isSame(ticket), Keys.isTicket(key, keeper)), changes);
    }

    @Override
    public CompletableFuture<?> withhold(String name, EntryLabel label) {
        // Without a lease: it outlives the session.
        Op put = Op.put(
                Keys.bytes(keys.withheld(name, label)),
                Keys.bytes(label.text()),
                PutOption.builder().build());
        return commands.commit("withholding permits", List.of(), List.of(put), List.of());
    }

    /** Frees the seat of an own ticket that is certainly gone. */
    private void free(Entry entry) {
        EntryLabel label = entry.label();
        if (label.client().equals(client) && label.sort() == EntryLabel.Sort.TICKET) {
            seats.free(entry.name(), label.attempt());
        }
    }

    private static <T> Answered<T> answered(TxnResponse response, boolean alive, T value) {
        return new Answered<>(value, alive, response.getHeader().getRaftTerm());
    }

    @Override
    public void tidy(String name) {
        // There are no parents: the last entry of a name leaves nothing behind.
        looks.forget(name);
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<List<Entry>> line(String name) {
        return ranges.line(keys.line(name)).thenApply(found -> {
            List<Entry> line = Keys.entries(name, found.entries());
            looks.looked(name, Looks.Look.of(found.revision(), line));
            return line;
        });
    }

    /** Returns what the majority knows: each call may go to another member, which may be behind the last one. */
    @Override
    public CompletableFuture<List<Entry>> lineNow(String name) {
        return line(name);
    }

    @Override
    public CompletableFuture<List<Integer>> lengths(List<String> names) {
        List<CompletableFuture<List<Integer>>> parts = new ArrayList<>();
        for (List<String> part : chunks(names, MOST_PARTS)) {
            List<Op> counts = part.stream()
                    .<Op>map(name -> Op.get(Keys.bytes(keys.line(name)), COUNT))
                    .toList();
            parts.add(commands.commit("counting entries", List.of(), counts, List.of())
                    .thenApply(response -> response.getGetResponses().stream()
                            .map(each -> Math.toIntExact(each.getCount()))
                            .toList()));
        }
        return all(parts);
    }

    @Override
    public CompletableFuture<List<Noted>> look(List<Entry> entries) {
        List<CompletableFuture<List<Noted>>> parts = new ArrayList<>();
        for (List<Entry> part : chunks(entries, MOST_PARTS)) {
            List<Op> gets = part.stream()
                    .<Op>map(each -> Op.get(Keys.bytes(Keys.key(each)), VALUE))
                    .toList();
            parts.add(commands.commit("looking at entries", List.of(), gets, List.of())
                    .thenApply(response -> noted(part, response.getGetResponses())));
        }
        return all(parts);
    }

    private static List<Noted> noted(List<Entry> entries, List<GetResponse> found) {
        List<Noted> noted = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            for (KeyValue each : found.get(i).getKvs()) {
                // Also compares the label: an entry that was overwritten by hand is in no queue any more.
                if (Keys.entries(entries.get(i).name(), List.of(each)).contains(entries.get(i))) {
                    noted.add(new Noted(
                            entries.get(i), each.getCreateRevision(), each.getModRevision(), Keys.notes(each)));
                }
            }
        }
        return noted;
    }

    // ---- proof ---------------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<List<Proof>> prove(List<Noted> entries) {
        if (entries.isEmpty()) {
            return check(entries);
        }
        List<CompletableFuture<List<Proof>>> parts = new ArrayList<>();
        chunks(entries, MOST_PARTS - 1).forEach(part -> parts.add(check(part)));
        return all(parts);
    }

    /**
     * Checks in one transaction that writes nothing: the answering member asks the leader, and the leader asks a
     * majority. No revision occurs twice, so the revision of an entry's last write identifies its state.
     */
    private CompletableFuture<List<Proof>> check(List<Noted> entries) {
        return session.prove(lease -> {
            List<Cmp> compares = new ArrayList<>();
            List<Op> otherwise = new ArrayList<>();
            compares.add(session.isAlive(lease));
            otherwise.add(Op.get(session.key(), VALUE));
            for (Noted each : entries) {
                ByteSequence key = Keys.bytes(Keys.key(each.entry()));
                boolean any = each.version() == Noted.ANY_VERSION;
                compares.add(new Cmp(
                        key,
                        Cmp.Op.EQUAL,
                        any
                                ? CmpTarget.createRevision(Keys.created(each.entry()))
                                : CmpTarget.modRevision(each.version())));
                otherwise.add(Op.get(key, ALONE));
            }
            return commands.commit("proving entries", compares, List.of(), otherwise)
                    .thenApply(response -> response.isSucceeded()
                            ? answered(
                                    response,
                                    true,
                                    entries.stream().map(each -> Proof.STANDS).toList())
                            : answered(response, EtcdSession.isAlive(lease, response), proofs(entries, response)));
        });
    }

    private List<Proof> proofs(List<Noted> entries, TxnResponse response) {
        List<Proof> proofs = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            List<KeyValue> found = response.getGetResponses().get(i + 1).getKvs();
            Entry entry = entries.get(i).entry();
            if (found.isEmpty() || found.get(0).getCreateRevision() != Keys.created(entry)) {
                proofs.add(Proof.GONE);
                free(entry);
            } else {
                boolean same = entries.get(i).isOfVersion(found.get(0).getModRevision());
                proofs.add(same ? Proof.STANDS : Proof.CHANGED);
            }
        }
        return proofs;
    }

    // ---- notes ---------------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Optional<Noted>> note(Noted entry, EntryNotes notes) {
        Lease own = session.lease();
        if (own != null && entry.entry().label().client().equals(client) && entry.token() > own.start()) {
            return write(entry, notes, own.number());
        }
        // Writing without a lease would detach the entry from its session's lease.
        return commands.get("looking at an entry", Keys.key(entry.entry())).thenCompose(found -> {
            boolean same = !found.getKvs().isEmpty() && found.getKvs().get(0).getModRevision() == entry.version();
            return same
                    ? write(entry, notes, found.getKvs().get(0).getLease())
                    : prove(List.of()).thenApply(proved -> Optional.empty());
        });
    }

    private CompletableFuture<Optional<Noted>> write(Noted entry, EntryNotes notes, long lease) {
        ByteSequence key = Keys.bytes(Keys.key(entry.entry()));
        return session.prove(of -> {
            List<Cmp> compares =
                    List.of(session.isAlive(of), new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(entry.version())));
            Op put = Op.put(
                    key,
                    Keys.value(entry.entry().label(), notes),
                    PutOption.builder().withLeaseId(lease).build());
            return commands.commit("writing notes", compares, List.of(put), List.of(Op.get(session.key(), VALUE)))
                    .thenApply(response -> response.isSucceeded()
                            ? answered(response, true, Optional.of(written(entry, notes, response)))
                            : answered(response, EtcdSession.isAlive(of, response), Optional.<Noted>empty()));
        });
    }

    private static Noted written(Noted entry, EntryNotes notes, TxnResponse response) {
        return new Noted(entry.entry(), entry.token(), response.getHeader().getRevision(), notes);
    }

    // ---- notes of names ------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<NameNote> readNameNote(String name) {
        return nameNotes.read(name);
    }

    @Override
    public CompletableFuture<NameWritten> writeNameNote(NameWrite write) {
        return nameNotes.write(write);
    }

    @Override
    public CompletableFuture<Boolean> removeNameNote(String name) {
        return nameNotes.remove(name);
    }

    // ---- watching ------------------------------------------------------------------------------------------------

    @Override
    public void watch(Entry entry, boolean notes, Watcher watcher) {
        Looks.Look look = looks.last(entry.name()).orElse(null);
        if (look != null && !look.ids().contains(entry.id())) {
            session.soon(() -> watcher.changed(true));
        } else {
            long known = look == null ? Keys.created(entry) : look.revision();
            watches.key(
                    Keys.bytes(Keys.key(entry)),
                    notes,
                    new Watches.Known(known, () -> isGone(entry, notes ? known : Long.MAX_VALUE)),
                    watcher);
        }
    }

    /** Returns whether an entry is gone; empty if it is there, and was not written since. */
    private CompletableFuture<Optional<Boolean>> isGone(Entry entry, long since) {
        return commands.get("looking at an entry", Keys.key(entry)).thenApply(found -> {
            if (found.getHeader().getRevision() < Keys.created(entry)) {
                // A member that was stopped can answer with a state from before the entry (Versions), which says
                // nothing.
                return Optional.of(false);
            }
            Optional<KeyValue> there = found.getKvs().stream()
                    .filter(each -> each.getCreateRevision() == Keys.created(entry))
                    .findFirst();
            return there.isPresent() && there.get().getModRevision() <= since
                    ? Optional.empty()
                    : Optional.of(there.isEmpty());
        });
    }

    @Override
    public void watchLine(String name, List<Entry> seen, Watcher watcher) {
        Looks.Look look = looks.last(name).orElse(null);
        Set<String> ids = Looks.Look.idsOf(seen);
        if (look != null && !look.ids().equals(ids)) {
            session.soon(() -> watcher.changed(false));
        } else {
            Watches.Known known = new Watches.Known(
                    look == null ? 0 : look.revision(),
                    () -> line(name)
                            .thenApply(line ->
                                    Looks.Look.idsOf(line).equals(ids) ? Optional.empty() : Optional.of(false)));
            watches.prefix(Keys.bytes(keys.line(name)), known, watcher);
        }
    }

    // ---- for operators -------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<List<String>> names(String prefix) {
        Set<String> names = new LinkedHashSet<>();
        return page(Keys.bytes(keys.names()), prefix, names).thenApply(done -> List.copyOf(names));
    }

    private CompletableFuture<Boolean> page(ByteSequence from, String prefix, Set<String> names) {
        ByteSequence end = Keys.bytes(Keys.afterAll(keys.names()));
        GetOption option = GetOption.builder()
                .withKeysOnly(true)
                .withLimit(Ranges.PAGE)
                .withRange(end)
                .build();
        return commands.get("looking at all names", from, option).thenCompose(found -> {
            List<KeyValue> entries = found.getKvs();
            entries.forEach(each ->
                    keys.nameOf(each).filter(name -> name.startsWith(prefix)).ifPresent(names::add));
            if (!found.isMore() || entries.isEmpty()) {
                return CompletableFuture.completedFuture(true);
            }
            return page(Ranges.after(entries), prefix, names);
        });
    }

    @Override
    public CompletableFuture<Map<String, String>> facts() {
        return facts.ask();
    }

    @Override
    public void close() {
        watches.close();
        session.close();
    }

    /** Forgets a session that is over. */
    void forget(String session) {
        seats.forget(session);
        looks.forgetAll();
    }

    /** Returns how many seats are taken. */
    int seated() {
        return seats.number();
    }

    /** Returns how many watches are kept. */
    int watching() {
        return watches.number();
    }
}
