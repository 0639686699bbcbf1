package dev.baton.redis;

import static dev.baton.redis.Clients.since;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.servers.RedisServer;
import dev.baton.tck.ChildProcess;
import dev.baton.tck.JvmHiccups;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Read-write locks, semaphores and groups of several processes, whose witness is memory that they share. */
@Tag("serial")
@Timeout(3_600)
abstract class SharesOfProcessesCases {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** How long one client keeps a hold for its own callers while others wait. */
    private static final Duration SLICE = Duration.ofMillis(50);

    /** How much later than its turn a caller may get it: a hand-over, on a machine that runs all of this. */
    private static final Duration HAND_OVER = Duration.ofMillis(50);

    /** Of fewer turns, 99 % is the worst one, and a single stall of the machine decides it. */
    private static final int ENOUGH_FOR_THE_TAIL = 1_000;

    private static final int THREADS = 16;
    private static final int CAPACITY = 5;
    private static final long HELD_MILLIS = 200;

    @TempDir
    private Path directory;

    private RedisServer server;
    private SharedLongs cells;
    private final List<ChildProcess> peers = new ArrayList<>();

    /** How many turns one caller takes among many of the other side. */
    abstract int turns();

    /** How many processes want a permit. */
    abstract int claimants();

    /** How many processes are killed while they use a permit. */
    abstract int kills();

    /** The part of the permits that is in use at least, on average. */
    abstract double leastUse();

    /** How many rounds of all names each of two processes goes. */
    abstract int rounds();

    @BeforeEach
    final void begin() throws IOException {
        server = RedisServer.start();
        cells = SharedLongs.in(directory.resolve("cells"));
    }

    @AfterEach
    final void end() {
        peers.forEach(ChildProcess::close);
        server.close();
    }

    private ChildProcess start(int number) throws IOException {
        ChildProcess peer = ChildProcess.start(
                SharesPeer.class,
                server.uri(),
                directory.resolve("cells").toString(),
                Integer.toString(number),
                Long.toString(LEASE.toMillis()));
        peers.add(peer);
        return peer;
    }

    private static String ask(ChildProcess peer, String command, String answer) throws InterruptedException {
        peer.send(command);
        return peer.expect(answer, LONG);
    }

    /** A record may stay for a minute to know withdrawn attempts, and then goes by itself. */
    private void expectNothingLeft() throws Exception {
        BatonOptions options =
                BatonOptions.builder().namespace(StoreFixture.NAMESPACE).build();
        try (Baton admin = Baton.connect(server.uri(), options)) {
            until("no name is held or awaited", () -> admin.admin().list("", 1).isEmpty());
        }
        for (Object key : (List<?>) server.command("KEYS", StoreFixture.NAMESPACE + ":{*}:[rqg]:*")) {
            assertThat(String.valueOf(server.command("PTTL", (String) key)))
                    .as("the time to live of %s: %s", key, server.command("GET", (String) key))
                    .isNotEqualTo("-1");
        }
    }

    @Test
    void oneOfASide_amongManyOfTheOtherInAnotherProcess_waitsForItsTurnAlone() throws Exception {
        ChildProcess crowd = start(0);
        ChildProcess one = start(1);
        crowd.expect("READY", START);
        one.expect("READY", START);
        for (String side : List.of("write", "read")) {
            String others = side.equals("read") ? "write" : "read";
            try (JvmHiccups hiccups = new JvmHiccups()) {
                ask(crowd, "turns " + others + ' ' + THREADS, "STARTED");
                List<Duration> waits = Arrays.stream(ask(one, "waits " + side + ' ' + turns(), "WAITED")
                                .split(" "))
                        .map(micros -> Duration.ofNanos(Long.parseLong(micros) * 1_000))
                        .toList();
                System.out.println("one to " + side + " among " + THREADS + " of another process: " + turns()
                        + " turns, waits in ms: median " + waits.get(0).toNanos() / 1e6 + ", 99 % "
                        + waits.get(1).toNanos() / 1e6 + ", worst "
                        + waits.get(2).toNanos() / 1e6
                        + "; the machine's worst delay " + waits.get(3).toNanos() / 1e6);
                // Both processes are kept from running by other work of the machine, and not only in their worst
                // turn.
                Duration fair = hiccups.fair(SLICE.plus(HAND_OVER), 2);
                assertThat(waits.get(0)).as("median of the waits").isLessThan(fair);
                if (turns() >= ENOUGH_FOR_THE_TAIL) {
                    assertThat(waits.get(1)).as("wait of 99 %%").isLessThan(fair);
                    assertThat(waits.get(2))
                            .as("worst wait")
                            .isLessThan(fair.plus(waits.get(3).multipliedBy(2)));
                }
            }
            long theirs = Long.parseLong(ask(crowd, "stop", "STOPPED"));
            assertThat(theirs).as("turns of the others").isGreaterThan(turns());
            crowd.close();
            crowd = start(0);
            crowd.expect("READY", START);
        }
        expectNothingLeft();
    }

    @Test
    void permits_ofProcessesThatAreKilled_areNeverTooMany_andComeBack() throws Exception {
        List<ChildProcess> living = new ArrayList<>();
        for (int i = 0; i < claimants(); i++) {
            living.add(start(i));
        }
        living.forEach(this::use);
        int killed = 0;
        List<Double> used = new ArrayList<>();
        used.add(utilisation());
        while (killed < kills()) {
            List<ChildProcess> fresh = new ArrayList<>();
            for (int i = 0; i < claimants() && killed < kills(); i++) {
                if (cells.get(SharesPeer.INSIDE + i) != 0) {
                    living.get(i).kill();
                    peers.remove(living.get(i));
                    killed += cells.countAbove(0, SharesPeer.INSIDE + i, 1);
                    cells.set(SharesPeer.INSIDE + i, 0);
                    living.set(i, start(i));
                    fresh.add(living.get(i));
                }
            }
            long last = System.nanoTime();
            fresh.forEach(this::use);
            until("the leases of the dead are over", () -> since(last).compareTo(LEASE) > 0);
            used.add(utilisation());
        }
        for (ChildProcess peer : living) {
            ask(peer, "stop", "STOPPED");
        }
        double mean = used.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double least = used.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        System.out.println(claimants() + " processes, " + CAPACITY + " permits, " + killed
                + " killed while they used one: more than there are " + cells.get(SharesPeer.ABOVE)
                + " times, leases lost " + cells.get(SharesPeer.LATE) + ", in use in the mean " + mean
                + ", in the worst of " + used.size() + " samples " + least);
        assertThat(cells.get(SharesPeer.ABOVE)).isZero();
        assertThat(mean).as("permits in use").isGreaterThan(leastUse() * CAPACITY);
        expectNothingLeft();
    }

    private void use(ChildProcess peer) {
        try {
            peer.expect("READY", START);
            ask(peer, "permits " + CAPACITY + ' ' + claimants() + ' ' + HELD_MILLIS, "STARTED");
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Returns how many permits are in use, on average for a while. */
    private double utilisation() throws InterruptedException {
        long sum = 0;
        int samples = 1_000;
        for (int i = 0; i < samples; i++) {
            sum += cells.countAbove(0, SharesPeer.INSIDE, claimants());
            Thread.sleep(1);
        }
        return (double) sum / samples;
    }

    @Test
    void twoProcesses_thatAskForTheSameNamesInAnyOrder_countExactly() throws Exception {
        int names = 10;
        List<ChildProcess> two = List.of(start(0), start(1));
        for (ChildProcess peer : two) {
            peer.expect("READY", START);
        }
        long begun = System.nanoTime();
        two.forEach(peer -> peer.send("groups " + names + ' ' + rounds()));
        for (ChildProcess peer : two) {
            peer.expect("COUNTED", LONG);
        }
        System.out.println("two processes, " + rounds() + " rounds of " + names + " names each in "
                + since(begun).toMillis() + " ms: counted " + cells.get(SharesPeer.COUNTER));
        assertThat(cells.get(SharesPeer.COUNTER)).isEqualTo(2L * rounds());
        expectNothingLeft();
    }
}
