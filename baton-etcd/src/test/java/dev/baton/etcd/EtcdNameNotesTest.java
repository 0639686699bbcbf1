package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.NameNote;
import dev.baton.internal.ordered.OrderedServer.NameWrite;
import dev.baton.internal.ordered.OrderedServer.NameWritten;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Deadline;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.StoreFailure;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Notes of names, one command at a time: each write meets what happened after its client looked. */
class EtcdNameNotesTest {
    private static final int WRITER = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final AtomicLong PREFIXES = new AtomicLong();

    private final String prefix = "/notes-" + PREFIXES.incrementAndGet();
    private final Keys keys = Keys.of(prefix, "tests");
    private final List<EtcdLines> open = new ArrayList<>();

    private EtcdLines lines(String id) throws StoreFailure {
        return lines(id, EtcdServer.shared().uri());
    }

    private EtcdLines lines(String id, String server) throws StoreFailure {
        EtcdAddress address = EtcdAddress.of(URI.create(server + prefix + "?ttl=20s"));
        Client client = Client.builder().target("ip:///" + address.target()).build();
        Commands commands = new Commands(client, address.target());
        EtcdSession session = new EtcdSession(commands, true, keys.client(id.repeat(32)), 20, id.repeat(32));
        EtcdLines lines =
                new EtcdLines(session, commands, keys, id.repeat(32), new Facts(client, address, session::ttlMicros));
        open.add(lines);
        session.open(Deadline.in(PATIENCE.toNanos()));
        return lines;
    }

    @AfterEach
    void close() {
        open.forEach(EtcdLines::close);
    }

    private static <T> T answer(CompletableFuture<T> future) throws Exception {
        return ByHand.answer(future);
    }

    private static Entry join(EtcdLines lines, Kind kind, long attempt) throws Exception {
        int capacity = kind == Kind.LOCK ? 1 : WRITER;
        EntryLabel label = new EntryLabel(EntryLabel.Sort.TICKET, "a".repeat(32), attempt, kind, capacity, capacity, 0);
        return answer(lines.join("name", label, new EntryNotes(30_000_000, 0, false, "test")))
                .own()
                .entry();
    }

    private static Note note(long token, long number) {
        return new Note(token, number, new byte[] {0, (byte) token, (byte) number});
    }

    private static NameWritten write(EtcdLines lines, Entry ticket, NameNote seen, Note note) throws Exception {
        return answer(lines.writeNameNote(new NameWrite(ticket, seen, note)));
    }

    private static NameNote read(EtcdLines lines) throws Exception {
        return answer(lines.readNameNote("name"));
    }

    @Test
    void write_thatArrivesAfterALowering_isKeptOut() throws Exception {
        EtcdLines lines = lines("a");
        Entry ticket = join(lines, Kind.READ_WRITE, 1);
        assertThat(write(lines, ticket, NameNote.ABSENT, note(1, 1))).isEqualTo(NameWritten.DONE);
        NameNote seen = read(lines);
        answer(lines.lower(ticket, ticket.label().lowered(1)));
        assertThat(write(lines, ticket, seen, note(1, 2))).isEqualTo(NameWritten.KEPT_OUT);
        assertThat(write(lines, ticket, seen, note(1, 1)))
                .as("a write without news")
                .isEqualTo(NameWritten.KEPT_OUT);
        assertThat(read(lines)).isEqualTo(seen);
    }

    /** Keys are reused: the sign is that of the ticket before. */
    @Test
    void write_inASeatWhoseLastTicketLeftItsSign_isDone() throws Exception {
        EtcdLines lines = lines("a");
        Entry before = join(lines, Kind.READ_WRITE, 1);
        answer(lines.lower(before, before.label().lowered(1)));
        answer(lines.leave(before, false));
        Entry ticket = join(lines, Kind.READ_WRITE, 2);
        assertThat(Keys.key(ticket)).isEqualTo(Keys.key(before));
        assertThat(ByHand.shared().names(Keys.signOf(Keys.key(ticket)))).hasSize(1);
        assertThat(write(lines, ticket, NameNote.ABSENT, note(2, 1))).isEqualTo(NameWritten.DONE);
        answer(lines.lower(ticket, ticket.label().lowered(1)));
        assertThat(write(lines, ticket, read(lines), note(2, 2))).isEqualTo(NameWritten.KEPT_OUT);
    }

    @Test
    void write_thatArrivesAfterARelease_isKeptOut_andMakesNothing() throws Exception {
        EtcdLines lines = lines("a");
        Entry left = join(lines, Kind.LOCK, 1);
        answer(lines.leave(left, false));
        assertThat(write(lines, left, NameNote.ABSENT, note(1, 1))).isEqualTo(NameWritten.KEPT_OUT);
        Entry kept = join(lines, Kind.LOCK, 2);
        assertThat(write(lines, left, NameNote.ABSENT, note(1, 1)))
                .as("a ticket that has the seat now is another one")
                .isEqualTo(NameWritten.KEPT_OUT);
        answer(lines.keep(
                kept,
                new EntryLabel(
                        EntryLabel.Sort.KEEPER, "a".repeat(32), 2, Kind.LOCK, 1, 1, 60_000_000, Long.MAX_VALUE)));
        assertThat(write(lines, kept, NameNote.ABSENT, note(2, 1))).isEqualTo(NameWritten.KEPT_OUT);
        assertThat(ByHand.shared().names(keys.note("name"))).isEmpty();
    }

    @Test
    void write_overAnotherNoteThanTheOneSeen_isOutdated() throws Exception {
        EtcdLines lines = lines("a");
        Entry ticket = join(lines, Kind.LOCK, 1);
        assertThat(write(lines, ticket, NameNote.ABSENT, note(1, 1))).isEqualTo(NameWritten.DONE);
        NameNote first = read(lines);
        assertThat(write(lines, ticket, NameNote.ABSENT, note(1, 2))).isEqualTo(NameWritten.OUTDATED);
        assertThat(write(lines, ticket, first, note(1, 3))).isEqualTo(NameWritten.DONE);
        assertThat(write(lines, ticket, first, note(1, 2))).isEqualTo(NameWritten.OUTDATED);
        NameNote third = read(lines);
        assertThat(third.note()).contains(note(1, 3));
        assertThat(write(lines, ticket, third, note(1, 3))).isEqualTo(NameWritten.DONE);
        assertThat(read(lines)).as("without news nothing is written").isEqualTo(third);
        assertThat(answer(lines.removeNameNote("name"))).isTrue();
        assertThat(answer(lines.removeNameNote("name"))).isFalse();
        assertThat(write(lines, ticket, third, note(1, 4))).isEqualTo(NameWritten.OUTDATED);
        assertThat(write(lines, ticket, third, note(1, 3))).isEqualTo(NameWritten.OUTDATED);
        assertThat(read(lines)).isEqualTo(NameNote.ABSENT);
    }

    @Test
    void write_whoseAnswerWasLost_isThere_andMayBeSentAgain() throws Exception {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", EtcdServer.shared().port(0))) {
            EtcdLines lines = lines("a", "etcd://127.0.0.1:" + proxy.port());
            EtcdLines other = lines("b");
            Entry ticket = join(lines, Kind.LOCK, 1);
            proxy.discardReplies();
            CompletableFuture<NameWritten> lost =
                    lines.writeNameNote(new NameWrite(ticket, NameNote.ABSENT, note(1, 2)));
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (read(other).note().isEmpty()) {
                assertThat(System.nanoTime()).as("time to write").isLessThan(end);
            }
            NameNote written = read(other);
            proxy.cut();
            proxy.forward();
            assertThatThrownBy(() -> answer(lost))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN));
            while (lines.readNameNote("name")
                    .handle((found, away) -> away != null)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(System.nanoTime()).as("time to connect").isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(write(lines, ticket, read(lines), note(1, 2))).isEqualTo(NameWritten.DONE);
            assertThat(read(other)).isEqualTo(written);
        }
    }

    @Test
    void note_isNoEntryOfAQueue_andHasNoLease() throws Exception {
        EtcdLines lines = lines("a");
        Entry ticket = join(lines, Kind.LOCK, 1);
        write(lines, ticket, NameNote.ABSENT, note(1, 1));
        assertThat(answer(lines.lengths(List.of("name")))).containsExactly(1);
        lines.close();
        EtcdLines other = lines("b");
        assertThat(answer(other.names(""))).isEmpty();
        assertThat(read(other).note()).contains(note(1, 1));
    }

    @Test
    void value_ofAnotherForm_isNotTakenForANote() throws Exception {
        EtcdLines lines = lines("a");
        ByHand.shared().put(keys.note("name"), "some text of another program");
        assertThatThrownBy(() -> read(lines))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreFailure.class)
                .hasMessageContaining("cannot read");
    }
}
