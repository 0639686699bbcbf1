package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.WaitForGraph;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who waits for whom: circles are named, and only those that were there. */
public abstract class ClientContractDeadlocks extends ClientContract {
    /** What the two looks take beside the time between them. */
    private static final Duration NAMED_WITHIN = Duration.ofSeconds(2).plus(MARGIN);

    /** For subclasses. */
    protected ClientContractDeadlocks() {}

    /** A store without a queue says so; this ends the case. */
    private boolean endsWithoutQueue() {
        if (fixture().capabilities().queue()) {
            return false;
        }
        assertThatThrownBy(client().admin()::waitsFor)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("queue");
        return true;
    }

    private Baton client() {
        return connect(lastingOptions().build());
    }

    /** A thread that has one lock, and then asks for another one. */
    private static final class Caller {
        private final CountDownLatch has = new CountDownLatch(1);
        private final CountDownLatch asks = new CountDownLatch(1);
        private final Work<Optional<Lease>> work;

        Caller(DistributedLock own, DistributedLock wanted) {
            work = Mode.SYNC.start(() -> {
                Lease held = own.acquire();
                try {
                    has.countDown();
                    asks.await();
                    return wanted.tryAcquire(PATIENCE.multipliedBy(3));
                } finally {
                    held.release();
                }
            });
            awaited(has);
        }

        void ask() {
            asks.countDown();
        }

        private static void awaited(CountDownLatch latch) {
            try {
                assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }

    private static void askInTurn(Baton admin, List<Caller> callers, List<String> wanted) {
        for (int i = 0; i < callers.size(); i++) {
            String name = wanted.get(i);
            int before = queued(admin, name);
            callers.get(i).ask();
            until("it queues for " + name, () -> queued(admin, name) == before + 1);
        }
    }

    private static List<String> names(List<WaitForGraph.Wait> circle) {
        return circle.stream().map(WaitForGraph.Wait::name).sorted().toList();
    }

    @Test
    void circleOfThreeClients_isNamed_andDissolvesWithOneThatGivesUp() throws Exception {
        if (endsWithoutQueue()) {
            return;
        }
        Baton admin = client();
        List<Baton> clients = List.of(client(), client(), client());
        List<String> names = List.of("a", "b", "c");
        List<Caller> callers = List.of(
                new Caller(clients.get(0).lock("a"), clients.get(0).lock("b")),
                new Caller(clients.get(1).lock("b"), clients.get(1).lock("c")),
                new Caller(clients.get(2).lock("c"), clients.get(2).lock("a")));
        askInTurn(admin, callers, List.of("b", "c", "a"));
        long start = System.nanoTime();
        WaitForGraph graph = admin.admin().waitsFor();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NAMED_WITHIN);
        assertThat(graph.isWhole()).isTrue();
        assertThat(graph.deadlocks()).hasSize(1);
        List<WaitForGraph.Wait> circle = graph.deadlocks().get(0);
        assertThat(names(circle)).isEqualTo(names);
        for (int i = 0; i < circle.size(); i++) {
            assertThat(threadOf(circle.get(i).holder()))
                    .isEqualTo(threadOf(circle.get((i + 1) % circle.size()).waiter()));
            assertThat(circle.get(i).isQueued()).isFalse();
        }
        callers.get(1).work.interrupt();
        assertThatThrownBy(callers.get(1).work::get).isInstanceOf(InterruptedException.class);
        assertThat(callers.get(0).work.get()).isPresent().get().satisfies(Lease::close);
        assertThat(callers.get(2).work.get()).isPresent().get().satisfies(Lease::close);
        assertThat(admin.admin().waitsFor().deadlocks()).isEmpty();
        assertThat(admin.admin().waitsFor().waits()).isEmpty();
    }

    private static String threadOf(String description) {
        return description.replaceAll(" since .*", "");
    }

    @Test
    void circleThroughAGroupOfReaders_isNamed() throws Exception {
        if (endsWithoutQueue() || endsWithoutShares()) {
            return;
        }
        Baton admin = client();
        Baton reading = client();
        Baton alsoReading = client();
        Baton writing = client();
        Lease bystander = alsoReading.readWriteLock("page").read().acquire();
        Caller reader = new Caller(reading.readWriteLock("page").read(), reading.lock("other"));
        Caller writer =
                new Caller(writing.lock("other"), writing.readWriteLock("page").write());
        askInTurn(admin, List.of(reader, writer), List.of("other", "page"));
        assertThat(admin.admin().waitsFor().deadlocks())
                .singleElement()
                .satisfies(circle -> assertThat(names(circle)).containsExactly("other", "page"));
        bystander.close();
        reader.work.interrupt();
        assertThatThrownBy(reader.work::get).isInstanceOf(InterruptedException.class);
        assertThat(writer.work.get()).isPresent().get().satisfies(Lease::close);
    }

    /** The edges make a circle, but the other permit comes back. */
    @Test
    void circleThatAnotherPermitBreaks_isNone() throws Exception {
        if (endsWithoutQueue() || endsWithoutShares()) {
            return;
        }
        Baton admin = client();
        Baton one = client();
        Baton two = client();
        Lease other = client().semaphore("gpu", 2).acquire();
        Caller first = new Caller(one.semaphore("gpu", 2), one.lock("other"));
        Caller second = new Caller(two.lock("other"), two.semaphore("gpu", 2));
        askInTurn(admin, List.of(first, second), List.of("other", "gpu"));
        assertThat(admin.admin().waitsFor().deadlocks()).isEmpty();
        other.close();
        assertThat(second.work.get()).isPresent().get().satisfies(Lease::close);
        assertThat(first.work.get()).isPresent().get().satisfies(Lease::close);
    }

    @Test
    void circleThatDissolvesBetweenTheLooks_isNotNamed() throws Exception {
        if (endsWithoutQueue()) {
            return;
        }
        Baton admin = client();
        Baton one = client();
        Baton two = client();
        Caller first = new Caller(one.lock("a"), one.lock("b"));
        Caller second = new Caller(two.lock("b"), two.lock("a"));
        askInTurn(admin, List.of(first, second), List.of("b", "a"));
        Work<WaitForGraph> look = Mode.SYNC.start(admin.admin()::waitsFor);
        pause(Duration.ofMillis(500));
        first.work.interrupt();
        assertThat(look.get().deadlocks()).isEmpty();
        assertThat(second.work.get()).isPresent().get().satisfies(Lease::close);
    }

    /**
     * A thread hands its lock on inside its client, and waits for the thread that waits for this lock. The store still
     * knows the lock as that thread's.
     */
    @Test
    void holderThatHasHandedItsLockOn_isNotNamed() throws Exception {
        if (endsWithoutQueue()) {
            return;
        }
        Baton admin = client();
        Baton one = client();
        Baton two = client();
        CountDownLatch handsOn = new CountDownLatch(1);
        CountDownLatch has = new CountDownLatch(1);
        Work<Lease> former = Mode.SYNC.start(() -> {
            Lease lease = one.lock("a").acquire();
            has.countDown();
            handsOn.await();
            lease.release();
            return one.lock("b").acquire();
        });
        Caller.awaited(has);
        Work<Lease> heir = Mode.SYNC.start(() -> one.lock("a").acquire());
        until("the heir waits", heir::isWaiting);
        Caller second = new Caller(two.lock("b"), two.lock("a"));
        handsOn.countDown();
        Lease inherited = heir.get();
        askInTurn(admin, List.of(second), List.of("a"));
        assertThat(former.isDone()).isFalse();
        assertThat(admin.admin().waitsFor().deadlocks()).isEmpty();
        inherited.release();
        assertThat(second.work.get()).isPresent().get().satisfies(Lease::close);
        former.get().release();
    }

    /** The ticket of a thread that gave up is inherited by another thread of its client. */
    @Test
    void waiterThatHasGivenUp_isNotNamed() throws Exception {
        if (endsWithoutQueue()) {
            return;
        }
        Baton admin = client();
        Baton one = client();
        Baton two = client();
        Lease held = two.lock("b").acquire();
        CountDownLatch has = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Work<Boolean> former = Mode.SYNC.start(() -> {
            Lease lease = one.lock("a").acquire();
            has.countDown();
            boolean got = one.lock("b").tryAcquire(Duration.ofMillis(300)).isPresent();
            over.await();
            lease.release();
            return got;
        });
        Caller.awaited(has);
        until("it queues", () -> queued(admin, "b") == 1);
        Work<Lease> heir = Mode.SYNC.start(() -> one.lock("b").acquire());
        // The holder of b waits for a, and the one that gave b up has it: the store knows b's ticket as that thread's.
        Work<Lease> second = Mode.SYNC.start(() -> two.lock("a").acquire());
        until("it queues", () -> queued(admin, "a") == 1);
        pause(Duration.ofMillis(400));
        assertThat(admin.admin().waitsFor().deadlocks()).isEmpty();
        assertThat(admin.admin().waitsFor().waits()).hasSize(2);
        over.countDown();
        assertThat(former.get()).isFalse();
        second.get().release();
        held.release();
        heir.get().release();
    }

    @Test
    void threadThatIsInterruptedBetweenTheLooks_isTold_andSoIsOneWhoseClientCloses() throws Exception {
        if (endsWithoutQueue()) {
            return;
        }
        Baton admin = client();
        Baton one = client();
        Baton two = client();
        Caller first = new Caller(one.lock("a"), one.lock("b"));
        Caller second = new Caller(two.lock("b"), two.lock("a"));
        askInTurn(admin, List.of(first, second), List.of("b", "a"));
        Work<WaitForGraph> interrupted = Mode.SYNC.start(admin.admin()::waitsFor);
        until("it rests", interrupted::isWaiting);
        interrupted.interrupt();
        assertThatThrownBy(interrupted::get).isInstanceOf(InterruptedException.class);
        Work<WaitForGraph> closed = Mode.SYNC.start(admin.admin()::waitsFor);
        until("it rests", closed::isWaiting);
        admin.close();
        assertThatThrownBy(closed::get).isInstanceOf(BatonClosedException.class);
        first.work.interrupt();
        assertThat(second.work.get()).isPresent().get().satisfies(Lease::close);
    }
}
