package dev.baton.chaos.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A JVM that this program has started, as it sees itself: it speaks to its parent, and ends with it. Thread-safe. */
public final class Child {
    private Child() {}

    /** Hears the lines of the parent from now on. Without its parent, this JVM ends at once. */
    public static void listen(Consumer<String> heard) {
        Thread ear = new Thread(() -> hear(heard), "ear");
        ear.setDaemon(true);
        ear.start();
    }

    private static void hear(Consumer<String> heard) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                heard.accept(line);
            }
        } catch (IOException gone) {
            // As the end of the input.
        }
        // The parent process is gone.
        Runtime.getRuntime().halt(1);
    }

    /** Says a line to the parent. */
    public static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Ends this JVM, whatever runs in it. */
    public static void end() {
        Runtime.getRuntime().halt(0);
    }
}
