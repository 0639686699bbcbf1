package dev.baton.tck.sim;

import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import dev.baton.spi.NoteView;
import dev.baton.spi.WriteNote;
import java.nio.ByteBuffer;

/**
 * Writes, reads and removes the notes of names that its caller holds, as the client's API does: it sends a write without an
 * answer again, and relies on its read if its caller still holds the name. It does not wait for a write to end, so its
 * caller may have left by then. Holders that share a name try to write, too: the store must refuse that.
 */
final class Scribe {
    private static final double FIRST_PAUSE_MILLIS = 2;
    private static final double LONGEST_PAUSE_MILLIS = 50;

    private final NoteWitness witness;
    private final SimClient client;
    private final World world;
    private int texts;

    /** What a server told, and when. */
    private record Seen(NoteView view, long order) {}

    Scribe(NoteWitness witness, SimClient client, World world) {
        this.witness = witness;
        this.client = client;
        this.world = world;
    }

    /** Plans the use of the note of a name that the caller holds now. */
    void holds(Grant grant) {
        if (world.chance(0.6)) {
            client.later(world.millis(0, 20), () -> read(grant));
        }
        int writes = grant.isShared() && world.chance(0.7) ? 0 : world.random.nextInt(3);
        long at = 0;
        for (int i = 0; i < writes; i++) {
            at += world.millis(0, Scenario.LEASE_MILLIS * 0.4);
            client.later(at, () -> write(grant));
        }
        if (world.chance(0.05)) {
            client.later(world.millis(0, 2 * Scenario.LEASE_MILLIS), () -> forget(grant.name()));
        }
    }

    private void read(Grant grant) {
        client.ask(grant.name(), server -> new Seen(server.readNote(grant.name()), witness.order()), seen -> {
            // A note that is read in a grace period may be an old one, and is no answer.
            if (seen.view().stamp().graceMicros() == 0 && grant.isHeld()) {
                witness.read(grant.name(), grant.token(), seen.view().note(), seen.order());
            }
        });
    }

    private void write(Grant grant) {
        byte[] text = ByteBuffer.allocate(Integer.BYTES).putInt(texts++).array();
        Outbox out = new Outbox();
        Command.Write command = client.engine.write(grant, text, out);
        out.flush(client);
        if (command != null) {
            send(grant, command, FIRST_PAUSE_MILLIS);
        }
    }

    private void send(Grant grant, Command.Write command, double pauseMillis) {
        client.perform(command, () -> {
            if (command.isWritten()) {
                witness.acknowledged(grant.name(), NoteProbe.writtenBy(command));
            } else if (!command.isRefused() && grant.isHeld()) {
                double next = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
                client.later(world.millis(pauseMillis, pauseMillis), () -> send(grant, command.again(), next));
            }
        });
    }

    private void forget(String name) {
        witness.asksToForget(client.id, name);
        Runnable forgets = client.engine.forgettingNote(name);
        client.ask(name, server -> server.forgetNote(name), reply -> {
            if (!(reply instanceof WriteNote.Recovering)) {
                forgets.run();
            }
        });
    }
}
