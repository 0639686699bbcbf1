package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonClosedException;
import dev.baton.BatonOptions;
import dev.baton.DistributedLock;
import dev.baton.Lease;
import dev.baton.spi.Capabilities;
import dev.baton.tck.FaultyStore.Call;
import dev.baton.tck.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code close()} during every other call, and on a store that loses answers: what the client leaves behind. */
public abstract class ClientContractClosing extends ClientContract {
    /** Long, so that the case still sees what a client leaves behind. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final int TURNS = 16;

    /** For subclasses. */
    protected ClientContractClosing() {}

    private BatonOptions.Builder patient() {
        return options().leaseTime(LONG).grace(LONG);
    }

    /** A way to ask repeatedly until the client is closed. */
    private interface Asking {
        Optional<Lease> ask(DistributedLock lock, int turn) throws Exception;
    }

    private static Work<Integer> askUntilClosed(Mode mode, Baton client, String name, Asking asking) {
        return mode.start(() -> {
            int turn = 0;
            try {
                while (true) {
                    asking.ask(client.lock(name), turn++);
                    if (turn % TURNS == 0) {
                        // A virtual thread that never waits would keep other threads, and the closing one, from its
                        // processor.
                        pause(Duration.ofMillis(1));
                    }
                }
            } catch (BatonClosedException closed) {
                return turn;
            }
        });
    }

    @EachMode
    @DisplayName("P34: close_besideThreadsThatAsk_leavesNoHoldAndNoTicket")
    void close_besideThreadsThatAsk_leavesNoHoldAndNoTicket(Mode mode) throws Exception {
        boolean inJvm = fixture().capabilities().reach() == Capabilities.Reach.JVM;
        int rounds = size(inJvm ? 1_000 : 200, 100);
        Baton other = connect(patient().build());
        for (int round = 0; round < rounds; round++) {
            Baton client = connect(patient().build());
            String name = "closing " + round + " ";
            List<Work<Integer>> asking = List.of(
                    askUntilClosed(
                            mode,
                            client,
                            name,
                            (lock, turn) -> client.lock(name + turn).tryAcquire()),
                    askUntilClosed(mode, client, name, (lock, turn) -> lock.tryAcquire(Duration.ofMillis(2))),
                    askUntilClosed(mode, client, name, (lock, turn) -> {
                        Optional<Lease> lease = lock.tryAcquire();
                        CompletableFuture<?> unused =
                                lease.map(Lease::releaseAsync).orElse(null);
                        return lease;
                    }));
            pause(Duration.ofMillis(round % 7));
            client.close();
            for (Work<Integer> each : asking) {
                assertThat(each.get(PATIENCE)).isPositive();
            }
            assertThat(other.admin().list(name, 10)).as("after round %d", round).isEmpty();
        }
    }

    @Test
    @DisplayName("P34: close_whoseFirstAnswersAreBroken_freesEverythingAllTheSame")
    void close_whoseFirstAnswersAreBroken_freesEverythingAllTheSame() throws Exception {
        Baton other = connect(patient().build());
        for (Fault fault : List.of(Fault.REFUSE, Fault.DROP_REQUEST, Fault.DROP_REPLY)) {
            FaultyStore faults = new FaultyStore();
            Baton client = connect(patient().build(), faults);
            Baton held = connect(patient().build());
            String prefix = "broken " + fault + " ";
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                leases.add(client.lock(prefix + i).acquire());
            }
            Lease elsewhere = held.lock(prefix + "elsewhere").acquire();
            Work<Lease> waiter =
                    Mode.SYNC.start(() -> client.lock(prefix + "elsewhere").acquire());
            until("waits", waiter::isWaiting);
            long releases = faults.count(Call.RELEASE);
            long cancels = faults.count(Call.CANCEL);
            faults.script((call, number) -> switch (call) {
                case RELEASE -> number - releases < 3 ? fault : Fault.NONE;
                case CANCEL -> number - cancels < 2 ? fault : Fault.NONE;
                default -> Fault.NONE;
            });
            client.close();
            elsewhere.close();
            assertThat(leases).noneMatch(Lease::isHeld);
            assertThat(other.admin().list(prefix, 20)).isEmpty();
        }
    }

    @Test
    @DisplayName("P34: close_ofAStoreThatIsGone_saysWhatIsLeft")
    void close_ofAStoreThatIsGone_saysWhatIsLeft() throws Exception {
        FaultyStore cut = new FaultyStore();
        Baton client = connect(patient().storeTimeout(Duration.ofSeconds(3)).build(), cut);
        for (int i = 0; i < 5; i++) {
            client.lock("left " + i).acquire();
        }
        cut.script(FaultyStore.always(Fault.REFUSE));
        try (LogWatch log = new LogWatch()) {
            client.close();
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("5 locks")
                    .contains("left ")
                    .contains("2 more");
        }
    }
}
