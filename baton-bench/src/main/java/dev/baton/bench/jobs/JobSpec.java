package dev.baton.bench.jobs;

import dev.baton.bench.jvm.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A job, in words that all products understand.
 *
 * @param name the name
 * @param times when it is due
 * @param works how long its first run works; the others end at once
 * @param failsFirst whether its first run ends with an exception
 * @param policy one of the product's own words ({@link Product}); empty for its defaults
 * @param atLeast the minimum time, where a product has one; zero for its settings
 * @param atMost the maximum time, where a product has one; zero for its settings
 */
record JobSpec(
        String name,
        Times times,
        Duration works,
        boolean failsFirst,
        String policy,
        Duration atLeast,
        Duration atMost) {
    private static final String NAME = "name";
    private static final String FIRST = "first";
    private static final String PERIOD = "period";
    private static final String WORKS = "works";
    private static final String FAILS_FIRST = "failsFirst";
    private static final String POLICY = "policy";
    private static final String AT_LEAST = "atLeast";
    private static final String AT_MOST = "atMost";

    static JobSpec of(String name, Times times) {
        return new JobSpec(name, times, Duration.ZERO, false, "", Duration.ZERO, Duration.ZERO);
    }

    JobSpec working(Duration time) {
        return new JobSpec(name, times, time, failsFirst, policy, atLeast, atMost);
    }

    JobSpec failingFirst() {
        return new JobSpec(name, times, works, true, policy, atLeast, atMost);
    }

    JobSpec with(String itsPolicy) {
        return new JobSpec(name, times, works, failsFirst, itsPolicy, atLeast, atMost);
    }

    JobSpec kept(Duration least, Duration most) {
        return new JobSpec(name, times, works, failsFirst, policy, least, most);
    }

    Message toMessage() {
        return Message.of(Map.of(
                NAME, name,
                FIRST, times.first().toEpochMilli(),
                PERIOD, times.period().toMillis(),
                WORKS, works.toMillis(),
                FAILS_FIRST, failsFirst,
                POLICY, policy,
                AT_LEAST, atLeast.toMillis(),
                AT_MOST, atMost.toMillis()));
    }

    static JobSpec from(Message message) {
        return new JobSpec(
                message.text(NAME),
                new Times(Instant.ofEpochMilli(message.number(FIRST)), Duration.ofMillis(message.number(PERIOD))),
                Duration.ofMillis(message.number(WORKS)),
                message.is(FAILS_FIRST),
                message.text(POLICY),
                Duration.ofMillis(message.number(AT_LEAST)),
                Duration.ofMillis(message.number(AT_MOST)));
    }
}
