package dev.baton.internal.client;

import dev.baton.BatonException;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LossCause;
import dev.baton.StoreException;
import dev.baton.internal.Exceptions;
import dev.baton.internal.engine.Clock;
import dev.baton.internal.engine.Command;
import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import dev.baton.internal.engine.StoreExceptions;
import dev.baton.internal.work.Host;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads, writes and removes the notes of names, and asks again while the store gives no answer. Thread-safe. */
final class Notes {
    /** 20 ms, doubled up to half a second: pauses between attempts at a store that does not answer or has to recover. */
    private static final long FIRST_PAUSE_NANOS = 20_000_000;

    private static final long LONGEST_PAUSE_NANOS = 500_000_000;

    /** The lease of the holder that reads or writes. */
    interface Holder extends Lease {
        /** Returns the grant behind it. */
        Grant grant();

        /** Returns the exception for a lease that is not held. */
        LeaseLostException lost(@Nullable Object result, @Nullable Throwable failure);
    }

    private final Engine engine;
    private final ClientThreads threads;
    private final Questions questions;
    private final Supplier<Capabilities> store;
    private final Clock clock;
    private final long patienceNanos;
    private final Pause pause;

    /**
     * Creates it.
     *
     * @param questions asks the store
     * @param store the store's capabilities
     * @param patienceNanos how long a store is asked again that does not answer
     * @param pause lets time pass between two attempts
     */
    Notes(
            Engine engine,
            ClientThreads threads,
            Questions questions,
            Supplier<Capabilities> store,
            Clock clock,
            long patienceNanos,
            Pause pause) {
        this.engine = engine;
        this.threads = threads;
        this.questions = questions;
        this.store = store;
        this.clock = clock;
        this.patienceNanos = patienceNanos;
        this.pause = pause;
    }

    /** Refuses a store that keeps no notes. */
    void requireNotes() {
        Capabilities present = store.get();
        if (!present.notes()) {
            throw new UnsupportedOperationException(present.store()
                    + " keeps no notes, and so has no jobs and no elections: use another store for them");
        }
    }

    /** Pauses between attempts until the patience is at an end. An interrupt shortens nothing, and is kept. */
    private final class Patience {
        private final long startNanos = clock.nanos();
        private long nextNanos = FIRST_PAUSE_NANOS;
        private boolean interrupted;

        long leftNanos() {
            return patienceNanos - (clock.nanos() - startNanos);
        }

        void pause() {
            long end = clock.nanos() + Math.min(nextNanos, Math.max(0, leftNanos()));
            for (long left = end - clock.nanos(); left > 0; left = end - clock.nanos()) {
                try {
                    pause.nanos(threads.realNanos(left));
                    break;
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            nextNanos = Math.min(2 * nextNanos, LONGEST_PAUSE_NANOS);
        }

        void end() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Writes the note of a held name; returns when the store has it. */
    void write(Holder lease, byte[] bytes) {
        requireNotes();
        Checks.requireNote(bytes);
        lease.ensureExclusive();
        lease.ensureHeld();
        Outbox out = new Outbox();
        Command.Write command = engine.write(lease.grant(), bytes, out);
        out.flush(threads);
        if (command == null) {
            throw lease.lost(null, null);
        }
        Patience patience = new Patience();
        try {
            write(lease, command, patience);
        } finally {
            patience.end();
        }
    }

    private void write(Holder lease, Command.Write first, Patience patience) {
        for (Command.Write command = first; ; command = command.again()) {
            long limit = Math.max(1, Math.min(command.timeoutNanos(), patience.leftNanos()));
            StoreFailure failure = threads.perform(command, limit);
            if (command.isWritten()) {
                return;
            }
            if (command.isRefused()) {
                throw refused(lease);
            }
            if (!lease.isHeld()) {
                throw lease.lost(null, failure);
            }
            if (patience.leftNanos() <= 0 || (failure != null && isFinal(failure))) {
                throw unknown("whether the note of \"" + lease.name() + "\" was written is unknown", failure);
            }
            patience.pause();
        }
    }

    /** The store knows of a loss before this client does. */
    private static BatonException refused(Holder lease) {
        return Exceptions.get()
                .leaseLost(
                        "the store refused the note of \"" + lease.name() + "\": the lease with token " + lease.token()
                                + " is not there any more",
                        lease.loss().orElse(LossCause.EXPIRED),
                        null,
                        null);
    }

    /** Whether the store gives the same answer if it is asked again. */
    private static boolean isFinal(StoreFailure failure) {
        return failure.reason() == StoreFailure.Reason.UNFIT || failure.reason() == StoreFailure.Reason.DENIED;
    }

    private static BatonException unknown(String what, @Nullable StoreFailure failure) {
        return failure != null
                ? StoreExceptions.of(what + ": " + failure.getMessage(), failure)
                : Exceptions.get()
                        .store(what
                                + ": the store is in a grace period, and has not taken back the lease yet; try again");
    }

    /** Returns the note of a held name. */
    Optional<byte[]> read(Holder lease) {
        requireNotes();
        lease.ensureHeld();
        String name = lease.name();
        Patience patience = new Patience();
        try {
            while (true) {
                try {
                    Optional<byte[]> note = read(name);
                    // No other has written since it was read: the lease was held at that time.
                    lease.ensureHeld();
                    return note;
                } catch (StoreException unanswered) {
                    if (patience.leftNanos() <= 0 || !isPassing(unanswered)) {
                        throw unanswered;
                    }
                }
                lease.ensureHeld();
                patience.pause();
            }
        } finally {
            patience.end();
        }
    }

    private static boolean isPassing(StoreException unanswered) {
        return unanswered.reason() == StoreException.Reason.UNREACHABLE
                || unanswered.reason() == StoreException.Reason.OTHER;
    }

    /** Returns the note of any name. */
    Optional<byte[]> read(String name) {
        return look(name).note();
    }

    /** Returns the note of any name, and the time. */
    Host.Dated look(String name) {
        requireNotes();
        String unknown = "the note of \"" + name + "\" is unknown";
        NoteView view = questions.ask(unknown, (asked, timeout) -> asked.note(name, timeout));
        Stamp stamp = view.stamp();
        if (stamp.graceMicros() > 0) {
            throw recovering(unknown, stamp.graceMicros());
        }
        // A store of sessions has no clock: its stamps show that of this client.
        long millis = store.get().session() == null ? stamp.nowMicros() / 1_000 : clock.wallMillis();
        return new Host.Dated(view.note().map(Note::bytes), Instant.ofEpochMilli(millis));
    }

    /** Removes the note of any name; returns whether it had one. */
    boolean forget(String name) {
        requireNotes();
        String unknown = "whether the note of \"" + name + "\" was removed is unknown";
        Runnable forgets = engine.forgettingNote(name);
        WriteNote.Reply reply = questions.ask(unknown, (Store asked, long timeout) -> asked.forgetNote(name, timeout));
        if (reply instanceof WriteNote.Recovering) {
            throw recovering(
                    "the note of \"" + name + "\" was not removed",
                    reply.stamp().graceMicros());
        }
        // Only now: a note that is still there may still be lost, and has to be offered again.
        forgets.run();
        return reply instanceof WriteNote.Written;
    }

    private static BatonException recovering(String what, long graceMicros) {
        return Exceptions.get()
                .store(what + ": the store may have forgotten notes, and takes them back for another "
                        + (graceMicros + 999_999) / 1_000_000 + " s; try again then");
    }
}
