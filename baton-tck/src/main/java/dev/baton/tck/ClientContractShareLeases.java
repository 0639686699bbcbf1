package dev.baton.tck;

import static dev.baton.tck.FaultyStore.always;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.LockOptions;
import dev.baton.ReleaseOutcome;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/** How long readers, writers and permits are held, how that ends, and what it leaves. */
public abstract class ClientContractShareLeases extends ClientContract {
    /** For leases that shall end. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    private static final int CAPACITY = 3;

    /** What a client may hold of a name that others share. */
    private enum Part {
        READER,
        WRITER,
        PERMITS;

        private DistributedLock of(Baton client, String name) {
            return switch (this) {
                case READER -> client.readWriteLock(name).read();
                case WRITER -> client.readWriteLock(name).write();
                case PERMITS -> client.semaphore(name, CAPACITY).permits(2);
            };
        }

        DistributedLock of(Baton client) {
            return of(client, name());
        }

        /** What another client cannot hold beside it. */
        DistributedLock rival(Baton client) {
            return (this == READER ? WRITER : this).of(client, name());
        }
    }

    /** For subclasses. */
    protected ClientContractShareLeases() {}

    private Duration brief() {
        return lease(BRIEF);
    }

    private static LockOptions fixed(Duration time) {
        return LockOptions.defaults().withLeaseTime(time);
    }

    private Duration takeOver(Duration lease) {
        return lease.plus(fixture().expiryGrain()).plus(BEAT).plus(MARGIN);
    }

    // ---- readers and writers -------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P17: writer_waitsForTheReaderWhoseLeaseIsLongest_howeverOthersEnd")
    void writer_waitsForTheReaderWhoseLeaseIsLongest_howeverOthersEnd(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Duration longest = brief().multipliedBy(2);
        Baton first = connect();
        Baton second = connect();
        Baton writing = connect();
        long asked = System.nanoTime();
        List<Lease> over = new ArrayList<>();
        for (Baton other : List.of(first, second)) {
            String page = "page of " + (other == first ? "one client" : "two");
            over.add(mode.acquire(first.readWriteLock(page).read().with(fixed(longest))));
            DistributedLock read = other.readWriteLock(page).read();
            over.add(mode.acquire(read.with(fixed(brief()))));
            mode.release(mode.acquire(read.with(fixed(longest.plusMillis(1)))));
        }
        for (Lease reader : List.of(over.get(0), over.get(2))) {
            Lease writer = mode.tryAcquire(writing.readWriteLock(reader.name()).write(), PATIENCE)
                    .orElseThrow();
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isBetween(earliestEnd(longest), takeOver(longest));
            assertThat(reader.isHeld()).isFalse();
            assertThat(mode.release(writer)).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(over).extracting(mode::release).containsOnly(ReleaseOutcome.EXPIRED);
    }

    @EachMode
    void readersBehindAWriter_getInTogether_whenItReleasesOrItsLeaseEnds(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton writing = connect();
        List<Baton> reading = List.of(connect(), connect());
        for (boolean releases : new boolean[] {true, false}) {
            LockOptions how = releases ? LockOptions.defaults() : fixed(brief());
            Lease writer = mode.acquire(writing.readWriteLock("page").with(how).write());
            List<Work<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                DistributedLock one = reading.get(i % 2).readWriteLock("page").read();
                waiting.add(mode.start(() -> mode.acquire(one)));
            }
            if (releases) {
                throughout(WHILE, "all wait", () -> waiting.stream().noneMatch(Work::isDone));
                mode.release(writer);
            }
            List<Lease> readers = new ArrayList<>();
            for (Work<Lease> each : waiting) {
                readers.add(each.get());
            }
            assertThat(writer.isHeld()).isFalse();
            assertThat(readers).allMatch(Lease::isHeld);
            assertThat(readers)
                    .extracting(Lease::token)
                    .containsOnly(readers.get(0).token())
                    .allMatch(token -> token > writer.token());
            readers.forEach(mode::release);
        }
    }

    // ---- all of them ---------------------------------------------------------------------------------------------

    @EachMode
    @DisplayName("P24 P39: shares_areRenewed_andComeBackAfterALeaseOnceTheirClientHasGone")
    void shares_areRenewed_andComeBackAfterALeaseOnceTheirClientHasGone(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        FaultyStore cut = new FaultyStore();
        Baton client = connect(options().build(), cut);
        Baton other = connect();
        List<Lease> leases = new ArrayList<>();
        for (Part part : List.of(Part.PERMITS, Part.READER, Part.READER, Part.READER)) {
            leases.add(mode.acquire(part.of(client)));
        }
        leases.add(mode.acquire(Part.WRITER.of(client)));
        throughout(
                nightly() ? lease().multipliedBy(10) : lease().multipliedBy(3).dividedBy(2),
                "held",
                () -> leases.stream()
                        .allMatch(lease -> lease.isHeld() && !lease.remaining().isZero()));
        for (Part part : Part.values()) {
            assertBusy(mode, part.rival(other));
        }
        cut.script(always(Fault.DROP_REQUEST));
        for (Part part : Part.values()) {
            assertThat(ClientContractExclusion.timeToGet(mode, part.rival(other)))
                    .isLessThan(takeOver(lease()));
        }
        assertThat(leases).noneMatch(Lease::isHeld);
    }

    @EachMode
    @DisplayName("P8 P40: release_ofAShareThatIsOver_saysSo_andTakesNothingFromItsSuccessor")
    void release_ofAShareThatIsOver_saysSo_andTakesNothingFromItsSuccessor(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Baton other = connect();
        List<Lease> over = new ArrayList<>();
        for (Part part : Part.values()) {
            over.add(mode.acquire(part.of(client).with(fixed(brief()))));
        }
        for (Lease late : over) {
            Part part = Part.valueOf(late.name());
            Lease next = mode.acquire(part.rival(other));
            assertThat(late.isHeld()).isFalse();
            assertThat(mode.release(late)).isEqualTo(ReleaseOutcome.EXPIRED);
            assertThat(mode.release(late)).isEqualTo(ReleaseOutcome.NOT_HELD);
            assertBusy(mode, part.of(client));
            assertThat(next.isHeld()).isTrue();
            assertThat(mode.release(next)).isEqualTo(ReleaseOutcome.RELEASED);
        }
        DistributedLock all = client.semaphore(Part.PERMITS.name(), CAPACITY).permits(CAPACITY);
        Lease lease = mode.acquire(all);
        assertBusy(mode, other.semaphore(Part.PERMITS.name(), CAPACITY));
        mode.release(lease);
    }

    @EachMode
    @DisplayName("P40: extend_ofAShare_movesItsEnd_untilItIsOver")
    void extend_ofAShare_movesItsEnd_untilItIsOver(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Baton other = connect();
        // Longer than brief: a busy machine must not end it before it is extended.
        Duration first = lease();
        Duration more = lasting();
        List<Lease> extended = new ArrayList<>();
        long asked = System.nanoTime();
        for (Part part : Part.values()) {
            Lease lease = mode.acquire(part.of(client).with(fixed(first)));
            assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(first);
            assertThat(lease.extend(more)).isTrue();
            extended.add(lease);
        }
        for (Lease lease : extended) {
            mode.release(mode.tryAcquire(Part.valueOf(lease.name()).rival(other), PATIENCE)
                    .orElseThrow());
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .as("since the extension of " + lease.name())
                    .isGreaterThanOrEqualTo(earliestEnd(more));
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.extend(more)).isFalse();
        }
    }

    @EachMode
    @DisplayName("P29 P40: sharesThatEnded_leaveNothingAtTheStore")
    void sharesThatEnded_leaveNothingAtTheStore(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        mode.release(mode.acquire(client.lock("base")));
        long base = fixture().residue();
        List<Lease> leases = new ArrayList<>();
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            for (Part part : Part.values()) {
                DistributedLock one = part.of(client, part + " " + i);
                locks.add(one);
                leases.add(mode.acquire(one.with(fixed(brief()))));
            }
        }
        until("all are over", () -> leases.stream().noneMatch(Lease::isHeld));
        for (Lease released : leases.subList(0, leases.size() / 2)) {
            assertThat(mode.release(released)).isEqualTo(ReleaseOutcome.EXPIRED);
        }
        // A store may leave what has ended by itself to the next command for its name.
        for (DistributedLock other : locks.subList(locks.size() / 2, locks.size())) {
            mode.release(mode.tryAcquire(other, PATIENCE).orElseThrow());
        }
        awaitResidue(mode, client, base);
        assertThat(client.admin().list("", 10)).isEmpty();
    }

    @EachMode
    void permitsOfDifferentLeases_comeBackOneByOne(Mode mode) throws Exception {
        if (endsWithoutShares()) {
            return;
        }
        Baton client = connect();
        Baton other = connect();
        Lease ends = mode.acquire(Part.PERMITS.of(client).with(fixed(brief())));
        Lease stays = mode.acquire(client.semaphore(Part.PERMITS.name(), CAPACITY));
        Lease next = mode.tryAcquire(Part.PERMITS.of(other), PATIENCE).orElseThrow();
        assertThat(ends.isHeld()).isFalse();
        assertThat(stays.isHeld()).isTrue();
        assertBusy(mode, other.semaphore(Part.PERMITS.name(), CAPACITY));
        mode.release(stays);
        Lease last = mode.acquire(other.semaphore(Part.PERMITS.name(), CAPACITY));
        assertBusy(mode, client.semaphore(Part.PERMITS.name(), CAPACITY));
        mode.release(last);
        mode.release(next);
    }
}
