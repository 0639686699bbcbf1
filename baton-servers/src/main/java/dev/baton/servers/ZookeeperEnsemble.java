package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An ensemble of ZooKeeper: members in JVMs of their own that listen on free loopback ports. A member that is killed
 * keeps its data. Their logs are in {@code target/servers}. Closed at the latest when this JVM ends. Members are numbered
 * from 0. The program is that of {@link ZookeeperServer}.
 */
public final class ZookeeperEnsemble extends MemberProcesses {

    /** A member. */
    private static final class Member extends ZookeeperKind {
        private final int number;
        private final List<String> all;

        Member(int number, List<String> all) {
            this.number = number;
            this.all = all;
        }

        @Override
        List<String> settings(Path directory) throws IOException {
            Files.createDirectories(data(directory));
            Files.writeString(data(directory).resolve("myid"), Integer.toString(number));
            List<String> settings = new ArrayList<>(all);
            // In ticks: how long a follower may take to get the data, and to answer the leader.
            settings.addAll(List.of("initLimit=10", "syncLimit=2"));
            return settings;
        }
    }

    private ZookeeperEnsemble() {
        super("zookeeper");
    }

    /** Starts an ensemble of this many members, and waits until each of them serves clients. */
    public static ZookeeperEnsemble start(int size) {
        return started(ZookeeperEnsemble::new, size);
    }

    @Override
    List<ServerLife.Kind> kinds(int size) {
        List<String> all = IntStream.range(0, size)
                .mapToObj(member -> "server." + member + "=127.0.0.1:" + FreePort.next() + ":" + FreePort.next())
                .toList();
        return IntStream.range(0, size)
                .<ServerLife.Kind>mapToObj(member -> new Member(member, all))
                .toList();
    }

    @Override
    boolean isLeader(int member) throws IOException {
        return ZookeeperKind.leads(life(member).port());
    }

    /**
     * Ends sessions of clients that are connected to a member, at the servers.
     *
     * @param member which one
     * @param most how many at most
     * @return how many have ended
     */
    public long endSessions(int member, int most) {
        try {
            return ZookeeperSessions.end(life(member).pid(), most);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
