package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Acquire;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Notes: only the present holder writes, and only if no others hold beside it. */
abstract class StoreNoteCases extends StoreShareCases {
    private static final int MOST_TRIES = 10_000;
    private static final Resource READ_WRITE = Resource.readWrite("read-write");

    /**
     * For a store without notes: asserts that it says so. This ends the test.
     *
     * @return true if the rest of the test does not apply to this store
     */
    private boolean endsWithoutNotes() throws StoreFailure {
        if (stage.capabilities().notes()) {
            return false;
        }
        StoreClient client = stage.client();
        StoreClient.Held held = client.hold(LOCK);
        assertThatThrownBy(() -> client.writeNote(held, "anything"))
                .isInstanceOfSatisfying(StoreFailure.class, failure -> {
                    assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.NONE);
                    assertThat(failure.reason()).isEqualTo(StoreFailure.Reason.UNFIT);
                })
                .hasMessageContaining("notes");
        return true;
    }

    private static void expectNote(StoreClient reader, Resource resource, String text) throws StoreFailure {
        assertThat(reader.note(resource))
                .map(note -> new String(note.bytes(), StandardCharsets.UTF_8))
                .hasValue(text);
    }

    private static void expectRefused(StoreClient client, StoreClient.Held held) throws StoreFailure {
        Optional<Note> before = client.note(held.resource());
        assertThat(client.writeNote(held, "of a stale holder")).isInstanceOf(WriteNote.Refused.class);
        assertThat(client.note(held.resource())).isEqualTo(before);
    }

    @Test
    void note_ofANameThatHasNone_isEmpty() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient client = stage.client();
        assertThat(client.note(LOCK)).isEmpty();
        StoreClient.Held held = client.hold(LOCK);
        assertThat(client.note(LOCK)).isEmpty();
        client.release(held);
        assertThat(client.note(LOCK)).isEmpty();
    }

    @Test
    void note_thatTheHolderWrote_isThereForAll_andOutlivesHoldAndClient() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient other = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        assertThat(owner.writeNote(held, "first")).isInstanceOf(WriteNote.Written.class);
        expectNote(other, LOCK, "first");
        assertThat(owner.writeNote(held, "second")).isInstanceOf(WriteNote.Written.class);
        expectNote(owner, LOCK, "second");
        owner.release(held);
        owner.close();
        expectNote(other, LOCK, "second");
        assertThat(other.isUnknown(LOCK)).isTrue();
        assertThat(other.store().list("", "", 10, StoreClient.TIMEOUT_NANOS)).isEmpty();
        StoreClient.Held next = other.hold(LOCK);
        expectNote(other, LOCK, "second");
        assertThat(other.writeNote(next, "third")).isInstanceOf(WriteNote.Written.class);
        expectNote(stage.client(), LOCK, "third");
        stage.passMicros(2 * Protocol.MARK_MICROS);
        StoreClient late = stage.client();
        late.hold(LOCK);
        expectNote(late, LOCK, "third");
    }

    @Test
    void write_withoutAPresentHold_isRefused() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient other = stage.client();
        StoreClient.Held held = owner.hold(LOCK, 1, 5_000_000, 0);
        expectRefused(owner, held.withToken(held.token() - 1));
        expectRefused(owner, held.withToken(held.token() + 1));
        expectRefused(other, held);
        owner.writeNote(held, "kept");
        owner.release(held);
        expectRefused(owner, held);
        StoreClient.Held next = other.hold(LOCK, 1, 5_000_000, 0);
        expectRefused(owner, held);
        other.writeNote(next, "next");
        if (stage.showsDeadlines()) {
            stage.passMicros(5_000_000);
            expectRefused(other, next);
        }
        expectNote(owner, LOCK, "next");
    }

    @Test
    void write_thatWasKeptOut_byForce_orByAKeptName_isRefused() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        assertThat(stage.client().force(held, true)).isTrue();
        expectRefused(owner, held);
        StoreClient.Held again = owner.hold(LOCK);
        owner.release(again, 5_000_000);
        expectRefused(owner, again);
    }

    @Test
    void write_thatCameLate_changesNothing() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        WriteNote early = owner.noteOf(held, "early");
        WriteNote late = owner.noteOf(held, "late");
        assertThat(owner.write(late)).isInstanceOf(WriteNote.Written.class);
        // The same lease has written after it: to its caller that is as good as written before.
        assertThat(owner.write(early)).isInstanceOf(WriteNote.Written.class);
        expectNote(owner, LOCK, "late");
        assertThat(owner.write(late)).isInstanceOf(WriteNote.Written.class);
        expectNote(owner, LOCK, "late");
        // The next holder in the same client has the same hold, and a greater public token.
        WriteNote heir = owner.noteOf(held, "heir", 1);
        assertThat(owner.write(heir)).isInstanceOf(WriteNote.Written.class);
        WriteNote stale = owner.noteOf(held, "of the one before");
        assertThat(owner.write(stale)).isInstanceOf(WriteNote.Refused.class);
        expectNote(owner, LOCK, "heir");
    }

    @Test
    void note_isAnyBytesUpToOneKilobyte_underAnyName() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient owner = stage.client();
        SplittableRandom random = new SplittableRandom(21);
        List<String> names =
                List.of("a", "a/b", "%2F", "\u0000", "stra\u00dfe", "n".repeat(Protocol.MAX_NAME_BYTES), "{a}b", "A");
        List<byte[]> written = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            byte[] bytes = new byte[i == 0 ? 0 : i == 1 ? Note.MAX_BYTES : random.nextInt(Note.MAX_BYTES)];
            random.nextBytes(bytes);
            written.add(bytes);
            StoreClient.Held held = owner.hold(Resource.lock(names.get(i)));
            assertThat(owner.writeNote(held, bytes)).isInstanceOf(WriteNote.Written.class);
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(owner.note(Resource.lock(names.get(i))).orElseThrow().bytes())
                    .as("the note of %s", names.get(i))
                    .isEqualTo(written.get(i));
        }
        assertThatThrownBy(() -> new Note(1, 1, new byte[Note.MAX_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1025");
    }

    @Test
    void forget_removesTheNote_andAStaleWriterIsRefusedAfterwards() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient admin = stage.client();
        assertThat(admin.forget(LOCK)).isInstanceOf(WriteNote.Refused.class);
        StoreClient.Held held = owner.hold(LOCK);
        owner.writeNote(held, "to forget");
        WriteNote late = owner.noteOf(held, "late");
        owner.release(held);
        assertThat(admin.forget(LOCK)).isInstanceOf(WriteNote.Written.class);
        assertThat(admin.note(LOCK)).isEmpty();
        assertThat(owner.write(late)).isInstanceOf(WriteNote.Refused.class);
        assertThat(admin.note(LOCK)).isEmpty();
        StoreClient.Held next = owner.hold(LOCK);
        assertThat(owner.writeNote(next, "new")).isInstanceOf(WriteNote.Written.class);
        expectNote(admin, LOCK, "new");
        // Outside a grace period nothing is put back.
        assertThat(admin.store().restoreNote(LOCK.name(), late.note(), StoreClient.TIMEOUT_NANOS))
                .isInstanceOf(WriteNote.Refused.class);
        expectNote(admin, LOCK, "new");
    }

    @Test
    void write_byAReader_orByPermits_isRefused_andByAWriterAccepted() throws Exception {
        if (endsWithoutNotes() || stage.endsWithoutShares()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient.Held writer = owner.hold(READ_WRITE, READ_WRITE.capacity());
        assertThat(owner.writeNote(writer, "of the writer")).isInstanceOf(WriteNote.Written.class);
        owner.heartbeat(List.of(writer.withWeight(1).named(true)), List.of());
        expectRefused(owner, writer);
        owner.release(writer);
        expectRefused(owner, owner.hold(READ_WRITE, 1));
        for (int permits : new int[] {1, 3}) {
            Resource semaphore = StoreStage.semaphore("semaphore " + permits, permits);
            expectRefused(owner, owner.hold(semaphore, permits));
        }
        expectNote(owner, READ_WRITE, "of the writer");
    }

    @Test
    void write_byTheHeirOfAHandOff_isAccepted() throws Exception {
        if (endsWithoutNotes() || stage.endsWithoutQueue()) {
            return;
        }
        StoreClient owner = stage.client();
        StoreClient waiter = stage.client();
        StoreClient.Held held = owner.hold(LOCK);
        owner.writeNote(held, "before");
        long attempt = waiter.queue(LOCK, 0);
        expectRefused(waiter, new StoreClient.Held(LOCK, attempt, 1, held.token(), 0));
        owner.release(held);
        StoreClient.Held heir = waiter.expectHandedOff(LOCK, attempt);
        assertThat(waiter.writeNote(heir, "after")).isInstanceOf(WriteNote.Written.class);
        expectNote(owner, LOCK, "after");
    }

    /** A write and the release of its hold race: a refused one is never seen, and the first one stays first. */
    @Test
    void write_thatRacesWithAHandOver_isNeverSeenAfterTheNextHolderHasRead() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient first = stage.client(null);
        StoreClient second = stage.client(null);
        for (int round = 0; round < 40; round++) {
            StoreClient.Held held = first.hold(LOCK);
            WriteNote write = first.noteOf(held, "round " + round);
            CountDownLatch go = new CountDownLatch(1);
            Work<WriteNote.Reply> writing = Mode.SYNC.start(() -> {
                assertThat(go.await(10, TimeUnit.SECONDS)).isTrue();
                return first.write(write);
            });
            go.countDown();
            first.release(held);
            StoreClient.Held next = null;
            // The release was answered: only a store that has lost it refuses for long.
            for (int tries = 0; next == null; tries++) {
                assertThat(tries).isLessThan(MOST_TRIES);
                long attempt = second.nextNumber();
                Acquire.Reply reply = second.acquire(LOCK, 1, attempt, StoreClient.LEASE, 0, Acquire.Mode.TRY);
                next = reply instanceof Acquire.Granted ? StoreClient.held(LOCK, attempt, 1, reply) : null;
            }
            Optional<Note> read = second.note(LOCK);
            WriteNote.Reply reply = writing.get();
            assertThat(second.note(LOCK))
                    .as("round %s, the write was answered %s", round, reply)
                    .isEqualTo(read);
            assertThat(read.map(Note::token)
                            .filter(token -> token == write.note().token())
                            .isPresent())
                    .isEqualTo(reply instanceof WriteNote.Written);
            second.release(next);
        }
    }

    @Test
    void note_showsServerAndTime() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        StoreClient client = stage.client();
        NoteView view = client.store().note(LOCK.name(), StoreClient.TIMEOUT_NANOS);
        assertThat(view.stamp().nowMicros()).isEqualTo(stage.now());
        assertThat(view.stamp().runId()).isNotEmpty();
        assertThat(view.stamp().graceMicros()).isZero();
        stage.pass(Duration.ofSeconds(2));
        WriteNote.Reply reply = client.writeNote(client.hold(LOCK), "now");
        assertThat(reply.stamp().nowMicros()).isEqualTo(stage.now());
    }
}
