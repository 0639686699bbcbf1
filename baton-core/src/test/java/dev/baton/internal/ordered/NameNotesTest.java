package dev.baton.internal.ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.internal.ordered.OrderedServer.NameWrite;
import dev.baton.internal.ordered.OrderedServer.NameWritten;
import dev.baton.spi.Acquire;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Deadline;
import dev.baton.spi.Note;
import dev.baton.spi.Resource;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Writes of a name's note by a client, over a server that answers as told. */
class NameNotesTest {
    private static final Resource LOCK = Resource.lock("x");
    private static final Resource READ_WRITE = Resource.readWrite("rw");
    private static final long TOKEN = 7;

    private final Attempts attempts = new Attempts(new Deadlines(due -> {}));
    private final List<String> asked = new ArrayList<>();

    /** What the server does before the next writes, one for each. */
    private final Queue<Runnable> before = new ArrayDeque<>();

    private NameNote present = NameNote.ABSENT;
    private long versions;
    private boolean losesAnswers;
    private boolean isSilent;
    private String session = "session";

    private final OrderedServer server = (OrderedServer) Proxy.newProxyInstance(
            OrderedServer.class.getClassLoader(), new Class<?>[] {OrderedServer.class}, (proxy, method, arguments) -> {
                asked.add(method.getName());
                return switch (method.getName()) {
                    case "session" -> {
                        asked.remove(asked.size() - 1);
                        yield session;
                    }
                    case "prove" -> answered(List.of());
                    case "readNameNote" -> answered(present);
                    case "writeNameNote" -> write((NameWrite) arguments[0]);
                    default -> throw new AssertionError(method);
                };
            });

    private <T> CompletableFuture<T> answered(T answer) {
        return isSilent ? new CompletableFuture<>() : CompletableFuture.completedFuture(answer);
    }

    private CompletableFuture<NameWritten> write(NameWrite write) {
        Runnable between = before.poll();
        if (between != null) {
            between.run();
        }
        if (!write.seen().equals(present)) {
            return CompletableFuture.completedFuture(NameWritten.OUTDATED);
        }
        if (write.isNews()) {
            put(write.note());
        }
        return losesAnswers ? new CompletableFuture<>() : CompletableFuture.completedFuture(NameWritten.DONE);
    }

    private void put(Note note) {
        present = new NameNote(Optional.of(note), versions++);
    }

    private Attempt hold(Resource resource) {
        Attempt own = new Attempt(
                "a".repeat(32),
                new Acquire(resource, CommandNumber.of(1), resource.capacity(), 100, 0, "test", Acquire.Mode.TRY, 1));
        attempts.begin(own);
        Entry entry = new Entry(resource.name(), own.label, "id");
        own.joined(
                new OrderedServer.Joined(new OrderedServer.Noted(entry, TOKEN, 0, own.notes), session, List.of(entry)),
                100);
        own.hold(TOKEN, 100, true, 0);
        return own;
    }

    private static Note note(long token, long number) {
        return new Note(token, number, new byte[] {(byte) token, (byte) number});
    }

    private WriteNote.Reply write(Resource resource, Note note) throws StoreFailure {
        asked.clear();
        return new NameNotes(server, attempts, () -> new Stamp("server", 50, 0))
                .write(new WriteNote(resource, 1, TOKEN, note), Deadline.in(TimeUnit.SECONDS.toNanos(10)));
    }

    @Test
    void write_readsAndWrites_once() throws Exception {
        hold(LOCK);
        assertThat(write(LOCK, note(70, 1))).isInstanceOf(WriteNote.Written.class);
        assertThat(asked).containsExactly("readNameNote", "writeNameNote");
        assertThat(present.note()).contains(note(70, 1));
    }

    @Test
    void write_whoseAnswerWasLost_isDoneOnce_whenItIsSentAgain() throws Exception {
        hold(LOCK);
        losesAnswers = true;
        assertThat(effectOfALateWrite()).isEqualTo(StoreFailure.Effect.UNKNOWN);
        NameNote first = present;
        assertThat(first.note()).contains(note(70, 1));
        losesAnswers = false;
        assertThat(write(LOCK, note(70, 1))).isInstanceOf(WriteNote.Written.class);
        assertThat(asked).as("the server is asked about the hold").containsExactly("readNameNote", "writeNameNote");
        assertThat(present).isSameAs(first);
    }

    private StoreFailure.Effect effectOfALateWrite() {
        return catchThrowableOfType(
                        StoreFailure.class,
                        () -> new NameNotes(server, attempts, () -> new Stamp("server", 50, 0))
                                .write(new WriteNote(LOCK, 1, TOKEN, note(70, 1)), Deadline.in(50_000_000)))
                .effect();
    }

    @Test
    void write_whoseLookAtTheNote_orAtTheServer_isNotAnswered_hasHadNoEffect() {
        isSilent = true;
        assertThat(effectOfALateWrite()).as("without a hold").isEqualTo(StoreFailure.Effect.NONE);
        assertThat(asked).containsExactly("prove");
        hold(LOCK);
        assertThat(effectOfALateWrite()).isEqualTo(StoreFailure.Effect.NONE);
        before.add(() -> {
            put(note(69, 1));
            isSilent = true;
        });
        isSilent = false;
        assertThat(effectOfALateWrite()).as("after another write came between").isEqualTo(StoreFailure.Effect.NONE);
        assertThat(asked).containsExactly("prove", "readNameNote", "readNameNote", "writeNameNote", "readNameNote");
        assertThat(present.note()).contains(note(69, 1));
    }

    @Test
    void write_thatFindsAnotherNote_comparesAgain() throws Exception {
        hold(LOCK);
        before.add(() -> put(note(70, 1)));
        assertThat(write(LOCK, note(70, 2))).isInstanceOf(WriteNote.Written.class);
        assertThat(present.note()).contains(note(70, 2));
        before.add(() -> put(note(70, 9)));
        assertThat(write(LOCK, note(70, 3))).as("a later one of the lease").isInstanceOf(WriteNote.Written.class);
        assertThat(present.note()).contains(note(70, 9));
        before.add(() -> put(note(71, 4)));
        assertThat(write(LOCK, note(70, 10))).as("one of a later lease").isInstanceOf(WriteNote.Refused.class);
        assertThat(present.note()).contains(note(71, 4));
        assertThat(asked).containsExactly("readNameNote", "writeNameNote", "readNameNote", "prove");
    }

    @Test
    void write_whoseHoldEndsMeanwhile_isNotSentAgain() throws Exception {
        Attempt own = hold(LOCK);
        before.add(() -> {
            put(note(69, 1));
            own.end();
        });
        assertThat(write(LOCK, note(70, 1))).isInstanceOf(WriteNote.Refused.class);
        assertThat(present.note()).contains(note(69, 1));
    }

    @Test
    void write_ofAWriterWhoseDowngradeWasSent_orOfAnEarlierSession_isRefused() throws Exception {
        Attempt writer = hold(READ_WRITE);
        assertThat(write(READ_WRITE, note(70, 1))).isInstanceOf(WriteNote.Written.class);
        writer.lowers(writer.label.lowered(1));
        assertThat(write(READ_WRITE, note(70, 2))).isInstanceOf(WriteNote.Refused.class);
        hold(LOCK);
        session = "next";
        assertThat(write(LOCK, note(70, 2))).isInstanceOf(WriteNote.Refused.class);
        assertThat(asked).containsExactly("prove");
        assertThat(present.note()).contains(note(70, 1));
    }

    @Test
    void note_asBytes_isReadBack() {
        Note note = new Note(Long.MAX_VALUE, -3, new byte[Note.MAX_BYTES]);
        assertThat(NameNote.decode(NameNote.encode(note), 5).join()).isEqualTo(new NameNote(Optional.of(note), 5));
        byte[] tooLong = new byte[NameNote.encode(note).length + 1];
        tooLong[0] = 1;
        assertThat(NameNote.decode(tooLong, 5)).isCompletedExceptionally();
    }
}
