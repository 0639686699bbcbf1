package dev.baton.etcd;

import dev.baton.etcd.EtcdSession.Answered;
import dev.baton.etcd.EtcdSession.Lease;
import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.NameNote;
import dev.baton.internal.ordered.OrderedServer.NameWrite;
import dev.baton.internal.ordered.OrderedServer.NameWritten;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Notes of names: keys without a lease. */
final class NameNotes {
    private static final Op[] NOTHING = {};

    private final EtcdSession session;
    private final Commands commands;
    private final Keys keys;

    NameNotes(EtcdSession session, Commands commands, Keys keys) {
        this.session = session;
        this.commands = commands;
        this.keys = keys;
    }

    CompletableFuture<NameNote> read(String name) {
        return commands.get("reading a note", keys.note(name)).thenCompose(found -> {
            if (found.getKvs().isEmpty()) {
                return CompletableFuture.completedFuture(NameNote.ABSENT);
            }
            KeyValue note = found.getKvs().get(0);
            return NameNote.decode(note.getValue().getBytes(), note.getModRevision());
        });
    }

    /** Writes in one transaction: the outer one compares the hold, and the inner one the note. */
    CompletableFuture<NameWritten> write(NameWrite write) {
        return session.prove(lease -> commands.commit(
                        "writing a note",
                        isHeld(lease, write),
                        List.of(change(write)),
                        List.of(Op.get(session.key(), GetOption.DEFAULT)))
                .thenApply(response -> answered(lease, response)));
    }

    private List<Cmp> isHeld(Lease lease, NameWrite write) {
        Entry ticket = write.ticket();
        ByteSequence key = Keys.bytes(Keys.key(ticket));
        long created = Keys.created(ticket);
        List<Cmp> compares = new ArrayList<>();
        compares.add(session.isAlive(lease));
        compares.add(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(created)));
        compares.add(Keys.isTicket(key, ticket.label()));
        // One that an earlier ticket left in this seat is older than the ticket.
        write.sign()
                .ifPresent(sign -> compares.add(new Cmp(
                        Keys.bytes(Keys.signOf(Keys.key(ticket))), Cmp.Op.LESS, CmpTarget.modRevision(created))));
        return compares;
    }

    private Op change(NameWrite write) {
        ByteSequence key = Keys.bytes(keys.note(write.ticket().name()));
        // A key that is missing has the revision 0.
        long revision = write.seen().note().isPresent() ? write.seen().version() : 0;
        Cmp[] isAsSeen = {new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision))};
        Op put = Op.put(key, ByteSequence.from(NameNote.encode(write.note())), PutOption.DEFAULT);
        return Op.txn(isAsSeen, write.isNews() ? new Op[] {put} : NOTHING, NOTHING);
    }

    private static Answered<NameWritten> answered(Lease lease, TxnResponse response) {
        long term = response.getHeader().getRaftTerm();
        if (!response.isSucceeded()) {
            return new Answered<>(NameWritten.KEPT_OUT, EtcdSession.isAlive(lease, response), term);
        }
        boolean isAsSeen = response.getTxnResponses().get(0).isSucceeded();
        return new Answered<>(isAsSeen ? NameWritten.DONE : NameWritten.OUTDATED, true, term);
    }

    CompletableFuture<Boolean> remove(String name) {
        ByteSequence key = Keys.bytes(keys.note(name));
        Cmp isThere = new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0));
        return commands.commit(
                        "removing a note", List.of(isThere), List.of(Op.delete(key, DeleteOption.DEFAULT)), List.of())
                .thenApply(TxnResponse::isSucceeded);
    }
}
