package dev.baton.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A member of an ensemble of ZooKeeper, or a ZooKeeper alone: the command that starts it, and the check whether it is up. */
class ZookeeperKind implements ServerLife.Kind {
    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final int ANSWER_LIMIT_MILLIS = 2_000;

    @Override
    public final String name() {
        return "ZooKeeper";
    }

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    /** Returns the settings that only this one has. */
    List<String> settings(Path directory) throws IOException {
        return List.of();
    }

    @Override
    public final List<String> command(Path directory, int port) throws IOException {
        Path config = directory.resolve("zoo.cfg");
        List<String> settings = new ArrayList<>(List.of(
                "clientPort=" + port,
                "clientPortAddress=127.0.0.1",
                "dataDir=" + data(directory),
                "tickTime=1000",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=ruok,srvr"));
        settings.addAll(settings(directory));
        Files.write(config, settings);
        return JavaProgram.command(List.of(), MAIN, config.toString());
    }

    /** Returns whether it serves clients: a member does so only while it belongs to a majority. */
    @Override
    public final boolean answers(long pid, int port) throws IOException {
        return mode(port).contains("Mode: ");
    }

    static boolean leads(int port) throws IOException {
        return mode(port).contains("Mode: leader");
    }

    private static String mode(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(ANSWER_LIMIT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_LIMIT_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Override
    public final String portTaken() {
        return "Address already in use";
    }
}
