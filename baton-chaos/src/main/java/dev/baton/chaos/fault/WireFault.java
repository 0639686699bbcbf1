package dev.baton.chaos.fault;

import dev.baton.chaos.client.ClientJvm;
import dev.baton.chaos.client.ClientSettings;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.net.Side;
import dev.baton.servers.net.TcpProxy;
import java.time.Duration;
import java.util.SplittableRandom;

/** What can happen to the network between one client and the server. */
enum WireFault implements Fault {
    /** Everything arrives late. */
    WIRE_DELAY {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.delay(Duration.ofMillis(random.nextInt(5, 400)));
        }
    },
    /** A round trip takes up to 20 ms. One fault after the other, the distance changes while clients work. */
    WIRE_DISTANCE {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.delay(Duration.ofNanos(random.nextLong(1, 10_000_000)));
        }
    },
    /** All connections are reset. */
    WIRE_CUT {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.cut();
        }
    },
    /** All connections are reset, and new ones refused. */
    WIRE_REFUSE {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.refuse();
            network.cut();
        }
    },
    /** Nothing arrives in either direction, and comes late. */
    WIRE_SILENCE {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.blackHole();
        }
    },
    /** Answers arrive, and requests come late. */
    WIRE_LATE_REQUESTS {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.holdRequests();
        }
    },
    /** Requests arrive, and their answers come late. */
    WIRE_LATE_REPLIES {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.holdReplies();
        }
    },
    /** Requests arrive, and their answers never come: the connections are cut in the end. */
    WIRE_LOST_REPLIES {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.discardReplies();
        }

        @Override
        void heal(TcpProxy network) {
            // A stream with a hole in it cannot go on.
            network.cut();
            network.forward();
        }
    },
    /** The server loses all connections, and the client is not told: it has to find out by itself. */
    WIRE_HALF_OPEN {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.cut(Side.TARGET);
        }

        @Override
        public Duration aftermath() {
            return NOTICED;
        }
    },
    /** The client loses all connections, and the server is not told: it keeps sessions of a client that is gone. */
    WIRE_HALF_OPEN_SERVER {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.cut(Side.CLIENT);
        }
    },
    /** A few bytes arrive at a time. */
    WIRE_SLOW {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.dribble(random.nextInt(1, 40));
        }
    },
    /** One connection of several is reset. */
    WIRE_CUT_ONE {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.cutOldest();
        }
    },
    /** One connection of several falls silent, and is reset in the end. */
    WIRE_SILENCE_ONE {
        @Override
        void disturb(TcpProxy network, SplittableRandom random) {
            network.silenceOldest();
        }

        @Override
        void heal(TcpProxy network) {
            network.cut();
            network.forward();
        }
    };

    /**
     * The driver of H2 takes longest to notice: its one limit of time is that for connecting, and 5 s. The driver of etcd
     * asks after 10 s, and waits 3 s for an answer.
     */
    private static final Duration NOTICED = ClientSettings.CONNECT.plusSeconds(5);

    abstract void disturb(TcpProxy network, SplittableRandom random);

    void heal(TcpProxy network) {
        network.forward();
    }

    @Override
    public String id() {
        return Ids.of(this);
    }

    @Override
    public Scope scope() {
        return Scope.WIRE;
    }

    @Override
    public Effects happen(Stage stage, SplittableRandom random) throws Exception {
        ClientJvm client = stage.any(random);
        TcpProxy network = client.network();
        if (network == null) {
            throw new IllegalStateException(this + " needs a network");
        }
        long before = network.disturbances();
        disturb(network, random);
        try {
            HostTime.sleep(stage.leases(0.3, 2, random));
            return new Effects(client.toString(), network.disturbances() - before);
        } finally {
            heal(network);
        }
    }
}
