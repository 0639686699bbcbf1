package dev.baton.bench;

import java.time.Duration;
import java.util.List;

/**
 * How the clients of a contestant are configured, in words. The words are made of the values that configure the clients,
 * so that they cannot differ.
 *
 * @param libraries a class of each library that the contestant is made of
 * @param alone the settings where a trial has one client
 * @param crowded the settings where a trial has several clients
 */
public record Setup(List<Class<?>> libraries, String alone, String crowded) {
    private static final long MILLIS = 1_000;

    /** The same settings for any number of clients. */
    static Setup of(String settings, Class<?>... libraries) {
        return new Setup(List.of(libraries), settings, settings);
    }

    boolean isSame() {
        return alone.equals(crowded);
    }

    /** Prints seconds, or milliseconds if it is less than one. */
    static String time(Duration time) {
        long millis = time.toMillis();
        return Lines.glue(millis % MILLIS == 0 ? millis / MILLIS + " s" : millis + " ms");
    }

    static String time(long millis) {
        return time(Duration.ofMillis(millis));
    }
}
