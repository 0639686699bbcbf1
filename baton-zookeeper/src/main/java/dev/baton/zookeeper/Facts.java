package dev.baton.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the member of the ensemble that we are connected to says of itself: in plain words, where it is asked plainly. */
final class Facts {
    private static final int PATIENCE_MILLIS = 1_000;
    private static final int MOST_BYTES = 4_096;

    private Facts() {}

    static CompletableFuture<Map<String, String>> ask(ZookeeperSession session, Nodes nodes) {
        // The round trip comes first: it is what decides whether there is an answer at all.
        return nodes.children("/", null).thenApplyAsync(answered -> facts(session), Facts::onOwnThread);
    }

    private static void onOwnThread(Runnable task) {
        Thread thread = new Thread(task, "baton-zookeeper-facts");
        thread.setDaemon(true);
        thread.start();
    }

    private static Map<String, String> facts(ZookeeperSession session) {
        String text = serverText(session.target());
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "version", word(text, "Zookeeper version:", "unknown: its command srvr is not allowed, or TLS is on"));
        facts.put("mode", word(text, "Mode:", "unknown"));
        facts.put("connections", word(text, "Connections:", "unknown"));
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

    /** The first member that is named. */
    private static String serverText(String servers) {
        String first = servers.split(",", 2)[0];
        int colon = first.lastIndexOf(':');
        if (colon < 1) {
            return "";
        }
        InetSocketAddress member = new InetSocketAddress(
                first.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(first.substring(colon + 1)));
        try (Socket socket = new Socket()) {
            socket.connect(member, PATIENCE_MILLIS);
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
