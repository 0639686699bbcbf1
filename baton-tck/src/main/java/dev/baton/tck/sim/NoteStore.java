package dev.baton.tck.sim;

import dev.baton.internal.memory.MemoryMachine;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.ResourceView;
import dev.baton.spi.WriteNote;
import java.util.Optional;

/** The notes of a server: those of its machine, with the scenario's broken rule, and a witness of each change. */
final class NoteStore {
    /** The machine is in a grace period at the beginning of time, and in none at its end. */
    private static final long BEGINNING = Long.MIN_VALUE / 2;

    private static final long END = Long.MAX_VALUE / 2;

    private final Scenario scenario;
    private final NoteWitness witness;

    NoteStore(Scenario scenario, NoteWitness witness) {
        this.scenario = scenario;
        this.witness = witness;
    }

    NoteView read(MemoryMachine machine, String name, long now) {
        return machine.note(name, now);
    }

    WriteNote.Reply write(MemoryMachine machine, String client, WriteNote command, long now) {
        String name = command.resource().name();
        Optional<Note> before = machine.note(name, now).note();
        Optional<ResourceView.Hold> hold = holdOf(machine, client, command, now);
        WriteNote.Reply reply = machine.writeNote(client, command, now);
        if (!(reply instanceof WriteNote.Written) && isAcceptedAnyway(hold)) {
            reply = new WriteNote.Written(reply.stamp());
            put(machine, name, command.note());
        } else if (reply instanceof WriteNote.Written && scenario.isBroken(BrokenRule.NOTE_ORDER)) {
            put(machine, name, command.note());
        }
        if (reply instanceof WriteNote.Written) {
            boolean alone = hold.isPresent()
                    && !command.resource().isSharedAt(hold.get().weight());
            Optional<Note> after = machine.note(name, now).note();
            witness.written(name, client, command.note(), before, after, hold.isPresent(), alone);
        } else {
            witness.refused();
        }
        return reply;
    }

    private static Optional<ResourceView.Hold> holdOf(
            MemoryMachine machine, String client, WriteNote command, long now) {
        return machine.inspect(command.resource().name(), now).stream()
                .flatMap(view -> view.holds().stream())
                .filter(hold -> hold.client().equals(client)
                        && hold.attempt() == command.attempt()
                        && hold.token() == command.token())
                .findFirst();
    }

    private boolean isAcceptedAnyway(Optional<ResourceView.Hold> hold) {
        return scenario.isBroken(BrokenRule.NOTE_HOLD)
                || (hold.isPresent() && scenario.isBroken(BrokenRule.NOTE_SHARED));
    }

    /** Has the machine take any note. */
    private static void put(MemoryMachine machine, String name, Note note) {
        machine.forgetNote(name, END);
        machine.restoreNote(name, note, BEGINNING);
    }

    WriteNote.Reply restore(MemoryMachine machine, String name, Note note, long now) {
        Optional<Note> before = machine.note(name, now).note();
        boolean always = scenario.isBroken(BrokenRule.NOTE_GRACE);
        WriteNote.Reply reply = machine.restoreNote(name, note, always ? BEGINNING : now);
        if (reply instanceof WriteNote.Written && scenario.isBroken(BrokenRule.NOTE_ORDER)) {
            put(machine, name, note);
        }
        witness.offered(name, note, before, machine.note(name, now).note());
        return always ? new WriteNote.Written(machine.stamp(now)) : reply;
    }

    WriteNote.Reply forget(MemoryMachine machine, String name, long now) {
        WriteNote.Reply reply = machine.forgetNote(name, now);
        if (reply instanceof WriteNote.Written) {
            witness.forgotten(name);
        }
        return reply;
    }
}
