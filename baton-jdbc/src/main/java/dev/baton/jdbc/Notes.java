package dev.baton.jdbc;

import dev.baton.jdbc.Transactions.Asked;
import dev.baton.spi.Deadline;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a note beside each name. A write locks the row of the name first, as a release or a hand-over does: so the next
 * holder either keeps the write out, or sees it. Thread-safe.
 */
final class Notes {
    private final Tables tables;
    private final Transactions transactions;
    private final Sessions reader;
    private final RowLocks rowLocks;
    private final String client;
    private final Stamps stamps;

    Notes(Tables tables, Transactions transactions, Sessions reader, RowLocks rowLocks, String client, Stamps stamps) {
        this.tables = tables;
        this.transactions = transactions;
        this.reader = reader;
        this.rowLocks = rowLocks;
        this.client = client;
        this.stamps = stamps;
    }

    /**
     * Reads a note in one statement. If the server is not the recorded one, a grace period begins, although nothing was
     * granted: it would otherwise not end for a client that only reads. A standby cannot record that, so it is refused: it
     * may not have the last note yet.
     */
    NoteView read(String name, Deadline deadline) throws StoreFailure {
        return reader.run(deadline, session -> {
            KeptNote kept = tables.note(session, name);
            if (!stamps.isRecorded(kept.moment())) {
                tables.beginGrace(session, stamps.longestGraceMicros());
            }
            return new NoteView(stamps.of(kept.moment()), Optional.ofNullable(kept.note()));
        });
    }

    /** Writes a note if the client's hold allows it. */
    WriteNote.Reply write(WriteNote command, Deadline deadline) throws StoreFailure {
        return change(command.resource(), deadline, (session, names) -> {
            String name = command.resource().name();
            Note present = tables.note(session, name).note();
            ResourceRow entry = names.entry(command.resource());
            WriteNote.Reply reply = entry.state().writeNote(client, command, present, entry.ledger());
            if (reply instanceof WriteNote.Written && command.note().isNewerThan(present)) {
                tables.saveNote(session, name, command.note());
            }
            return reply;
        });
    }

    /** Puts a note back in a grace period. */
    WriteNote.Reply restore(String name, Note note, Deadline deadline) throws StoreFailure {
        return change(Resource.lock(name), deadline, (session, names) -> {
            Stamp stamp = names.stamp();
            if (stamp.graceMicros() == 0) {
                return new WriteNote.Refused(stamp);
            }
            if (note.isNewerThan(tables.note(session, name).note())) {
                tables.saveNote(session, name, note);
            }
            return new WriteNote.Written(stamp);
        });
    }

    /** Removes a note, outside a grace period. */
    WriteNote.Reply forget(String name, Deadline deadline) throws StoreFailure {
        return change(Resource.lock(name), deadline, (session, names) -> {
            Stamp stamp = names.stamp();
            if (stamp.graceMicros() > 0) {
                return new WriteNote.Recovering(stamp);
            }
            return tables.forgetNote(session, name) ? new WriteNote.Written(stamp) : new WriteNote.Refused(stamp);
        });
    }

    /** A change of a note, while the name's row is locked. */
    private interface Change {
        WriteNote.Reply on(Session session, Transaction names) throws SQLException;
    }

    private WriteNote.Reply change(Resource resource, Deadline deadline, Change change) throws StoreFailure {
        return rowLocks.run(
                deadline,
                resource.name(),
                session ->
                        transactions.run(session, List.of(new Asked(resource, 0)), names -> change.on(session, names)));
    }
}
