package dev.baton.redis;

import dev.baton.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.exceptions.JedisException;

/** Counts the scripts' requests to a server's data, as MONITOR reports them: times would depend on the machine. */
final class Monitored implements AutoCloseable {
    /** An action that makes the server work. */
    @FunctionalInterface
    interface Calls {
        void run() throws Exception;
    }

    private final RedisServer server;
    private final Jedis jedis;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Monitored(RedisServer server) throws Exception {
        this.server = server;
        this.jedis = new Jedis(server.host(), server.port(), 0);
        Thread thread = new Thread(this::listen, "monitor");
        thread.setDaemon(true);
        thread.start();
        Clients.until("monitored", () -> {
            server.command("ECHO", "is anybody there?");
            return lines.poll(20, TimeUnit.MILLISECONDS) != null;
        });
    }

    private void listen() {
        try {
            jedis.monitor(new JedisMonitor() {
                @Override
                public void onCommand(String line) {
                    lines.add(line);
                }
            });
        } catch (JedisException closed) {
            lines.clear();
        }
    }

    /**
     * Counts the words of all commands that scripts call: an HMGET of a thousand fields counts a thousand.
     *
     * @throws AssertionError if a whole hash was read
     */
    int words(Calls calls) throws Exception {
        told();
        calls.run();
        int words = 0;
        for (String line : told()) {
            if (line.contains(" lua] ")) {
                if (line.contains("\"HGETALL\"")) {
                    throw new AssertionError("reads all of a key: " + line);
                }
                words += line.split("\" \"", -1).length;
            }
        }
        return words;
    }

    /** Returns the commands that ran until now and are not reported yet. */
    private List<String> told() throws InterruptedException {
        String end = "this was all, " + System.nanoTime();
        server.command("ECHO", end);
        List<String> told = new ArrayList<>();
        for (String line = next(); !line.contains(end); line = next()) {
            told.add(line);
        }
        return told;
    }

    private String next() throws InterruptedException {
        String line = lines.poll(20, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("the server tells nothing any more");
        }
        return line;
    }

    @Override
    public void close() {
        jedis.close();
    }
}
