package dev.baton.tck.sim;

import dev.baton.spi.Note;
import dev.baton.spi.Push;
import dev.baton.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server, the clients with their callers, and the network between them. */
final class Cluster {
    private static final int GRACE_MILLIS = 150;
    private static final Timings TIMINGS =
            new Timings(Duration.ofMillis(60), Duration.ofMillis(100), Duration.ofMillis(GRACE_MILLIS));

    private final World world;
    private final Scenario scenario;
    private final int lockDelayMillis;
    private final Network network;
    private final Witness witness;
    private final NoteWitness notes;
    private final SimClient[] clients;
    private final List<SimCaller> callers = new ArrayList<>();
    private final boolean[] onOldPrimary;
    private final SimServer[] servers;
    private SimServer oldPrimary;
    private int born;

    Cluster(
            World world,
            Scenario scenario,
            int lockDelayMillis,
            GrantChecker checker,
            Witness witness,
            NoteWitness notes) {
        this.world = world;
        this.scenario = scenario;
        this.lockDelayMillis = lockDelayMillis;
        this.network = new Network(world, scenario);
        this.witness = witness;
        this.notes = notes;
        this.servers = new SimServer[scenario.shards()];
        for (int i = 0; i < servers.length; i++) {
            servers[i] = new SimServer(world, scenario, TIMINGS, checker, notes, this::push, i);
        }
        this.oldPrimary = servers[0];
        this.clients = new SimClient[scenario.clients()];
        this.onOldPrimary = new boolean[scenario.clients()];
    }

    void start() {
        for (int i = 0; i < clients.length; i++) {
            bear(i);
        }
        if (scenario.sessions()) {
            watchSessions();
        }
    }

    /** Sessions live on without commands, and end a little later than they may. */
    private void watchSessions() {
        for (SimServer server : servers) {
            for (SimClient client : clients) {
                if (client.isRunning()) {
                    server.live(client.id);
                }
            }
            server.endSessions();
        }
        world.in(Sessions.MILLIS / 10 * World.MILLI, this::watchSessions);
    }

    /** Returns the server that faults meet. */
    SimServer server() {
        return servers[0];
    }

    private SimServer serverFor(int client, @Nullable String name) {
        int shard = name == null ? 0 : scenario.shardOf(name);
        return shard == 0 && onOldPrimary[client] ? oldPrimary : servers[shard];
    }

    SimClient client(int index) {
        return clients[index];
    }

    /** Starts a client process in place of a dead one. */
    void bear(int index) {
        SimClient client = new SimClient(
                "client-" + born++, world, scenario, network, notes, TIMINGS, name -> serverFor(index, name));
        clients[index] = client;
        notes.joins(client.id, client);
        for (int i = 0; i < scenario.callers(); i++) {
            SimCaller caller =
                    new SimCaller(witness, notes, client, world, scenario, lockDelayMillis, client.id + "/" + i);
            callers.add(caller);
            caller.start();
        }
    }

    /** Keeps the old server in use for some clients. */
    void split() {
        oldPrimary = servers[0].ghost();
        for (int i = 0; i < onOldPrimary.length; i++) {
            onOldPrimary[i] = world.chance(0.5);
        }
    }

    /** Lets the replica of the first server take over, and checks later what its clients have given back. */
    void failOver(long clockSkewMillis) {
        servers[0].failOver(clockSkewMillis);
        notes.failedOver();
        long failedOver = world.nanos();
        if (scenario.notes()) {
            world.in((GRACE_MILLIS + 1) * World.MILLI, () -> notes.checkRestored(this::note, failedOver));
        }
    }

    /** Checks that the servers have the notes that were acknowledged. */
    void checkNotes(String when) {
        notes.checkKept(this::note, when);
    }

    private Optional<Note> note(String name) {
        return servers[scenario.shardOf(name)].readNote(name).note();
    }

    void unite() {
        Arrays.fill(onOldPrimary, false);
    }

    /** Ends the network's faults. */
    void heal() {
        network.heal();
    }

    private void push(String client, Push push) {
        for (SimClient each : clients) {
            if (each != null && each.id.equals(client)) {
                network.push(each, () -> each.receive(push));
            }
        }
    }

    /** Returns how many callers still wait. */
    long waiting() {
        return callers.stream().filter(SimCaller::isWaiting).count();
    }

    /** Says what is left behind. */
    List<String> remains() {
        List<String> remains = new ArrayList<>();
        for (SimServer server : servers) {
            if (server.size() > 0) {
                remains.add("the server still has " + server.size() + " names");
            }
        }
        for (SimClient client : clients) {
            if (client.engine.size() > 0) {
                remains.add(client.id + " still has state for " + client.engine.size() + " names");
            }
        }
        return remains;
    }
}
