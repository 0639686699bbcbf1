package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.internal.store.Pace;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The server's answers come when the test says so. */
class CombinerTest {
    private static final String TOGETHER = "changing several lines";

    private final List<Sent> sent = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private Combiner combiner = combiner(TimeUnit.MINUTES.toNanos(1));

    private Combiner combiner(long patienceNanos) {
        return combiner(new Pace(2, patienceNanos));
    }

    private Combiner combiner(Pace pace) {
        return new Combiner(this::send, (task, nanos) -> later.add(task), pace);
    }

    /** A transaction, and the answer that its client waits for. */
    private record Sent(String what, List<Op> then, CompletableFuture<TxnResponse> answer) {
        void succeeds() {
            answers(IntStream.range(0, then.size()).mapToObj(i -> true).toList());
        }

        void answers(List<Boolean> parts) {
            io.etcd.jetcd.api.TxnResponse.Builder whole = io.etcd.jetcd.api.TxnResponse.newBuilder()
                    .setSucceeded(true)
                    .setHeader(ResponseHeader.newBuilder().setRevision(70).setRaftTerm(3));
            for (boolean part : parts) {
                whole.addResponses(ResponseOp.newBuilder()
                        .setResponseTxn(io.etcd.jetcd.api.TxnResponse.newBuilder()
                                .setSucceeded(part)
                                .build()));
            }
            answer.complete(new TxnResponse(whole.build(), ByteSequence.EMPTY));
        }

        void fails(Effect effect) {
            answer.completeExceptionally(new StoreFailure(effect, "the server says no to " + what, null));
        }
    }

    private CompletableFuture<TxnResponse> send(String what, List<Cmp> compares, List<Op> then, List<Op> otherwise) {
        Sent one = new Sent(what, then, new CompletableFuture<>());
        sent.add(one);
        return one.answer;
    }

    /** A change that creates an entry. */
    private CompletableFuture<Committed> change(String name) {
        return change(name, true);
    }

    private CompletableFuture<Committed> change(String name, boolean creates) {
        Change.Branches branches =
                new Change.Branches(List.of(Op.delete(Keys.bytes(name), DeleteOption.DEFAULT)), List.of());
        CompletableFuture<Committed> answer =
                combiner.queue(new Change("changing " + name, name, creates, List.of(), branches, branches));
        combiner.send();
        return answer;
    }

    private Sent last() {
        return sent.get(sent.size() - 1);
    }

    @Test
    void changeThatMeetsNoOther_goesAlone() {
        CompletableFuture<Committed> one = change("a");
        assertThat(sent).extracting(Sent::what).containsExactly("changing a");
        last().succeeds();
        assertThat(one.join().succeeded()).isTrue();
        assertThat(one.join().revision()).isEqualTo(70);
        assertThat(one.join().term()).isEqualTo(3);
        CompletableFuture<Committed> next = change("b");
        assertThat(last().what()).isEqualTo("changing b");
        last().succeeds();
        assertThat(next).isCompleted();
    }

    @Test
    void changesThatMeet_goTogether_andEachHasItsOwnAnswer_withTheHeaderOfTheWhole() {
        CompletableFuture<Committed> first = change("a");
        List<CompletableFuture<Committed>> others = List.of(change("b"), change("c"), change("d"));
        assertThat(sent).hasSize(1);
        last().succeeds();
        assertThat(first).isCompleted();
        assertThat(sent).hasSize(2);
        assertThat(last().what()).isEqualTo(TOGETHER);
        assertThat(last().then()).hasSize(3);
        last().answers(List.of(true, false, true));
        assertThat(others).extracting(each -> each.join().succeeded()).containsExactly(true, false, true);
        assertThat(others).extracting(each -> each.join().revision()).containsOnly(70L);
        assertThat(others).extracting(each -> each.join().term()).containsOnly(3L);
    }

    @Test
    void changeThatCreates_isTheOnlyOneOfItsName() {
        CompletableFuture<Committed> first = change("a");
        CompletableFuture<Committed> same = change("b");
        CompletableFuture<Committed> again = change("b", false);
        CompletableFuture<Committed> other = change("c");
        last().succeeds();
        assertThat(last().then()).hasSize(2);
        last().succeeds();
        assertThat(List.of(first, same, other)).allMatch(CompletableFuture::isDone);
        assertThat(again).isNotDone();
        assertThat(last().what()).isEqualTo("changing b");
        last().succeeds();
        assertThat(again).isCompleted();
    }

    /** Otherwise a waiter could get a turn between them. */
    @Test
    void endsOfEntriesOfOneName_goTogether_andBeforeAnEntryThatIsCreated() {
        change("a");
        List<CompletableFuture<Committed>> ends = new ArrayList<>();
        ends.add(change("b", false));
        CompletableFuture<Committed> created = change("b");
        ends.add(change("b", false));
        last().succeeds();
        assertThat(last().then()).hasSize(2);
        last().succeeds();
        assertThat(ends).allMatch(CompletableFuture::isDone);
        assertThat(created).isNotDone();
        last().succeeds();
        assertThat(created).isCompleted();
    }

    @Test
    void transaction_hasABound() {
        change("first");
        IntStream.range(0, Combiner.MOST + 3)
                .forEach(i -> combiner.queue(
                        Change.ending("changing", "name " + i, List.of(), new Change.Branches(List.of(), List.of()))));
        combiner.send();
        assertThat(sent.get(1).then()).hasSize(Combiner.MOST);
    }

    @Test
    void manyChanges_goBesideATransactionUnderWay() {
        change("first");
        for (int i = 0; i < 15; i++) {
            change("name " + i);
        }
        assertThat(sent).hasSize(1);
        change("name 15");
        assertThat(sent).hasSize(2);
        assertThat(last().then()).hasSize(16);
    }

    @Test
    void changes_onAServerThatIsFar_doNotWaitForEachOther() {
        Pace pace = new Pace(2, TimeUnit.MINUTES.toNanos(1));
        for (int i = 0; i < 100; i++) {
            pace.took(TimeUnit.MILLISECONDS.toNanos(5), 1);
        }
        combiner = combiner(pace);
        change("a");
        change("b");
        assertThat(sent).hasSize(2);
        change("c");
        change("d");
        assertThat(sent).hasSize(2);
        last().succeeds();
        assertThat(last().then()).hasSize(2);
    }

    @Test
    void transactionThatIsStuck_holdsUpNoOther() throws Exception {
        combiner = combiner(TimeUnit.MILLISECONDS.toNanos(200));
        change("stuck");
        CompletableFuture<Committed> other = change("b");
        assertThat(sent).hasSize(1);
        assertThat(later).hasSize(1);
        Thread.sleep(210);
        later.get(0).run();
        assertThat(last().what()).isEqualTo("changing b");
        last().succeeds();
        assertThat(other).isCompleted();
        // And it looks again for those that come later.
        change("c");
        assertThat(later).hasSize(2);
    }

    @Test
    void refusalOfTheWhole_sendsEachAlone() {
        change("a");
        CompletableFuture<Committed> good = change("b");
        CompletableFuture<Committed> bad = change("c");
        last().succeeds();
        last().fails(Effect.NONE);
        assertThat(sent).hasSize(4);
        assertThat(sent.subList(2, 4)).extracting(Sent::what).containsExactly("changing b", "changing c");
        sent.get(2).succeeds();
        sent.get(3).fails(Effect.NONE);
        assertThat(good.join().succeeded()).isTrue();
        assertThatThrownBy(bad::join).hasMessageContaining("no to changing c");
        change("d");
        assertThat(last().what()).isEqualTo("changing d");
    }

    @Test
    void unknownOutcomeOfTheWhole_isToldToAll_andNothingIsSentAgain() {
        change("a");
        List<CompletableFuture<Committed>> others = List.of(change("b"), change("c"));
        last().succeeds();
        last().fails(Effect.UNKNOWN);
        assertThat(sent).hasSize(2);
        assertThat(others).allMatch(CompletableFuture::isCompletedExceptionally);
        change("d");
        assertThat(last().what()).isEqualTo("changing d");
    }

    @Test
    void answeredCaller_canChangeAgainAtOnce() {
        CompletableFuture<Committed> again = change("a").thenCompose(done -> change("a"));
        last().succeeds();
        assertThat(sent).hasSize(2);
        last().succeeds();
        assertThat(again).isCompleted();
    }
}
