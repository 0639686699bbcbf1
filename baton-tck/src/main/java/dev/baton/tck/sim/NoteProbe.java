package dev.baton.tck.sim;

import dev.baton.internal.engine.Command;
import dev.baton.spi.Note;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import dev.baton.tck.ForwardingStore;
import org.jspecify.annotations.Nullable;

/** Finds the note in a command of the engine, which is performed on a store that can take nothing else. */
final class NoteProbe extends ForwardingStore {
    /** Without a stack: it is thrown for most commands. */
    private static final class NoNote extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoNote() {
            super(null, null, false, false);
        }
    }

    private static final WriteNote.Reply REFUSED = new WriteNote.Refused(new Stamp("", 0, 0));

    private @Nullable Note written;
    private @Nullable Note offered;

    /** Returns the note that a command offers again; null if it does something else. */
    static @Nullable Note offeredBy(Command command) {
        return of(command).offered;
    }

    /** Returns the note that a command writes; null if it does something else. */
    static @Nullable Note writtenBy(Command command) {
        return of(command).written;
    }

    private static NoteProbe of(Command command) {
        NoteProbe probe = new NoteProbe();
        try {
            command.perform(probe, 0);
        } catch (NoNote other) {
            return probe;
        } catch (StoreFailure impossible) {
            throw new AssertionError(impossible);
        }
        return probe;
    }

    @Override
    protected Store inner() {
        throw new NoNote();
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) {
        written = command.note();
        return REFUSED;
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) {
        offered = note;
        return REFUSED;
    }
}
