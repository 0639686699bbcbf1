package dev.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.NameNote;
import dev.baton.internal.ordered.OrderedServer.NameWrite;
import dev.baton.internal.ordered.OrderedServer.NameWritten;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Kind;
import dev.baton.spi.Note;
import dev.baton.spi.StoreFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Notes of names, one command at a time: each write meets what happened after its client looked. */
class ZookeeperNameNotesTest {
    private static final int WRITER = 1_000;
    private static final AtomicLong ROOTS = new AtomicLong();
    private static InnerServer server;

    private final String root = "/notes-" + ROOTS.incrementAndGet();
    private final List<ZookeeperLines> open = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = new InnerServer();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private ZookeeperLines lines() throws Exception {
        return lines(server.servers());
    }

    private ZookeeperLines lines(String servers) throws Exception {
        CuratorFramework framework = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(20_000)
                .retryPolicy(new RetryOneTime(100))
                .build();
        ZookeeperSession session = new ZookeeperSession(framework, true, servers);
        session.open(ZookeeperClient.TIMEOUT_NANOS, false);
        ZookeeperLines lines = new ZookeeperLines(session, root, path -> ZooDefs.Ids.OPEN_ACL_UNSAFE);
        open.add(lines);
        answer(lines.open("test".getBytes(StandardCharsets.UTF_8)));
        return lines;
    }

    @AfterEach
    void close() {
        open.forEach(ZookeeperLines::close);
    }

    private static <T> T answer(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private static Entry join(ZookeeperLines lines, Kind kind, long attempt) throws Exception {
        int capacity = kind == Kind.LOCK ? 1 : WRITER;
        EntryLabel label = new EntryLabel(EntryLabel.Sort.TICKET, "a".repeat(32), attempt, kind, capacity, capacity, 0);
        return answer(lines.join("name", label, new EntryNotes(30_000_000, 0, false, "test")))
                .own()
                .entry();
    }

    private static Note note(long token, long number) {
        return new Note(token, number, new byte[] {0, (byte) token, (byte) number});
    }

    private static NameWritten write(ZookeeperLines lines, Entry ticket, NameNote seen, Note note) throws Exception {
        return answer(lines.writeNameNote(new NameWrite(ticket, seen, note)));
    }

    private static NameNote read(ZookeeperLines lines) throws Exception {
        return answer(lines.readNameNote("name"));
    }

    @Test
    void write_thatArrivesAfterALowering_isKeptOut() throws Exception {
        ZookeeperLines lines = lines();
        Entry ticket = join(lines, Kind.READ_WRITE, 1);
        assertThat(write(lines, ticket, NameNote.ABSENT, note(1, 1))).isEqualTo(NameWritten.DONE);
        NameNote seen = read(lines);
        assertThat(write(lines, ticket, seen, note(1, 2))).isEqualTo(NameWritten.DONE);
        seen = read(lines);
        assertThat(answer(lines.line("name"))).as("the queue afterwards").containsExactly(ticket);
        answer(lines.lower(ticket, ticket.label().lowered(1)));
        assertThat(write(lines, ticket, seen, note(1, 3))).isEqualTo(NameWritten.KEPT_OUT);
        assertThat(write(lines, ticket, seen, note(1, 2)))
                .as("a write without news")
                .isEqualTo(NameWritten.KEPT_OUT);
        assertThat(read(lines)).isEqualTo(seen);
    }

    @Test
    void write_thatArrivesAfterARelease_isKeptOut_andMakesNothing() throws Exception {
        ZookeeperLines lines = lines();
        Entry left = join(lines, Kind.LOCK, 1);
        answer(lines.leave(left, false));
        assertThat(write(lines, left, NameNote.ABSENT, note(1, 1))).isEqualTo(NameWritten.KEPT_OUT);
        Entry kept = join(lines, Kind.LOCK, 2);
        answer(lines.keep(
                kept,
                new EntryLabel(
                        EntryLabel.Sort.KEEPER, "a".repeat(32), 2, Kind.LOCK, 1, 1, 60_000_000, Long.MAX_VALUE)));
        assertThat(write(lines, kept, NameNote.ABSENT, note(2, 1))).isEqualTo(NameWritten.KEPT_OUT);
        assertThat(read(lines)).isEqualTo(NameNote.ABSENT);
        assertThat(server.children(root)).hasSize(1);
    }

    @Test
    void write_overAnotherNoteThanTheOneSeen_isOutdated() throws Exception {
        ZookeeperLines lines = lines();
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
        assertThat(write(lines, ticket, third, note(1, 4))).isEqualTo(NameWritten.OUTDATED);
        assertThat(write(lines, ticket, third, note(1, 3))).isEqualTo(NameWritten.OUTDATED);
        assertThat(read(lines)).isEqualTo(NameNote.ABSENT);
    }

    @Test
    void write_whoseAnswerWasLost_isThere_andMayBeSentAgain() throws Exception {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port())) {
            ZookeeperLines lines = lines("127.0.0.1:" + proxy.port());
            Entry ticket = join(lines, Kind.LOCK, 1);
            assertThat(write(lines, ticket, NameNote.ABSENT, note(1, 1))).isEqualTo(NameWritten.DONE);
            NameNote seen = read(lines);
            proxy.discardReplies();
            CompletableFuture<NameWritten> lost = lines.writeNameNote(new NameWrite(ticket, seen, note(1, 2)));
            ZookeeperLines other = lines();
            ZookeeperClient.until("it is there", () -> !read(other).equals(seen));
            proxy.cut();
            proxy.forward();
            assertThatThrownBy(() -> answer(lost))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(StoreFailure.Effect.UNKNOWN));
            ZookeeperClient.until(
                    "it is connected",
                    () -> !lines.readNameNote("name")
                            .handle((found, away) -> away != null)
                            .get(20, TimeUnit.SECONDS));
            NameNote written = read(lines);
            assertThat(written.note()).contains(note(1, 2));
            assertThat(write(lines, ticket, written, note(1, 2))).isEqualTo(NameWritten.DONE);
            assertThat(read(other)).isEqualTo(written);
        }
    }

    @Test
    void note_isNoNameOfAQueue_andItsBucketGoesWithIt() throws Exception {
        ZookeeperLines lines = lines();
        Entry ticket = join(lines, Kind.LOCK, 1);
        write(lines, ticket, NameNote.ABSENT, note(1, 1));
        assertThat(answer(lines.lengths(List.of("name")))).containsExactly(1);
        answer(lines.leave(ticket, false));
        lines.tidy("name");
        assertThat(answer(lines.names(""))).isEmpty();
        assertThat(server.below(root)).as("the bucket and the note").isEqualTo(2);
        assertThat(answer(lines.removeNameNote("name"))).isTrue();
        assertThat(answer(lines.removeNameNote("name"))).isFalse();
        assertThat(read(lines)).isEqualTo(NameNote.ABSENT);
        assertThat(server.below(root)).isZero();
    }

    @Test
    void data_ofAnotherForm_areNotTakenForANote() throws Exception {
        ZookeeperLines lines = lines();
        Entry ticket = join(lines, Kind.LOCK, 1);
        write(lines, ticket, NameNote.ABSENT, note(1, 1));
        String path = new Buckets(root).note("name");
        for (byte[] other : List.of(new byte[0], "some text of another program".getBytes(StandardCharsets.UTF_8))) {
            ZookeeperServers.byHand(server.servers(), handle -> handle.setData(path, other, -1));
            assertThatThrownBy(() -> read(lines))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(StoreFailure.class)
                    .hasMessageContaining("cannot read");
        }
    }
}
