package dev.baton.internal.ordered;

import dev.baton.internal.ordered.OrderedServer.NameWrite;
import dev.baton.spi.Deadline;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes of names. The client compares a note with the present one; the server writes only if the present one is still
 * that, and if the client's hold still stands.
 */
final class NameNotes {
    private final OrderedServer server;
    private final Attempts attempts;
    private final Supplier<Stamp> stamp;

    NameNotes(OrderedServer server, Attempts attempts, Supplier<Stamp> stamp) {
        this.server = server;
        this.attempts = attempts;
        this.stamp = stamp;
    }

    NoteView read(String name, Deadline deadline) throws StoreFailure {
        NameNote found = Answers.await(server.readNameNote(name), deadline);
        return new NoteView(stamp.get(), found.note());
    }

    WriteNote.Reply write(WriteNote command, Deadline deadline) throws StoreFailure {
        Note note = command.note();
        while (true) {
            Entry ticket = ticketOf(command);
            if (ticket == null) {
                return refused(deadline);
            }
            NameNote seen = Answers.awaitLook(server.readNameNote(ticket.name()), deadline);
            if (seen.note().filter(present -> present.token() > note.token()).isPresent()) {
                return refused(deadline);
            }
            switch (Answers.await(server.writeNameNote(new NameWrite(ticket, seen, note)), deadline)) {
                case DONE -> {
                    return new WriteNote.Written(stamp.get());
                }
                case KEPT_OUT -> {
                    return new WriteNote.Refused(stamp.get());
                }
                case OUTDATED -> {
                    // Another write, or a removal of the note, came between: compare with the present one.
                }
            }
        }
    }

    /** Returns the ticket of a hold that may write, as far as this client knows; null if it may not. */
    private @Nullable Entry ticketOf(WriteNote command) {
        Attempt own = attempts.find(command.resource().name(), command.attempt());
        OrderedServer.Noted noted = own == null ? null : own.noted();
        if (own == null || noted == null || !own.isOfSession(server.session())) {
            return null;
        }
        return own.excludesOthers(command.token(), stamp.get().nowMicros()) ? noted.entry() : null;
    }

    /** The answer of a client that knows it without the server, which has to be in charge all the same. */
    private WriteNote.Refused refused(Deadline deadline) throws StoreFailure {
        Answers.awaitLook(server.prove(List.of()), deadline);
        return new WriteNote.Refused(stamp.get());
    }

    /** Outside a grace period nothing is put back, and this store has none. */
    WriteNote.Reply restore(Deadline deadline) throws StoreFailure {
        return refused(deadline);
    }

    WriteNote.Reply forget(String name, Deadline deadline) throws StoreFailure {
        boolean was = Answers.await(server.removeNameNote(name), deadline);
        return was ? new WriteNote.Written(stamp.get()) : new WriteNote.Refused(stamp.get());
    }
}
