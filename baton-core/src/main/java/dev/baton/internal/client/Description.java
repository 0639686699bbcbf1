package dev.baton.internal.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The description of a hold: application, host, process, thread and start. */
final class Description {
    /** The number of threads that are cached by name; a power of two. */
    private static final int KNOWN = 64;

    private static final int LONGEST_PART = 200;

    private final String process;
    private final AtomicReferenceArray<Known> known = new AtomicReferenceArray<>(KNOWN);
    private volatile Since last = new Since(-1, "");

    Description(String applicationName) {
        String application = applicationName.isEmpty() ? "" : applicationName + " on ";
        process = application + shortened(host()) + " pid "
                + ProcessHandle.current().pid() + " thread ";
    }

    /**
     * Returns the same text for all acquisitions of a thread within a second, because a new text is not worth its cost.
     */
    String of(String thread) {
        Since since = since(SystemClock.INSTANCE.wallMillis() / 1_000);
        int at = thread.hashCode() & KNOWN - 1;
        Known before = known.get(at);
        if (before != null && before.second == since.second && before.thread.equals(thread)) {
            return before.text;
        }
        String text = process + shortened(thread) + since.text;
        known.set(at, new Known(since.second, thread, text));
        return text;
    }

    /** The application may choose a long thread name, and every acquisition sends it. */
    private static String shortened(String name) {
        return name.length() <= LONGEST_PART ? name : name.substring(0, LONGEST_PART - 1) + "…";
    }

    /** To the second: the text of an instant costs more than the rest of an uncontended acquisition. */
    private Since since(long second) {
        Since latest = last;
        if (latest.second != second) {
            latest = new Since(second, " since " + Instant.ofEpochSecond(second));
            last = latest;
        }
        return latest;
    }

    private record Known(long second, String thread, String text) {}

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
