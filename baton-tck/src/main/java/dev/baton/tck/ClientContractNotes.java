package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.DistributedReadWriteLock;
import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Notes: what holders leave for later holders. */
public abstract class ClientContractNotes extends ClientContract {
    /** For subclasses. */
    protected ClientContractNotes() {}

    private boolean endsWithoutNotes() throws InterruptedException {
        if (fixture().capabilities().notes()) {
            return false;
        }
        Baton client = connect();
        try (Lease lease = client.lock("job").acquire()) {
            List<ThrowingCallable> calls = List.of(
                    lease::note,
                    () -> lease.writeNote(bytes("anything")),
                    () -> client.admin().note("job"),
                    () -> client.admin().forget("job"));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(fixture().capabilities().store())
                        .hasMessageContaining("notes");
            }
        }
        return true;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String noteOf(Baton client, String name) {
        return client.admin().note(name).map(ClientContractNotes::text).orElse("none");
    }

    @EachMode
    void note_passesFromHolderToHolder_andOutlivesTheirClients(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton first = connect();
        Lease lease = mode.acquire(first.lock("job"));
        assertThat(lease.note()).isEmpty();
        lease.writeNote(bytes("one"));
        assertThat(lease.note()).map(ClientContractNotes::text).hasValue("one");
        lease.writeNote(new byte[0]);
        assertThat(lease.note()).hasValueSatisfying(note -> assertThat(note).isEmpty());
        lease.writeNote(bytes("two"));
        mode.release(lease);
        first.close();
        Baton second = connect();
        assertThat(noteOf(second, "job")).isEqualTo("two");
        Lease next = mode.acquire(second.lock("job"));
        assertThat(next.note()).map(ClientContractNotes::text).hasValue("two");
        next.writeNote(bytes("three"));
        mode.release(next);
        assertThat(noteOf(connect(), "job")).isEqualTo("three");
        assertThat(noteOf(connect(), "another name")).isEqualTo("none");
    }

    @EachMode
    void write_afterTheLeaseHasEnded_isRefused(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().build(), faults);
        Lease released = mode.acquire(client.lock("job"));
        released.writeNote(bytes("kept"));
        mode.release(released);
        assertThatThrownBy(() -> released.writeNote(bytes("late"))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(released::note).isInstanceOf(LeaseLostException.class);
        Lease lost = mode.acquire(client.lock("job"));
        Baton other = connect();
        other.admin().forceReleaseNow("job");
        Lease next = mode.acquire(other.lock("job"));
        next.writeNote(bytes("next"));
        // Nothing has told the first client yet: it is the store that refuses.
        assertThatThrownBy(() -> lost.writeNote(bytes("stale"))).isInstanceOf(LeaseLostException.class);
        assertThat(noteOf(client, "job")).isEqualTo("next");
        until("the loss is known", () -> lost.loss().isPresent());
        mode.release(next);
    }

    @EachMode
    void write_ofACallerThatHasPassedTheLockOn_isRefused(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton client = connect();
        Lease first = mode.acquire(client.lock("job"));
        Work<Lease> heir = mode.start(() -> mode.acquire(client.lock("job")));
        assertGoesOnWaiting(heir);
        first.writeNote(bytes("of the first"));
        mode.release(first);
        Lease second = heir.get();
        assertThat(second.note()).map(ClientContractNotes::text).hasValue("of the first");
        second.writeNote(bytes("of the second"));
        assertThatThrownBy(() -> first.writeNote(bytes("late"))).isInstanceOf(LeaseLostException.class);
        assertThat(noteOf(client, "job")).isEqualTo("of the second");
        mode.release(second);
    }

    @EachMode
    void write_whoseAnswersAreLost_isSentAgain_andReturnsOnce(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().build(), faults);
        Lease lease = mode.acquire(client.lock("job"));
        for (FaultyStore.Fault fault :
                List.of(FaultyStore.Fault.DROP_REPLY, FaultyStore.Fault.DROP_REQUEST, FaultyStore.Fault.REFUSE)) {
            long before = faults.count(FaultyStore.Call.NOTE);
            faults.script((call, number) ->
                    call == FaultyStore.Call.NOTE && number < before + 2 ? fault : FaultyStore.Fault.NONE);
            lease.writeNote(bytes(fault.name()));
            assertThat(faults.count(FaultyStore.Call.NOTE)).isEqualTo(before + 3);
            assertThat(noteOf(connect(), "job")).isEqualTo(fault.name());
        }
        mode.release(lease);
    }

    @EachMode
    void write_ofWhichTheStoreSaysNothing_isUnknown_inTime(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Duration patience = Duration.ofMillis(700);
        Baton client = connect(lastingOptions().storeTimeout(patience).build(), faults);
        Lease lease = mode.acquire(client.lock("job"));
        faults.script((call, number) ->
                call == FaultyStore.Call.NOTE ? FaultyStore.Fault.DROP_REPLY : FaultyStore.Fault.NONE);
        long start = System.nanoTime();
        assertThatThrownBy(() -> lease.writeNote(bytes("unheard")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("\"job\"")
                .hasMessageContaining("unknown");
        assertThatThrownBy(lease::note).isInstanceOf(StoreException.class).hasMessageContaining("unknown");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(patience, patience.multipliedBy(2).plus(MARGIN).plus(MARGIN));
        assertThat(lease.isHeld()).isTrue();
        faults.script(FaultyStore.HEALTHY);
        lease.writeNote(bytes("heard"));
        assertThat(noteOf(client, "job")).isEqualTo("heard");
        mode.release(lease);
    }

    @EachMode
    void write_thatIsInterrupted_isFinished_andTheInterruptIsKept(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Lease lease = mode.acquire(connect().lock("job"));
        Thread.currentThread().interrupt();
        lease.writeNote(bytes("written"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(noteOf(connect(), "job")).isEqualTo("written");
        mode.release(lease);
    }

    @EachMode
    void writes_ofManyThreadsWithOneLease_endWithTheLast(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton client = connect();
        Lease lease = mode.acquire(client.lock("job"));
        AtomicInteger order = new AtomicInteger();
        Map<String, Integer> begun = new ConcurrentHashMap<>();
        Map<String, Integer> ended = new ConcurrentHashMap<>();
        List<Work<String>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String who = "writer " + i + ": ";
            writers.add(Mode.SYNC.start(() -> {
                String last = "";
                for (int round = 0; round < 25; round++) {
                    last = who + round;
                    begun.put(last, order.incrementAndGet());
                    lease.writeNote(bytes(last));
                    ended.put(last, order.incrementAndGet());
                }
                return last;
            }));
        }
        for (Work<String> writer : writers) {
            writer.get();
        }
        String left = noteOf(connect(), "job");
        // No other write began after this one had ended.
        assertThat(begun.values()).allMatch(began -> began <= ended.getOrDefault(left, 0));
        mode.release(lease);
    }

    @EachMode
    void badNotes_areRefused_beforeTheStoreIsAsked(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Baton client = connect(options().build(), faults);
        Lease lease = mode.acquire(client.lock("job"));
        lease.writeNote(new byte[1024]);
        long asked = faults.count(FaultyStore.Call.NOTE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.writeNote(new byte[2048]))
                .withMessageContaining("1024")
                .withMessageContaining("2048");
        Lease group = mode.acquire(client.allOf("a", "b"));
        assertThatThrownBy(() -> group.writeNote(new byte[1])).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(group::note).isInstanceOf(UnsupportedOperationException.class);
        if (fixture().capabilities().shares()) {
            Lease permit = mode.acquire(client.semaphore("pool", 2));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> permit.writeNote(new byte[1]))
                    .withMessageContaining("shared");
        }
        assertThat(faults.count(FaultyStore.Call.NOTE)).isEqualTo(asked);
        mode.release(lease);
    }

    @EachMode
    void writer_writes_andItsReaderOnlyReads(Mode mode) throws Exception {
        if (endsWithoutNotes() || endsWithoutShares()) {
            return;
        }
        DistributedReadWriteLock lock = connect().readWriteLock("doc");
        Lease writer = mode.acquire(lock.write());
        writer.writeNote(bytes("of the writer"));
        writer.downgrade();
        assertThatIllegalArgumentException().isThrownBy(() -> writer.writeNote(bytes("of a reader")));
        assertThat(writer.note()).map(ClientContractNotes::text).hasValue("of the writer");
        mode.release(writer);
    }

    @EachMode
    void forget_removesTheNote_forAll(Mode mode) throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton client = connect();
        DistributedLock lock = client.lock("job");
        assertThat(client.admin().forget("job")).isFalse();
        Lease lease = mode.acquire(lock);
        lease.writeNote(bytes("to forget"));
        assertThat(connect().admin().forget("job")).isTrue();
        assertThat(lease.note()).isEmpty();
        lease.writeNote(bytes("new"));
        assertThat(noteOf(client, "job")).isEqualTo("new");
        mode.release(lease);
        assertThat(client.admin().forget("job")).isTrue();
        assertThat(client.admin().note("job")).isEmpty();
    }
}
