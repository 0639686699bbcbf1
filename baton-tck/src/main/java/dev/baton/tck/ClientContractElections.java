package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import dev.baton.Election;
import dev.baton.LeaseLostException;
import dev.baton.internal.client.SystemClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Elections: one leads, believes it no longer than it does, and another follows. */
public abstract class ClientContractElections extends ClientContract {
    /** For subclasses. */
    protected ClientContractElections() {}

    private final AtomicInteger leading = new AtomicInteger();

    private Standing join(Baton client) {
        Standing standing = new Standing(leading);
        client.election("shard").join(standing);
        return standing;
    }

    private boolean endsWithoutNotes() {
        return !fixture().capabilities().notes();
    }

    /** How long after a leader's death another one leads, at the latest. */
    private Duration threeLeases() {
        Duration session = fixture().capabilities().session();
        Duration longest = session == null ? lease() : session.multipliedBy(2);
        return longest.multipliedBy(3).plus(MARGIN);
    }

    @Test
    void oneLeads_andTheNextOneFollows_whenItCloses() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton first = connect(options().applicationName("first").build());
        Baton second = connect(options().applicationName("second").build());
        Standing one = join(first);
        until("it leads", one::leads);
        Standing other = join(second);
        throughout(WHILE, "one leads", () -> one.leads() && !other.leads());
        Election seen = second.election("shard");
        assertThat(seen.leader()).hasValueSatisfying(leader -> {
            assertThat(leader.description()).contains("first");
            assertThat(leader.clientId()).isEqualTo(first.clientId());
            assertThat(leader.note()).isEmpty();
        });
        if (fixture().capabilities().queue()) {
            until("the other waits", () -> seen.candidates().size() == 1);
            assertThat(seen.candidates().get(0)).contains("second");
        }
        first.close();
        within(PATIENCE, "the other leads", other::leads);
        assertThat(one.heard()).containsExactly("started", "ended");
        assertThat(one.last().isLeading()).isFalse();
        assertThat(other.last().token()).isGreaterThan(one.last().token());
        assertThatThrownBy(() -> first.election("shard").join(one)).hasMessageContaining("closed");
    }

    @Test
    void candidateThatWithdraws_isThroughWhenItsListenerHasEnded_undisturbed_andAnotherCanLead() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton client = connect();
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Election.Candidacy candidacy = client.election("shard").join(new Election.Listener() {
            @Override
            public void started(Election.Term term) {
                begun.countDown();
            }

            @Override
            public void ended(Election.Term term) {
                ends.countDown();
                try {
                    assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException disturbed) {
                    interrupted.set(true);
                }
            }
        });
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> end = candidacy.withdraw();
        assertThat(ends.await(20, TimeUnit.SECONDS)).isTrue();
        candidacy.close();
        throughout(WHILE, "the listener is awaited", () -> !end.isDone());
        mayEnd.countDown();
        end.get(20, TimeUnit.SECONDS);
        assertThat(interrupted).isFalse();
        assertThat(client.election("shard").leader()).isEmpty();
    }

    @Test
    void followers_readTheLeadersNote_andNotThatOfTheOneBefore() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        Baton first = connect();
        Baton second = connect();
        Baton follower = connect();
        List<String> heard = new CopyOnWriteArrayList<>();
        AutoCloseable following = follower.election("shard")
                .follow(leader -> heard.add(leader.map(each -> each.note()
                                .map(note -> new String(note, StandardCharsets.UTF_8))
                                .orElse("no note"))
                        .orElse("no leader")));
        until("there is no leader", () -> heard.contains("no leader"));
        Standing one = join(first);
        until("it leads", one::leads);
        one.last().writeNote("http://one".getBytes(StandardCharsets.UTF_8));
        until("the follower hears", () -> heard.contains("http://one"));
        Standing other = join(second);
        first.close();
        until("the other leads", other::leads);
        assertThat(second.election("shard").leader().orElseThrow().note()).isEmpty();
        other.last().writeNote("http://two".getBytes(StandardCharsets.UTF_8));
        until("the follower hears", () -> heard.contains("http://two"));
        assertThatThrownBy(() -> one.last().writeNote(new byte[1])).isInstanceOf(LeaseLostException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.last().writeNote(new byte[1_001]))
                .withMessageContaining("1001");
        following.close();
        other.last().writeNote("http://three".getBytes(StandardCharsets.UTF_8));
        throughout(Duration.ofMillis(1_500), "it hears nothing", () -> !heard.contains("http://three"));
    }

    @Test
    @DisplayName("P59: leaderThatIsCutOff_ends_beforeAnotherLeads")
    void leaderThatIsCutOff_ends_beforeAnotherLeads() throws Exception {
        if (endsWithoutNotes() || fixture().capabilities().session() != null) {
            // A client that is cut off above its session keeps that: the stores' own tests end sessions.
            return;
        }
        FaultyStore faults = new FaultyStore();
        Baton first = connect(options().build(), faults);
        Standing one = join(first);
        until("it leads", one::leads);
        Standing other = join(connect());
        faults.script(FaultyStore.always(FaultyStore.Fault.DROP_REQUEST));
        try (JvmHiccups hiccups = new JvmHiccups()) {
            Duration took = within(threeLeases(), "the other leads", other::leads);
            assertThat(one.last().isLeading()).isFalse();
            // Where the machine stood still, the thread that tells the end comes late, too.
            until("the first one is told", () -> one.endedNanos() != 0);
            assertThat(one.heard()).containsExactly("started", "ended");
            // The end was told a sixth of the lease before; a machine with other work may take some of that.
            Duration before = Duration.ofNanos(other.startedNanos() - one.endedNanos());
            assertThat(hiccups.fair(before, 3)).as("%s after %s", before, took).isGreaterThan(lease().dividedBy(20));
        }
        faults.script(FaultyStore.HEALTHY);
        one.assertAlternates();
    }

    @Test
    @DisplayName("P60: candidates_afterAnyFaults_leadAgain")
    void candidates_afterAnyFaults_leadAgain() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        SplittableRandom random = new SplittableRandom(3);
        List<FaultyStore> faults = new ArrayList<>();
        List<Standing> standing = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FaultyStore faulty = new FaultyStore();
            faults.add(faulty);
            standing.add(join(connect(options().build(), faulty)));
        }
        int most = 0;
        int longest = (int) (lease().toMillis() * 9 / 10);
        for (int round = 0; round < size(30, 8); round++) {
            for (FaultyStore each : faults) {
                each.script(
                        switch (random.nextInt(4)) {
                            case 0 -> FaultyStore.always(FaultyStore.Fault.DROP_REQUEST);
                            case 1 -> FaultyStore.always(FaultyStore.Fault.DROP_REPLY);
                            case 2 -> FaultyStore.always(FaultyStore.Fault.REFUSE);
                            default -> FaultyStore.lossy(0.3, random.nextLong());
                        });
            }
            pause(Duration.ofMillis(random.nextInt(10, longest)));
            faults.forEach(each -> each.script(FaultyStore.HEALTHY));
            within(
                    threeLeases().plus(PRESENCE).plus(MARGIN),
                    "one leads",
                    () -> standing.stream().anyMatch(Standing::leads));
            most = Math.max(most, leading.get());
        }
        assertThat(most).isLessThanOrEqualTo(1);
        standing.forEach(Standing::assertAlternates);
    }

    @Test
    @DisplayName("P61: leaderWhoseReleaseIsLost_doesNotBlockTheNext_norItself")
    void leaderWhoseReleaseIsLost_doesNotBlockTheNext_norItself() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        FaultyStore faults = new FaultyStore();
        Standing one = join(connect(options().build(), faults));
        until("it leads", one::leads);
        Baton second = connect();
        Standing other = join(second);
        // Otherwise the first one may be there again before the other asks.
        until("the other waits", () -> second.election("shard").candidates().size() == 1);
        faults.script((call, number) ->
                call == FaultyStore.Call.RELEASE ? FaultyStore.Fault.DROP_REQUEST : FaultyStore.Fault.NONE);
        one.last().stepDown(Duration.ZERO);
        pause(Duration.ofMillis(300));
        faults.script(FaultyStore.HEALTHY);
        within(threeLeases(), "the other leads", other::leads);
        other.last().stepDown(Duration.ofMinutes(1));
        within(threeLeases(), "the first one leads again", one::leads);
        one.assertAlternates();
    }

    @Test
    @DisplayName("P62: candidateThatWaitsForTenLeases_orWasForgottenInTheQueue_leadsInItsTurn")
    void candidateThatWaitsForTenLeases_orWasForgottenInTheQueue_leadsInItsTurn() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        // No pause shall end its term before its turn is over.
        Baton first = connectLasting();
        Standing one = join(first);
        until("it leads", one::leads);
        FaultyStore faults = new FaultyStore();
        Standing other = join(connect(options().grace(lasting()).build(), faults));
        pause(Duration.ofMillis(200));
        // Longer than its ticket lives without a sign.
        faults.script(FaultyStore.always(FaultyStore.Fault.DROP_REQUEST));
        pause(lasting());
        assertThat(other.leads()).isFalse();
        faults.script(FaultyStore.HEALTHY);
        pause(lease().multipliedBy(fixture().capabilities().session() == null ? 8 : 1));
        assertThat(one.leads()).isTrue();
        assertThat(one.heard()).containsExactly("started");
        first.close();
        within(threeLeases(), "the other leads", other::leads);
    }

    @Test
    @DisplayName("P63: pushesThatAreAllLost_changeNothing")
    void pushesThatAreAllLost_changeNothing() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        List<Standing> standing = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            FaultyStore faults = new FaultyStore();
            faults.losePushes(true);
            standing.add(join(connect(options().build(), faults)));
        }
        for (int round = 0; round < 4; round++) {
            within(threeLeases(), "one leads", () -> standing.stream().anyMatch(Standing::leads));
            Standing leads =
                    standing.stream().filter(Standing::leads).findFirst().orElseThrow();
            assertThat(leading.get()).isEqualTo(1);
            leads.last().stepDown(Duration.ofMillis(1_500));
            until("it has ended", () -> !leads.leads());
        }
        standing.forEach(Standing::assertAlternates);
    }

    @Test
    @DisplayName("P64: startsAndEnds_alternate_whateverTheListenerDoes")
    void startsAndEnds_alternate_whateverTheListenerDoes() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        SplittableRandom random = new SplittableRandom(8);
        List<String> heard = new CopyOnWriteArrayList<>();
        AtomicInteger terms = new AtomicInteger();
        Baton client = connect();
        int wanted = size(200, 20);
        CountDownLatch done = new CountDownLatch(wanted);
        Election.Candidacy candidacy = client.election("shard").join(new Election.Listener() {
            @Override
            public void started(Election.Term term) throws Exception {
                heard.add("started");
                // Terms come one after the other, so this is one thread at a time.
                terms.incrementAndGet();
                switch (random.nextInt(4)) {
                    case 0 -> term.stepDown(Duration.ZERO);
                    case 1 -> throw new IllegalStateException("a listener that fails");
                    case 2 -> {
                        term.stepDown(Duration.ZERO);
                        assertThat(new CountDownLatch(1).await(20, TimeUnit.SECONDS))
                                .isTrue();
                    }
                    default -> {
                        term.stepDown(Duration.ofMillis(1));
                        term.stepDown(Duration.ZERO);
                    }
                }
            }

            @Override
            public void ended(Election.Term term) {
                heard.add("ended");
                assertThat(term.isLeading()).isFalse();
                done.countDown();
                if (done.getCount() % 5 == 0) {
                    throw new IllegalStateException("a listener that fails at the end");
                }
            }
        });
        assertThat(done.await(60, TimeUnit.SECONDS)).as("terms: %s", terms).isTrue();
        candidacy.close();
        until("the last term has ended", () -> heard.size() % 2 == 0);
        for (int i = 0; i < heard.size(); i++) {
            assertThat(heard.get(i)).isEqualTo(i % 2 == 0 ? "started" : "ended");
        }
    }

    @Test
    @DisplayName("P65: leaderThatStepsDown_staysOut_forItsCooldown")
    void leaderThatStepsDown_staysOut_forItsCooldown() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        List<Long> starts = new CopyOnWriteArrayList<>();
        Election election = connect().election("shard");
        Election.Candidacy candidacy = election.join(term -> starts.add(System.nanoTime()));
        until("it leads", () -> candidacy.term().isPresent());
        Election.Term first = candidacy.term().orElseThrow();
        Duration cooldown = Duration.ofMillis(1_200);
        long down = System.nanoTime();
        assertThatIllegalArgumentException().isThrownBy(() -> first.stepDown(Duration.ofMillis(-1)));
        first.stepDown(cooldown);
        until("it has ended", () -> candidacy.term().isEmpty());
        until("nobody leads", () -> election.leader().equals(Optional.empty()));
        until("it leads again", () -> starts.size() == 2);
        assertThat(Duration.ofNanos(starts.get(1) - down)).isGreaterThanOrEqualTo(cooldown);
        candidacy.close();
        until("it has ended", () -> candidacy.term().isEmpty());
        until("nobody leads", () -> election.leader().isEmpty());
    }

    private static void expectLog(LogWatch log, String text) {
        until("the log says: " + text, () -> log.warnings().stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    void listenerThatIgnoresItsEnd_isComplainedOf_andKeepsTheOthersOut() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicInteger ends = new AtomicInteger();
        try (LogWatch log = new LogWatch()) {
            Election.Candidacy candidacy = connect().election("shard").join(new Election.Listener() {
                @Override
                public void started(Election.Term term) {
                    term.stepDown(Duration.ofMinutes(1));
                    while (mayReturn.getCount() > 0) {
                        try {
                            mayReturn.await();
                        } catch (InterruptedException ignored) {
                            // As a listener that does not care.
                        }
                    }
                }

                @Override
                public void ended(Election.Term term) {
                    ends.incrementAndGet();
                }
            });
            Standing other = join(connect());
            expectLog(log, "still works, although its term is over");
            assertThat(candidacy.term()).isEmpty();
            assertThat(other.leads()).isFalse();
            assertThat(ends).hasValue(0);
            mayReturn.countDown();
            until("the other leads", other::leads);
            assertThat(ends).hasValue(1);
        }
    }

    @Test
    void userCodeThatThrows_andThreadsThatCannotStart_areLogged_andTheElectionGoesOn() throws Exception {
        if (endsWithoutNotes()) {
            return;
        }
        AtomicInteger failing = new AtomicInteger();
        Baton client = connect(options().build(), new FaultyStore(), SystemClock.INSTANCE, work -> {
            if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(work);
        });
        AtomicInteger heard = new AtomicInteger();
        try (LogWatch log = new LogWatch()) {
            Standing holder = join(connect());
            until("it leads", holder::leads);
            client.election("shard").follow(leader -> {
                if (heard.incrementAndGet() == 1) {
                    throw new IllegalStateException("a follower that fails");
                }
            });
            expectLog(log, "a follower of");
            Standing standing = join(client);
            if (fixture().capabilities().queue()) {
                until("it waits", () -> client.election("shard").candidates().size() == 1);
            }
            pause(Duration.ofMillis(200));
            failing.set(1);
            holder.last().stepDown(Duration.ofMinutes(1));
            expectLog(log, "failed; it stands again");
            until("it leads", standing::leads);
            until("the follower hears of it", () -> heard.get() >= 2);
        }
    }
}
