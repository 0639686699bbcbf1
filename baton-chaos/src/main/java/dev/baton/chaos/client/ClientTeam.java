package dev.baton.chaos.client;

import dev.baton.chaos.history.HostTime;
import dev.baton.servers.clock.SettableClock;
import dev.baton.servers.net.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The client JVMs of a run. For one thread at a time. */
public final class ClientTeam implements AutoCloseable {
    private final ClientSettings settings;
    private final BiFunction<String, Integer, String> address;
    private final List<ClientJvm> members = new ArrayList<>();
    private final Map<Integer, Long> deaths = new ConcurrentHashMap<>();
    private int started;

    /**
     * Creates a team.
     *
     * @param settings of all members; each JVM gets a number and an address of its own
     * @param size how many JVMs work at a time
     * @param network creates the network in front of the server; supplies null if clients do not use one
     * @param address returns the store's address behind a host and a port
     * @param clock returns the wall clock of a place; null if that of the machine will do
     */
    public ClientTeam(
            ClientSettings settings,
            int size,
            Supplier<@Nullable TcpProxy> network,
            BiFunction<String, Integer, String> address,
            IntFunction<@Nullable SettableClock> clock) {
        this.settings = settings;
        this.address = address;
        for (int place = 1; place <= size; place++) {
            members.add(new ClientJvm(place, network.get(), clock.apply(place)));
        }
    }

    /** Starts all members, and waits until they work. */
    public void start() throws IOException, InterruptedException {
        for (ClientJvm member : members) {
            start(member);
        }
        for (ClientJvm member : members) {
            member.awaitUp();
        }
    }

    /** Starts a JVM with a new number in the place of one that has ended. */
    public void start(ClientJvm member) throws IOException {
        if (started >= members.size()) {
            deaths.put(member.client(), HostTime.nanos());
        }
        started++;
        TcpProxy network = member.network();
        String uri = network == null ? settings.uri() : address.apply(network.host(), network.port());
        member.start(settings.of(started, uri));
    }

    /** Starts JVMs for those that have ended by themselves, because they could not connect. */
    public void startMissing() throws IOException {
        for (ClientJvm member : members) {
            if (!member.isAlive()) {
                start(member);
            }
        }
    }

    /**
     * Lets every caller get through once more, and waits until all JVMs have closed their clients.
     *
     * @param limit how long all of them may take
     * @return those that did not finish
     */
    public List<String> finish(Duration limit) throws InterruptedException {
        long began = HostTime.nanos();
        members.forEach(ClientJvm::finish);
        List<String> unfinished = new ArrayList<>();
        for (ClientJvm member : members) {
            if (!member.isDoneWithin(limit.minus(HostTime.since(began)))) {
                unfinished.add(member.toString());
            }
        }
        return unfinished;
    }

    /** Returns when JVMs that were killed, or ended by themselves, had certainly ended, by their numbers. */
    public Map<Integer, Long> deaths() {
        return deaths;
    }

    /** Returns the members. */
    public List<ClientJvm> members() {
        return members;
    }

    @Override
    public void close() {
        members.forEach(ClientJvm::close);
    }
}
