package dev.baton.chaos.fault;

import dev.baton.chaos.client.ClientJvm;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.clock.SettableClock;
import java.time.Duration;
import java.util.SplittableRandom;

/** What can happen to a client's process. */
enum ClientFault implements Fault {
    /** Dies at once, and is started again. */
    CLIENT_KILL {
        @Override
        public Effects happen(Stage stage, SplittableRandom random) throws Exception {
            ClientJvm client = stage.any(random);
            String who = client.toString();
            client.kill();
            HostTime.sleep(stage.leases(0, 1.5, random));
            stage.team().start(client);
            return new Effects(who, 1);
        }
    },
    /** Is stopped for up to three leases. */
    CLIENT_PAUSE {
        @Override
        public Effects happen(Stage stage, SplittableRandom random) throws Exception {
            ClientJvm client = stage.any(random);
            client.pause();
            try {
                HostTime.sleep(stage.leases(0.5, 3, random));
                return new Effects(client.toString(), client.isStopped() ? 1 : 0);
            } finally {
                client.resume();
            }
        }
    },
    /** Its callers are interrupted, many times. */
    CLIENT_INTERRUPT {
        @Override
        public Effects happen(Stage stage, SplittableRandom random) throws Exception {
            ClientJvm client = stage.any(random);
            long before = stage.witness().interrupts(client.client());
            for (int i = 0; i < INTERRUPTS; i++) {
                client.interrupt(random.nextLong());
                HostTime.sleep(Duration.ofMillis(random.nextInt(8)));
            }
            return new Effects(client.toString(), stage.witness().interrupts(client.client()) - before);
        }
    },
    /** The threads that run its callbacks are held up for up to three leases. */
    CLIENT_EXECUTOR_BLOCKED {
        @Override
        public Effects happen(Stage stage, SplittableRandom random) throws Exception {
            ClientJvm client = stage.any(random);
            long before = stage.witness().heldUp(client.client());
            client.holdCallbacks();
            try {
                HostTime.sleep(stage.leases(0.5, 3, random));
                return new Effects(client.toString(), stage.witness().heldUp(client.client()) - before);
            } finally {
                client.letCallbacksGoOn();
            }
        }
    },
    /** Its wall clock is set forward or back by up to an hour, and then right again; its monotonic clock goes on. */
    CLIENT_CLOCK_STEP {
        @Override
        public Effects happen(Stage stage, SplittableRandom random) throws Exception {
            ClientJvm client = stage.any(random);
            SettableClock clock = client.clock();
            if (clock == null) {
                throw new IllegalStateException(this + " needs a clock that can be set");
            }
            Duration step = Steps.any(random);
            long before = clock.shiftedReads();
            clock.set(random.nextBoolean() ? step : step.negated());
            try {
                HostTime.sleep(stage.leases(0.3, 3, random));
                return new Effects(client + " by " + clock.ahead().toSeconds() + " s", clock.shiftedReads() - before);
            } finally {
                clock.set(Duration.ZERO);
            }
        }
    };

    private static final int INTERRUPTS = 100;

    @Override
    public String id() {
        return Ids.of(this);
    }

    @Override
    public Scope scope() {
        return Scope.CLIENT;
    }
}
