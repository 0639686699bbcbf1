package dev.baton.demo;

/** The one place where the demo sleeps. */
final class Pause {
    private Pause() {}

    static void millis(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
