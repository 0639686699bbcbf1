package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.PostgresServer;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.tck.Mode;
import dev.baton.tck.Work;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Acquires and releases of one client that meet: they go as one statement, and each gets the answer that it gets alone. */
@Timeout(60)
class CombinedCommandsTest {
    private static final int SESSIONS = 4;
    private static final int MANY = 12;

    /** Words that only the statements of many commands have. */
    private static final String ACQUIRES = "FROM unnest(";

    private static final String RELEASES = "array_position(";

    private final CountingConnection connections = new CountingConnection();
    private final AtomicInteger stuck = new AtomicInteger();
    private ServerFixture emptied;
    private JdbcClient client;
    private JdbcClient other;

    @BeforeEach
    void open() throws Exception {
        emptied = new ServerFixture(PostgresServer.shared().uri());
        client = new JdbcClient(new JdbcStoreProvider(connections::around), emptied.uri(), "a");
        other = new JdbcClient(new JdbcStoreProvider(), emptied.uri(), "b");
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        emptied.close();
    }

    /** Has calls of this client meet: they queue while all its connections are in use. */
    private <T> List<Work<T>> met(List<Callable<T>> calls) throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        connections.before(sql -> stop(sql, free));
        List<Work<Release>> busy = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            int before = stuck.get();
            String name = "busy " + System.identityHashCode(free) + ' ' + i;
            busy.add(Mode.SYNC.start(() -> client.hold(Resource.lock(name))));
            Waiting.until("it has a connection", () -> stuck.get() > before);
        }
        List<Work<T>> works = new ArrayList<>();
        for (Callable<T> call : calls) {
            works.add(Mode.SYNC.start(call::call));
        }
        Waiting.until("all wait", () -> works.stream().allMatch(Work::isWaiting));
        connections.clear();
        free.countDown();
        for (Work<Release> each : busy) {
            each.get();
        }
        return works;
    }

    /** Keeps the connection of an acquire. */
    private void stop(String sql, CountDownLatch free) {
        if (free.getCount() > 0 && sql.contains("INSERT INTO baton_lease")) {
            stuck.incrementAndGet();
            Waiting.await(free);
        }
    }

    private long count(String words) {
        return connections.executed().stream()
                .filter(sql -> sql.contains(words))
                .count();
    }

    private Callable<Acquire.Reply> asking(Resource lock, Acquire.Mode mode) {
        long attempt = client.next();
        return () -> client.acquire(lock, attempt, mode);
    }

    private static Resource lock(int i) {
        return Resource.lock("lock " + i);
    }

    @Test
    void acquiresAndReleasesThatMeet_areOneStatementEach() throws Exception {
        List<Callable<Release>> acquires = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Resource lock = lock(i);
            acquires.add(() -> client.hold(lock));
        }
        List<Work<Release>> works = met(acquires);
        List<Callable<Boolean>> releases = new ArrayList<>();
        for (Work<Release> work : works) {
            Release held = work.get();
            releases.add(() -> client.release(held));
        }
        assertThat(count(ACQUIRES)).isEqualTo(1);
        for (Work<Boolean> released : met(releases)) {
            assertThat(released.get()).isTrue();
        }
        assertThat(count(RELEASES)).isEqualTo(1);
        for (int i = 0; i < MANY; i++) {
            assertThat(other.hold(lock(i)).token()).as("a greater token").isPositive();
        }
    }

    @Test
    void tokens_growFromHolderToHolder() throws Exception {
        List<Long> before = new ArrayList<>();
        List<Callable<Release>> acquires = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Resource lock = lock(i);
            Release held = other.hold(lock);
            before.add(held.token());
            other.release(held);
            acquires.add(() -> client.hold(lock));
        }
        List<Work<Release>> works = met(acquires);
        for (int i = 0; i < MANY; i++) {
            assertThat(works.get(i).get().token()).isGreaterThan(before.get(i));
        }
        assertThat(count(ACQUIRES)).isEqualTo(1);
    }

    @Test
    void commandOfWhichThereIsMoreToSay_getsItsOwnAnswer() throws Exception {
        Release held = other.hold(Resource.lock("held"));
        Release queued = other.hold(Resource.lock("queued"));
        long cancelled = client.next();
        client.store()
                .cancel(
                        new Cancel(Resource.lock("cancelled"), cancelled, CommandNumber.of(client.next())),
                        JdbcClient.TIMEOUT_NANOS);
        List<Callable<Acquire.Reply>> calls = new ArrayList<>();
        calls.add(asking(held.resource(), Acquire.Mode.TRY));
        calls.add(asking(queued.resource(), Acquire.Mode.QUEUE));
        calls.add(() -> client.acquire(Resource.lock("cancelled"), cancelled, Acquire.Mode.TRY));
        for (int i = 0; i < MANY; i++) {
            calls.add(asking(lock(i), Acquire.Mode.TRY));
        }
        List<Work<Acquire.Reply>> works = met(calls);
        assertThat(works.get(0).get()).isInstanceOf(Acquire.Held.class);
        assertThat(works.get(1).get()).isInstanceOf(Acquire.Queued.class);
        assertThat(works.get(2).get()).isInstanceOf(Acquire.Stale.class);
        for (int i = 0; i < MANY; i++) {
            assertThat(works.get(3 + i).get()).isInstanceOf(Acquire.Granted.class);
        }
        assertThat(count(ACQUIRES)).isEqualTo(1);
    }

    @Test
    void nameThatIsAskedForTwice_isGrantedOnce() throws Exception {
        List<Callable<Acquire.Reply>> calls = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            calls.add(asking(lock(i / 2), Acquire.Mode.TRY));
        }
        int granted = 0;
        for (Work<Acquire.Reply> work : met(calls)) {
            granted += work.get() instanceof Acquire.Granted ? 1 : 0;
        }
        assertThat(granted).isEqualTo(MANY / 2);
    }

    @Test
    void releaseForWhichAClientWaits_handsOn_andTheOthersRelease() throws Exception {
        List<Callable<Boolean>> releases = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Release held = client.hold(lock(i));
            releases.add(() -> client.release(held));
        }
        long waiting = other.next();
        assertThat(other.acquire(lock(3), waiting, Acquire.Mode.QUEUE)).isInstanceOf(Acquire.Queued.class);
        for (Work<Boolean> released : met(releases)) {
            assertThat(released.get()).isTrue();
        }
        assertThat(other.poll(lock(3), waiting)).isInstanceOf(Heartbeat.TicketGranted.class);
        assertThat(count(RELEASES)).isEqualTo(1);
    }

    @Test
    void pinnedRow_delaysItsOwnCommand_andNoOther() throws Exception {
        List<Callable<Acquire.Reply>> calls = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            other.release(other.hold(lock(i)));
            calls.add(asking(lock(i), Acquire.Mode.TRY));
        }
        try (Connection pin = DriverManager.getConnection(emptied.uri())) {
            pin.setAutoCommit(false);
            try (PreparedStatement select =
                    pin.prepareStatement("SELECT token FROM baton_lease WHERE name = ? AND seat = 0 FOR UPDATE")) {
                select.setBytes(1, Utf8.bytes(lock(5).name()));
                select.executeQuery().close();
            }
            List<Work<Acquire.Reply>> works = met(calls);
            for (int i = 0; i < MANY; i++) {
                if (i != 5) {
                    assertThat(works.get(i).get()).isInstanceOf(Acquire.Granted.class);
                }
            }
            assertThat(count(ACQUIRES)).isEqualTo(1);
            assertThat(works.get(5).isDone()).as("the pinned one is done").isFalse();
            assertThat(count("BEGIN")).as("commands that had to go on alone").isLessThan(MANY / 2);
            pin.rollback();
            assertThat(works.get(5).get()).isInstanceOf(Acquire.Granted.class);
        }
    }
}
