package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.internal.ordered.Entry;
import dev.baton.internal.ordered.EntryLabel;
import dev.baton.internal.ordered.EntryNotes;
import dev.baton.internal.ordered.OrderedServer.Joined;
import dev.baton.internal.ordered.OrderedServer.Noted;
import dev.baton.internal.ordered.OrderedServer.Proof;
import dev.baton.servers.EtcdServer;
import dev.baton.spi.Deadline;
import dev.baton.spi.Kind;
import dev.baton.spi.StoreFailure;
import dev.baton.tck.history.Residue;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Queues of keys, one command at a time. */
class EtcdLinesTest {
    private static final AtomicLong PREFIXES = new AtomicLong();
    private static final EntryNotes NOTES = new EntryNotes(30_000_000, 0, false, "test");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ROUNDS = 300;

    private final String prefix = "/lines-" + PREFIXES.incrementAndGet();
    private final Meddler meddler = new Meddler();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** Changes the answers to keep-alives as a network and a deposed leader would. */
    private static final class Meddler implements ClientInterceptor {
        enum Doing {
            NOTHING,
            LOSES,
            ANSWERS_OF_AN_OLD_TERM
        }

        volatile Doing doing = Doing.NOTHING;

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    super.start(
                            new SimpleForwardingClientCallListener<>(listener) {
                                @Override
                                public void onMessage(A message) {
                                    A changed = change(message);
                                    if (changed != null) {
                                        super.onMessage(changed);
                                    }
                                }
                            },
                            headers);
                }
            };
        }

        @SuppressWarnings("unchecked") // of the type that it was
        private <A> A change(A message) {
            if (message instanceof LeaseKeepAliveResponse answer) {
                return switch (doing) {
                    case NOTHING -> message;
                    case LOSES -> null;
                    case ANSWERS_OF_AN_OLD_TERM ->
                        (A) answer.toBuilder()
                                .setHeader(answer.getHeader().toBuilder().setRaftTerm(1))
                                .build();
                };
            }
            return message;
        }
    }

    private EtcdLines lines(String id, int ttl) throws StoreFailure {
        EtcdAddress address = EtcdAddress.of(URI.create(EtcdServer.shared().uri() + prefix + "?ttl=" + ttl + "s"));
        Client client = Client.builder()
                .target("ip:///" + address.target())
                .interceptor(meddler)
                .build();
        Commands commands = new Commands(client, address.target());
        Keys keys = Keys.of(prefix, "tests");
        EtcdSession session = new EtcdSession(commands, true, keys.client(id.repeat(32)), ttl, id.repeat(32));
        EtcdLines lines =
                new EtcdLines(session, commands, keys, id.repeat(32), new Facts(client, address, session::ttlMicros));
        open.add(lines);
        session.open(Deadline.in(PATIENCE.toNanos()));
        return lines;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static EntryLabel label(String id, long attempt, int capacity) {
        return new EntryLabel(
                EntryLabel.Sort.TICKET,
                id.repeat(32),
                attempt,
                capacity == 1 ? Kind.LOCK : Kind.SEMAPHORE,
                capacity,
                1,
                0);
    }

    private static <T> T answer(CompletableFuture<T> future) throws Exception {
        return ByHand.answer(future);
    }

    // ---- proof ---------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P2: answers_withoutAKeepAlive_areNotGiven")
    void answers_withoutAKeepAlive_areNotGiven() throws Exception {
        EtcdLines lines = lines("a", 6);
        answer(lines.prove(List.of()));
        meddler.doing = Meddler.Doing.LOSES;
        TimeUnit.MILLISECONDS.sleep(2_500);
        CompletableFuture<List<Proof>> asked = lines.prove(List.of());
        assertThatThrownBy(() -> asked.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        meddler.doing = Meddler.Doing.NOTHING;
        assertThat(asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    @DisplayName("P2: keepAlive_answeredInAnOlderTerm_provesNothing")
    void keepAlive_answeredInAnOlderTerm_provesNothing() throws Exception {
        EtcdLines lines = lines("a", 6);
        meddler.doing = Meddler.Doing.ANSWERS_OF_AN_OLD_TERM;
        TimeUnit.MILLISECONDS.sleep(2_500);
        CompletableFuture<List<Proof>> asked = lines.prove(List.of());
        assertThatThrownBy(() -> asked.get(1_500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        meddler.doing = Meddler.Doing.NOTHING;
        assertThat(asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void proof_ofManyEntries_answersEach() throws Exception {
        EtcdLines lines = lines("a", 20);
        EtcdLines other = lines("b", 20);
        List<CompletableFuture<Joined>> joining = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            joining.add(lines.join("name " + i, label("a", i + 1, 4), NOTES));
        }
        List<Noted> entries = new ArrayList<>();
        for (CompletableFuture<Joined> each : joining) {
            entries.add(answer(each).own());
        }
        assertThat(answer(lines.prove(entries))).hasSize(300).containsOnly(Proof.STANDS);
        answer(other.leave(entries.get(7).entry(), false));
        answer(other.note(entries.get(200), new EntryNotes(1, 0, true, "revoked")));
        List<Proof> proofs = answer(lines.prove(entries));
        assertThat(proofs.get(7)).isEqualTo(Proof.GONE);
        assertThat(proofs.get(200)).isEqualTo(Proof.CHANGED);
        assertThat(proofs).filteredOn(each -> each == Proof.STANDS).hasSize(298);
        assertThat(answer(lines.look(entries.stream().map(Noted::entry).toList())))
                .hasSize(299);
    }

    @Test
    void notes_writtenByAnother_leaveTheEntryToItsLease() throws Exception {
        EtcdLines lines = lines("a", 20);
        EtcdLines other = lines("b", 20);
        Noted own = answer(lines.join("name", label("a", 1, 4), NOTES)).own();
        assertThat(answer(other.note(own, new EntryNotes(1, 0, true, "revoked"))))
                .isPresent();
        assertThat(answer(lines.note(own, NOTES))).as("somebody wrote since").isEmpty();
        lines.close();
        assertThat(answer(other.line("name"))).isEmpty();
    }

    // ---- undoing -------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P6: joins_whileOthersAreUndone_areSentAgain")
    void joins_whileOthersAreUndone_areSentAgain() throws Exception {
        EtcdLines lines = lines("a", 20);
        List<CompletableFuture<Joined>> kept = new ArrayList<>();
        List<CompletableFuture<?>> undone = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            // Those that stay are in a queue without undone attempts, so that they need not wait for them.
            boolean stays = i % 2 == 0;
            CompletableFuture<Joined> joined = lines.join(stays ? "stay" : "go", label("a", i, 1_000), NOTES);
            if (stays) {
                kept.add(joined);
            } else {
                undone.add(lines.undo("go", "a".repeat(32), i));
            }
        }
        for (CompletableFuture<?> each : undone) {
            answer(each);
        }
        for (CompletableFuture<Joined> each : kept) {
            answer(each);
        }
        assertThat(answer(lines.line("stay"))).hasSize(100);
        assertThat(answer(lines.line("go"))).isEmpty();
    }

    // ---- order ---------------------------------------------------------------------------------------------------

    @Test
    void removals_ofOneEntry_areAnsweredInTheOrderInWhichTheyWereCalled() throws Exception {
        EtcdLines lines = lines("a", 20);
        for (int i = 1; i <= ROUNDS; i++) {
            Entry entry =
                    answer(lines.join("name", label("a", i, 1), NOTES)).own().entry();
            CompletableFuture<Boolean> first = lines.leave(entry, false);
            CompletableFuture<Boolean> second = lines.leave(entry, false);
            assertThat(answer(first)).as("first of round %d", i).isTrue();
            assertThat(answer(second)).as("second of round %d", i).isFalse();
        }
    }

    @Test
    void ticket_comesAfterEveryRemovalThatWasCalledBefore() throws Exception {
        EtcdLines lines = lines("a", 20);
        for (int i = 1; i <= 4 * ROUNDS; i += 4) {
            Entry one =
                    answer(lines.join("name", label("a", i, 9), NOTES)).own().entry();
            Entry two = answer(lines.join("name", label("a", i + 1, 9), NOTES))
                    .own()
                    .entry();
            answer(lines.join("name", label("a", i + 2, 9), NOTES));
            CompletableFuture<?> undone = lines.undo("name", "a".repeat(32), i + 2);
            CompletableFuture<Boolean> left = lines.leave(one, false);
            CompletableFuture<Boolean> alsoLeft = lines.leave(two, false);
            Joined next = answer(lines.join("name", label("a", i + 3, 9), NOTES));
            assertThat(next.line())
                    .as("line of round %d", i / 4)
                    .containsExactly(next.own().entry());
            answer(undone);
            assertThat(answer(left)).isTrue();
            assertThat(answer(alsoLeft)).isTrue();
            answer(lines.leave(next.own().entry(), false));
        }
    }

    // ---- keys ----------------------------------------------------------------------------------------------------

    @Test
    @DisplayName("P32: keys_areUsedAgain_soThatNoLineGrowsWithItsHistory")
    void keys_areUsedAgain_soThatNoLineGrowsWithItsHistory() throws Exception {
        EtcdLines lines = lines("a", 20);
        Set<String> keys = new TreeSet<>();
        for (int i = 1; i <= 60; i += 3) {
            List<Entry> three = new ArrayList<>();
            for (int j = 0; j < 3; j++) {
                three.add(answer(lines.join("name", label("a", i + j, 4), NOTES))
                        .own()
                        .entry());
            }
            for (Entry each : three) {
                keys.add(Keys.key(each));
                assertThat(answer(lines.leave(each, false))).isTrue();
                assertThat(answer(lines.leave(each, false))).isFalse();
            }
            answer(lines.undo("name", "a".repeat(32), i));
        }
        assertThat(keys).hasSize(3);
        assertThat(lines.seated()).isZero();
    }

    @Test
    void entry_whoseKeyIsUsedAgain_isNeverTakenForTheNext() throws Exception {
        EtcdLines lines = lines("a", 20);
        EtcdLines other = lines("b", 20);
        Noted first = answer(lines.join("name", label("a", 1, 4), NOTES)).own();
        answer(lines.leave(first.entry(), false));
        Noted second = answer(lines.join("name", label("a", 2, 4), NOTES)).own();
        assertThat(Keys.key(second.entry())).isEqualTo(Keys.key(first.entry()));
        assertThat(answer(lines.prove(List.of(first, second)))).containsExactly(Proof.GONE, Proof.STANDS);
        assertThat(answer(other.look(List.of(first.entry(), second.entry())))).hasSize(1);
        assertThat(answer(other.note(first, NOTES))).isEmpty();
        assertThat(answer(other.leave(first.entry(), false))).isFalse();
        BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
        other.watch(first.entry(), false, told::add);
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(true);
        assertThat(answer(lines.prove(List.of(second)))).containsExactly(Proof.STANDS);
    }

    private static EntryLabel delayed(long attempt, int capacity) {
        EntryLabel label = label("a", attempt, capacity);
        return new EntryLabel(label.sort(), label.client(), attempt, label.kind(), capacity, label.weight(), 5_000_000);
    }

    /** Creates a ticket that holds: with its delay record, if it wants a lock-delay. */
    private static Entry joined(EtcdLines lines, EntryLabel label) throws Exception {
        Entry entry = answer(lines.join("name", label, NOTES)).own().entry();
        if (label.lockDelayMicros() > 0) {
            assertThat(answer(lines.delay(entry))).isTrue();
        }
        return entry;
    }

    @Test
    void delayRecord_ofATicketThatIsGone_isNotMade() throws Exception {
        EtcdLines lines = lines("a", 20);
        Entry entry = joined(lines, delayed(1, 1));
        assertThat(answer(lines.delay(entry))).as("once more").isTrue();
        assertThat(answer(lines.leave(entry, false))).isTrue();
        assertThat(answer(lines.delay(entry))).isFalse();
        assertThat(answer(lines.line("name"))).isEmpty();
    }

    private static Entry delayRecord(EtcdLines lines) throws Exception {
        return answer(lines.line("name")).stream()
                .filter(each -> each.label().sort() == EntryLabel.Sort.DELAY)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void delayRecord_thatIsOn_keepsItsKey() throws Exception {
        EtcdLines lines = lines("a", 20);
        Entry failed = joined(lines, delayed(1, 1));
        answer(lines.leave(failed, true));
        Entry next = joined(lines, label("a", 2, 1));
        assertThat(Keys.key(next)).isNotEqualTo(Keys.key(failed));
        assertThat(answer(lines.line("name"))).hasSize(2);
        answer(lines.undo("name", "a".repeat(32), 2));
        List<Entry> left = answer(lines.line("name"));
        assertThat(left).hasSize(1).allMatch(each -> each.label().sort() == EntryLabel.Sort.DELAY);
        assertThat(answer(lines.leave(left.get(0), false))).isTrue();
        assertThat(answer(lines.line("name"))).isEmpty();
    }

    @Test
    void delayRecord_whoseKeyIsUsedAgain_isNotRemovedByWhatIsLate() throws Exception {
        EtcdLines lines = lines("a", 20);
        Entry failed = joined(lines, delayed(1, 1));
        answer(lines.leave(failed, true));
        Entry over = delayRecord(lines);
        assertThat(answer(lines.leave(over, false))).isTrue();
        Entry next = joined(lines, delayed(2, 1));
        assertThat(Keys.key(next)).isEqualTo(Keys.key(failed));
        assertThat(Keys.key(delayRecord(lines))).isEqualTo(Keys.key(over));
        assertThat(answer(lines.leave(failed, false))).isFalse();
        assertThat(answer(lines.leave(over, false))).isFalse();
        answer(lines.undo("name", "a".repeat(32), 1));
        assertThat(answer(lines.line("name"))).hasSize(2);
    }

    @Test
    void delayRecords_inHundreds_keepNobodyOutOfTheLine() throws Exception {
        EtcdLines lines = lines("a", 20);
        for (int i = 1; i <= 150; i++) {
            answer(lines.leave(joined(lines, delayed(i, 1_000)), true));
        }
        joined(lines, delayed(151, 1_000));
        assertThat(answer(lines.line("name"))).hasSize(152);
        assertThat(lines.seated()).isEqualTo(1);
    }

    @Test
    void undo_removesNothingOfWhoeverHasTheSeatMeanwhile() throws Exception {
        EtcdLines lines = lines("a", 20);
        Entry entry = joined(lines, delayed(1, 1));
        ByteSequence other = Keys.value(label("a", 11, 1), NOTES);
        ByHand.shared().delete(Keys.key(entry));
        ByHand.shared().put(Keys.key(entry), Keys.text(other));
        answer(lines.undo("name", "a".repeat(32), 1));
        assertThat(answer(lines.line("name")))
                .extracting(each -> each.label().attempt())
                .containsExactly(1L, 11L);
        assertThat(lines.seated()).isZero();
        assertThat(Keys.key(joined(lines, label("a", 2, 1)))).isNotEqualTo(Keys.key(entry));
    }

    @Test
    void entry_overwrittenByHand_isGoneForEverybody() throws Exception {
        EtcdLines lines = lines("a", 20);
        Noted own = answer(lines.join("name", label("a", 1, 1), NOTES)).own();
        ByHand.shared().put(Keys.key(own.entry()), "something else");
        assertThat(answer(lines.line("name"))).isEmpty();
        assertThat(answer(lines.prove(List.of(own)))).containsExactly(Proof.CHANGED);
        assertThat(answer(lines.look(List.of(own.entry())))).isEmpty();
        assertThat(answer(lines.leave(own.entry(), false))).isTrue();
        assertThat(Keys.key(joined(lines, label("a", 2, 1)))).isEqualTo(Keys.key(own.entry()));
    }

    @Test
    void seat_thatWasGivenUp_isNotExchanged() {
        Seats seats = new Seats();
        Seats.Seat given = seats.take("name", 1, "s");
        seats.free("name", 1);
        assertThat(seats.take("name", 2, "s")).isEqualTo(given);
        seats.exchange(given, 1, seat -> true);
        assertThat(seats.number()).isEqualTo(1);
        seats.exchange(given, 2, seat -> !seat.equals(given) && seat.number() != 1);
        assertThat(seats.of("name", 2).orElseThrow().number()).isEqualTo(2);
        assertThat(seats.take("name", 3, "s")).isEqualTo(given);
        seats.forget("s");
        assertThat(seats.number()).isZero();
    }

    // ---- watching ------------------------------------------------------------------------------------------------

    private static List<Entry> threeInALine(EtcdLines lines) throws Exception {
        for (int i = 1; i <= 3; i++) {
            answer(lines.join("name", label("a", i, 4), NOTES));
        }
        return answer(lines.line("name"));
    }

    @Test
    void watch_afterWhatItKnewWasCompactedAway_missesNothing() throws Exception {
        EtcdLines lines = lines("a", 20);
        EtcdLines other = lines("b", 20);
        List<Entry> line = threeInALine(lines);
        answer(other.leave(line.get(0), false));
        for (int i = 0; i < 5; i++) {
            ByHand.shared().put("/other", "value " + i);
        }
        ByHand.shared().compact();
        BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
        lines.watch(line.get(0), false, told::add);
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(true);
        lines.watch(line.get(1), false, told::add);
        assertThat(told.poll(300, TimeUnit.MILLISECONDS)).isNull();
        answer(other.leave(line.get(1), false));
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(true);
        assertThat(lines.watching()).isZero();
    }

    /** etcd serves watches that begin in the past every 100 ms. */
    @Test
    void watch_whereOthersWrite_isServedAtOnce() throws Exception {
        EtcdLines lines = lines("a", 20);
        EtcdLines other = lines("b", 20);
        List<Long> millis = new ArrayList<>();
        List<Long> questions = new ArrayList<>();
        for (int i = 1; i <= 21; i++) {
            Entry entry = joined(lines, label("a", i, 1));
            long asked = System.nanoTime();
            ByHand.shared().put("/other", "value " + i);
            questions.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked));
            BlockingQueue<Boolean> told = new LinkedBlockingQueue<>();
            lines.watch(entry, false, told::add);
            long start = System.nanoTime();
            answer(other.leave(entry, false));
            assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(true);
            millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        }
        // Beside plain writes, which show the machine's present speed.
        assertThat(median(millis)).as("the median of %s", millis).isLessThan(60 + 4 * median(questions));
    }

    private static long median(List<Long> millis) {
        return millis.stream().sorted().toList().get(millis.size() / 2);
    }

    @Test
    void watch_startsBehindTheLook_andMissesNothing() throws Exception {
        EtcdLines lines = lines("a", 20);
        EtcdLines other = lines("b", 20);
        List<Entry> line = threeInALine(lines);
        answer(other.leave(line.get(1), false));
        answer(other.note(
                answer(other.look(line.subList(0, 1))).get(0), new EntryNotes(30_000_000, 5, false, "token")));
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        lines.watch(line.get(1), false, gone -> told.add("gone " + gone));
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("gone true");
        lines.watch(line.get(0), true, gone -> told.add("written " + gone));
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("written false");
        lines.watchLine("name", line, gone -> told.add("line " + gone));
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("line false");
        assertThat(lines.watching()).isZero();
    }

    @Test
    void watches_thatFired_orWhoseClientIsClosed_areGoneAtTheServer() throws Exception {
        EtcdLines lines = lines("a", 20);
        long before = watchers();
        List<Entry> line = threeInALine(lines);
        for (int i = 0; i < 10; i++) {
            lines.watch(line.get(1), false, gone -> {});
        }
        lines.watchLine("name", line, gone -> {});
        assertThat(Residue.await(() -> before + 11 - watchers(), 0, PATIENCE)).isZero();
        answer(lines.leave(line.get(1), false));
        assertThat(Residue.await(EtcdLinesTest::watchers, before, PATIENCE)).isEqualTo(before);
        lines.watch(line.get(0), false, gone -> {});
        lines.close();
        assertThat(Residue.await(EtcdLinesTest::watchers, before, PATIENCE)).isEqualTo(before);
    }

    private static long watchers() throws Exception {
        return Long.parseLong(EtcdServerMetrics.of(EtcdServer.shared(), "etcd_debugging_mvcc_watcher_total"));
    }

    // ---- names ---------------------------------------------------------------------------------------------------

    @Test
    void names_inThousands_arePagedThrough() throws Exception {
        EtcdLines lines = lines("a", 20);
        List<CompletableFuture<Joined>> joining = new ArrayList<>();
        for (int i = 0; i < 2_300; i++) {
            joining.add(lines.join("na/me %" + i, label("a", i + 1, 4), NOTES));
        }
        for (CompletableFuture<Joined> each : joining) {
            answer(each);
        }
        assertThat(answer(lines.names(""))).hasSize(2_300).contains("na/me %17");
        assertThat(answer(lines.names("na/me %22"))).hasSize(111);
        assertThat(answer(lines.facts()).get("version")).startsWith("3.");
    }

    @Test
    void commands_withoutALease_failAtOnce() throws Exception {
        EtcdLines lines = lines("a", 20);
        lines.close();
        assertThat(lines.session()).isEmpty();
        assertThatThrownBy(() -> lines.prove(List.of()).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreFailure.class);
    }
}
