package dev.baton.internal.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;

/** What holds say of themselves: application, host, process, thread and since when. */
final class Description {
    private final String process;
    private volatile Since last = new Since(-1, "");

    Description(String applicationName) {
        String application = applicationName.isEmpty() ? "" : applicationName + " on ";
        process = application + host() + " pid " + ProcessHandle.current().pid() + " thread ";
    }

    String of(String thread) {
        return process + thread + since(SystemClock.INSTANCE.wallMillis() / 1_000);
    }

    /** To the second: the text of an instant costs more than the rest of an acquisition that nobody contends. */
    private String since(long second) {
        Since known = last;
        if (known.second != second) {
            known = new Since(second, " since " + Instant.ofEpochSecond(second));
            last = known;
        }
        return known.text;
    }

    private record Since(long second, String text) {}

    private static String host() {
        String named = System.getenv("HOSTNAME");
        if (named != null && !named.isEmpty()) {
            return named;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
