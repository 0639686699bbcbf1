package dev.baton.internal.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What holds say of themselves: application, host, process, thread and since when. */
final class Description {
    private final String process;

    Description(String applicationName) {
        String application = applicationName.isEmpty() ? "" : applicationName + " on ";
        process = application + host() + " pid " + ProcessHandle.current().pid() + " thread ";
    }

    String of(String thread) {
        Instant now = Instant.ofEpochMilli(SystemClock.INSTANCE.wallMillis()).truncatedTo(ChronoUnit.SECONDS);
        return process + thread + " since " + now;
    }

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
