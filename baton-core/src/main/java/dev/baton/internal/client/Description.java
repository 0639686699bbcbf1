package dev.baton.internal.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The description of a hold: application, host, process, thread and start. A thread has its name, and its number, because
 * names need not be different.
 */
final class Description {
    /** The number of threads that are cached by name; a power of two. */
    private static final int KNOWN = 64;

    private static final int LONGEST_PART = 200;

    /** No thread has this number. */
    private static final long NO_THREAD = 0;

    private static final String ASYNC = "async";

    private static final String THREAD = " thread ";
    private static final String SINCE = " since ";

    private final String application;
    private final String process;
    private final AtomicReferenceArray<Known> known = new AtomicReferenceArray<>(KNOWN);
    private volatile Since last = new Since(-1, "");

    Description(String applicationName) {
        String application = applicationName.isEmpty() ? "" : applicationName + " on ";
        this.application = application + shortened(host()) + " pid "
                + ProcessHandle.current().pid();
        process = this.application + THREAD;
    }

    /** Describes the process. */
    String ofProcess() {
        return application;
    }

    /** Describes a thread. */
    String of(Thread thread) {
        return of(thread.getId(), thread.getName());
    }

    /** Describes an acquisition that no thread waits for. */
    String ofAsync() {
        return of(NO_THREAD, ASYNC);
    }

    /**
     * Returns the same text for all acquisitions of a thread within a second, because a new text is not worth its cost.
     */
    private String of(long thread, String name) {
        Since since = since(SystemClock.INSTANCE.wallMillis() / 1_000);
        int at = (int) thread & KNOWN - 1;
        Known before = known.get(at);
        if (before != null && before.second == since.second && before.thread == thread && before.name.equals(name)) {
            return before.text;
        }
        String number = thread == NO_THREAD ? "" : (name.isEmpty() ? "#" : " #") + thread;
        String text = process + shortened(name) + number + since.text;
        known.set(at, new Known(since.second, thread, name, text));
        return text;
    }

    /**
     * Returns the thread that a description is of, and its process.
     *
     * @return a text that no other thread has; empty if it is of none, or another program wrote it
     */
    static String threadIn(String description) {
        int end = Math.max(0, description.lastIndexOf(SINCE));
        int number = description.lastIndexOf('#', end) + 1;
        boolean numbered = number > 0
                && number < end
                && description.substring(number, end).chars().allMatch(Character::isDigit);
        return numbered && description.lastIndexOf(THREAD, number) >= 0 ? description.substring(0, end) : "";
    }

    /** The application may choose a long thread name, and every acquisition sends it. */
    private static String shortened(String name) {
        return name.length() <= LONGEST_PART ? name : name.substring(0, LONGEST_PART - 1) + "…";
    }

    /** To the second: the text of an instant costs more than the rest of an uncontended acquisition. */
    private Since since(long second) {
        Since latest = last;
        if (latest.second != second) {
            latest = new Since(second, SINCE + Instant.ofEpochSecond(second));
            last = latest;
        }
        return latest;
    }

    private record Known(long second, long thread, String name, String text) {}

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
