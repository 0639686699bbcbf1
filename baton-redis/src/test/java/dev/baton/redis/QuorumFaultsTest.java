package dev.baton.redis;

import static dev.baton.redis.Clients.options;
import static dev.baton.redis.Clients.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.StoreException;
import dev.baton.servers.RedisServer;
import dev.baton.servers.clock.ClockShim;
import dev.baton.servers.clock.SettableClock;
import dev.baton.servers.net.TcpProxy;
import dev.baton.spi.Protocol;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a quorum that die, stop, forget, are cut off, or whose clocks jump, while clients hold and compete. */
@Tag("serial")
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class QuorumFaultsTest {
    private static final int MEMBERS = 5;
    private static final int MINORITY = 2;
    private static final int ROUNDS = Boolean.getBoolean("baton.nightly") ? 1_000 : 10;
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration JUMP = Duration.ofSeconds(10);
    private static final String NAME = "held";

    private final Clients clients = new Clients();
    private final List<SettableClock> clocks = new ArrayList<>();
    private final List<RedisServer> members = new ArrayList<>();
    private final List<TcpProxy> ways = new ArrayList<>();

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        ClockShim shim = ClockShim.compile(directory, ClockShim.COMPILER);
        for (int i = 0; i < MEMBERS; i++) {
            SettableClock clock = shim.clock(directory.resolve("clock" + i));
            clocks.add(clock);
            RedisServer member = RedisServer.builder()
                    .ofSystem()
                    .environment(clock.environment())
                    .start();
            members.add(member);
            ways.add(TcpProxy.to(member.host(), member.port()));
        }
    }

    @AfterEach
    void stop() {
        ways.forEach(TcpProxy::forward);
        clients.close();
        ways.forEach(TcpProxy::close);
        members.forEach(RedisServer::close);
    }

    private Baton connect() {
        return connect(options().leaseTime(LEASE));
    }

    /** For cases in which a hold must be kept, also while this machine stalls. */
    private Baton connectPatiently() {
        return connect(patience());
    }

    private BatonOptions.Builder patience() {
        return options()
                .leaseTime(Clients.PATIENT_LEASE)
                .grace(Clients.PATIENT_GRACE)
                .storeTimeout(Duration.ofSeconds(15));
    }

    private Baton connect(BatonOptions.Builder options) {
        return connect(options, ways);
    }

    private Baton connect(BatonOptions.Builder options, List<TcpProxy> through) {
        String address = through.stream()
                .map(way -> way.host() + ':' + way.port())
                .collect(Collectors.joining(",", "redis+quorum://", ""));
        return clients.connect(address, options.build());
    }

    /** What happens to one member, and how it ends. */
    private enum Trouble {
        DEATH,
        STOP,
        CUT_THERE,
        CUT_BACK,
        CLOCK_FORWARD,
        CLOCK_BACK,
        LOSS
    }

    private void begin(Trouble trouble, int member) {
        switch (trouble) {
            case DEATH -> members.get(member).kill();
            case STOP -> members.get(member).pause();
            case CUT_THERE -> ways.get(member).holdRequests();
            case CUT_BACK -> ways.get(member).holdReplies();
            case CLOCK_FORWARD -> clocks.get(member).set(JUMP);
            case CLOCK_BACK -> clocks.get(member).set(JUMP.negated());
            case LOSS -> members.get(member).command("FLUSHALL");
        }
    }

    private void end(Trouble trouble, int member) {
        switch (trouble) {
            case DEATH -> members.get(member).restart(); // without its data
            case STOP -> members.get(member).resume();
            case CUT_THERE, CUT_BACK -> ways.get(member).forward();
            case CLOCK_FORWARD, CLOCK_BACK -> clocks.get(member).set(Duration.ZERO);
            case LOSS -> {} // it is up
        }
    }

    @Test
    @DisplayName("P6: faults of any two of five members give a lock to nobody else")
    void faultsOfAMinority_giveALockToNobodyElse() throws Exception {
        List<Baton> all = Stream.generate(this::connect).limit(3).toList();
        Fight fight = new Fight(all, 2);
        Random random = new Random(11);
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, MEMBERS).boxed().toList());
        // A lease passes between two rounds: by then each hold is back where it was lost.
        fight.rage(ROUNDS, LEASE.plusMillis(500), () -> {
            Collections.shuffle(order, random);
            List<Integer> some = List.copyOf(order.subList(0, 1 + random.nextInt(MINORITY)));
            List<Trouble> troubles = some.stream()
                    .map(member -> Trouble.values()[random.nextInt(Trouble.values().length)])
                    .toList();
            for (int i = 0; i < some.size(); i++) {
                begin(troubles.get(i), some.get(i));
            }
            Thread.sleep(random.nextInt(1_500));
            for (int i = 0; i < some.size(); i++) {
                end(troubles.get(i), some.get(i));
            }
        });
        assertThat(fight.turns()).isGreaterThan(ROUNDS);
    }

    private static Optional<Lease> tryNow(Baton client) throws InterruptedException {
        try {
            return client.lock(NAME).tryAcquire();
        } catch (StoreException unknown) {
            return Optional.empty();
        }
    }

    private boolean have(List<RedisServer> some) {
        return have(some, NAME);
    }

    private static boolean have(List<RedisServer> some, String name) {
        return some.stream()
                .allMatch(member -> Long.valueOf(1).equals(member.command("EXISTS", Clients.recordKey(name))));
    }

    @Test
    @DisplayName("P6: a majority that comes back empty gives a held lock to nobody else")
    void majorityThatForgets_givesAHeldLockToNobodyElse() throws Exception {
        Baton holding = connectPatiently();
        Baton other = connectPatiently();
        Lease held = holding.lock(NAME).acquire();
        members.subList(0, 3).forEach(RedisServer::kill);
        members.subList(0, 3).forEach(RedisServer::restart);
        until("they have it again", () -> {
            assertThat(tryNow(other)).as("granted twice").isEmpty();
            return have(members.subList(0, 3));
        });
        Clients.throughout(
                Clients.PATIENT_GRACE.plus(LEASE),
                "nobody else gets it",
                () -> tryNow(other).isEmpty());
        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        other.lock(NAME).acquire().close();
    }

    @Test
    void hold_comesBackToMembersThatLackedIt_soThatOthersMayFailThen() throws Exception {
        connectPatiently().lock(NAME).acquire().close();
        members.subList(0, 2).forEach(RedisServer::pause);
        Lease held = connectPatiently().lock(NAME).acquire();
        members.subList(0, 2).forEach(RedisServer::resume);
        until("all members have it", () -> have(members));
        members.subList(3, 5).forEach(RedisServer::kill);
        Clients.throughout(Clients.PATIENT_LEASE.plus(LEASE), "still held", held::isHeld);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** Has a client speak to all members, so that it knows their clocks. It goes on when a majority has answered. */
    private void meetAll(Baton client) throws Exception {
        try (Lease another = client.lock("another").acquire()) {
            until("all members have granted it", () -> have(members, "another"));
            assertThat(another.isHeld()).isTrue();
        }
    }

    private void assertNobodyElseGetsIt_whileItIsBelieved(Baton other, Lease held) throws Exception {
        until("the first holder knows", () -> {
            Optional<Lease> next = tryNow(other);
            // The holder may have learnt that it is lost, and given it back, a moment before.
            boolean twice = next.isPresent() && held.isHeld();
            next.ifPresent(Lease::close);
            assertThat(twice).as("granted while it was believed").isFalse();
            return !held.isHeld();
        });
        try (Lease next = other.lock(NAME).acquire()) {
            assertThat(next.token()).isGreaterThan(held.token());
        }
    }

    /** Two members never heard of the hold: with the third, which forgets it, they are another majority. */
    @Test
    @DisplayName("P6: a clock that jumps under the barest majority gives a held lock to nobody else")
    void clockThatJumps_underABareMajority_givesAHeldLockToNobodyElse() throws Exception {
        List<TcpProxy> own = members.stream()
                .map(member -> TcpProxy.to(member.host(), member.port()))
                .toList();
        try {
            Baton holding = connect(patience(), own);
            Baton other = connectPatiently();
            meetAll(other);
            // For good: the holder must not learn early, from a new connection, what its next heartbeat tells it.
            own.subList(3, 5).forEach(TcpProxy::blackHole);
            Lease held = holding.lock(NAME).acquire();
            clocks.get(2).set(Duration.ofHours(1));
            assertNobodyElseGetsIt_whileItIsBelieved(other, held);
        } finally {
            own.forEach(TcpProxy::close);
        }
    }

    @Test
    void clocksOfAMajorityThatJump_endAHold_butNobodyWhoKnewThemGetsItBefore() throws Exception {
        Baton holding = connectPatiently();
        Baton other = connectPatiently();
        meetAll(other);
        Lease held = holding.lock(NAME).acquire();
        clocks.subList(0, 3).forEach(clock -> clock.set(JUMP));
        assertNobodyElseGetsIt_whileItIsBelieved(other, held);
    }

    @Test
    void clocksOfAMajorityThatJump_beforeAClientIsNew_endAHold_andItsHolderIsToldWithinItsLease() throws Exception {
        Baton holding = connect();
        Baton other = connect();
        Lease held = holding.lock(NAME).acquire();
        clocks.subList(0, 3).forEach(clock -> clock.set(JUMP));
        try (Lease next = other.lock(NAME).acquire()) {
            assertThat(next.token()).as("tokens tell the later one").isGreaterThan(held.token());
            Clients.within(LEASE.plus(Clients.MARGIN), "the first holder knows", () -> !held.isHeld());
        }
    }

    @Test
    void token_grows_withoutTheMembersThatGaveTheGreatest() throws Exception {
        Baton first = connect();
        first.lock(NAME).acquire().close();
        long ahead = Protocol.clockToken(System.currentTimeMillis() * 1_000) + 1_000_000;
        members.get(0)
                .command(
                        "EVAL",
                        "return redis.call('HSET', KEYS[1], 'h', struct.pack('<d', ARGV[1]))",
                        "1",
                        Clients.bucketKey(NAME),
                        Long.toString(ahead));
        members.subList(3, 5).forEach(RedisServer::pause);
        long token;
        try (Lease lease = first.lock(NAME).acquire()) {
            token = lease.token();
        }
        assertThat(token).isGreaterThan(ahead);
        members.subList(3, 5).forEach(RedisServer::resume);
        members.get(0).kill();
        members.get(1).kill();
        try (Lease lease = connect().lock(NAME).acquire()) {
            assertThat(lease.token()).isGreaterThan(token);
        }
    }
}
