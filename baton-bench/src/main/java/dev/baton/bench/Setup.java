package dev.baton.bench;

import java.time.Duration;
import java.util.List;

/**
 * The settings of a contestant's clients, in words. The words are made from the values that configure the clients, so
 * that both cannot differ.
 *
 * @param libraries a class of each library that the contestant uses
 * @param alone the settings where a trial has one client
 * @param crowded the settings where a trial has several clients
 */
public record Setup(List<Class<?>> libraries, String alone, String crowded) {
    private static final long MILLIS = 1_000;

    /** Creates the same settings for any number of clients. */
    static Setup of(String settings, Class<?>... libraries) {
        return new Setup(List.of(libraries), settings, settings);
    }

    boolean isSame() {
        return alone.equals(crowded);
    }

    /** Formats a time in seconds, or in milliseconds if it is no whole number of seconds. */
    static String time(Duration time) {
        long millis = time.toMillis();
        return Lines.glue(millis % MILLIS == 0 ? millis / MILLIS + " s" : millis + " ms");
    }

    static String time(long millis) {
        return time(Duration.ofMillis(millis));
    }
}
