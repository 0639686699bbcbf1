package dev.baton.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The facts that the members of the ensemble report about themselves; in plain text, over plain connections only. */
final class Facts {
    private static final int PATIENCE_MILLIS = 1_000;
    private static final int MOST_BYTES = 4_096;
    private static final int DEFAULT_PORT = 2181;
    private static final String VERSION = "Zookeeper version:";

    private Facts() {}

    /**
     * A member.
     *
     * @param server its host and port
     * @param reached whether it accepted a connection
     * @param text its report; empty if it gives this client none
     */
    private record Member(String server, boolean reached, String text) {}

    static CompletableFuture<Map<String, String>> ask(ZookeeperSession session, Nodes nodes) {
        // The round trip comes first: it decides whether there is an answer at all.
        return nodes.exists("/").thenCompose(answered -> {
            List<CompletableFuture<Member>> asked = session.servers().stream()
                    .map(server -> CompletableFuture.supplyAsync(() -> member(server), Facts::onOwnThread))
                    .toList();
            return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .thenApply(done -> facts(
                            session, asked.stream().map(CompletableFuture::join).toList()));
        });
    }

    private static void onOwnThread(Runnable task) {
        Thread thread = new Thread(task, "baton-zookeeper-facts");
        thread.setDaemon(true);
        thread.start();
    }

    private static Map<String, String> facts(ZookeeperSession session, List<Member> members) {
        List<String> away = members.stream()
                .filter(each -> !each.reached)
                .map(Member::server)
                .toList();
        String text = members.stream()
                .map(Member::text)
                .filter(said -> said.contains(VERSION))
                .findFirst()
                .orElse("");
        String silent = away.size() == members.size()
                ? "unknown: no member takes another connection from here"
                : "unknown: its command srvr is not allowed, or TLS is on";
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("version", word(text, VERSION, silent));
        facts.put("mode", word(text, "Mode:", "unknown"));
        facts.put("connections", word(text, "Connections:", "unknown"));
        facts.put(
                "members that answered",
                members.size() - away.size() + " of " + members.size()
                        + (away.isEmpty() ? "" : ", not " + String.join(", ", away)));
        facts.put("session timeout", session.timeoutMillis() + " ms");
        facts.put("servers", session.target());
        return facts;
    }

    private static String word(String text, String title, String otherwise) {
        return text.lines()
                .filter(line -> line.startsWith(title))
                .map(line -> line.substring(title.length()).strip().split(",", 2)[0])
                .filter(value -> !value.isBlank())
                .findFirst()
                .orElse(otherwise);
    }

    private static Member member(String server) {
        int colon = server.lastIndexOf(':');
        boolean hasPort = colon > server.lastIndexOf(']');
        String host = hasPort ? server.substring(0, colon) : server;
        try (Socket socket = new Socket()) {
            int port = hasPort ? Integer.parseInt(server.substring(colon + 1)) : DEFAULT_PORT;
            socket.connect(new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), port), PATIENCE_MILLIS);
            return new Member(server, true, text(socket));
        } catch (IOException | IllegalArgumentException away) {
            return new Member(server, false, "");
        }
    }

    private static String text(Socket socket) {
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException closed) {
            return "";
        }
    }
}
