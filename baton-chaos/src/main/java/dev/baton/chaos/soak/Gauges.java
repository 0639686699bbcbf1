package dev.baton.chaos.soak;

/** Chooses how to measure a server. */
final class Gauges {
    private Gauges() {}

    /** Returns the gauge of a store; those of most stores measure nothing. */
    static Gauge of(String uri) {
        if (uri.startsWith("redis:")) {
            return new RedisGauge(uri);
        }
        return uri.startsWith("jdbc:postgresql:") ? new PostgresqlGauge(uri) : () -> Gauge.Reading.NOTHING;
    }
}
