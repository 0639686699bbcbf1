package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the time for which a lock is certain is divided. */
class TermsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration KILL_AFTER = Duration.ofSeconds(5);

    /** Leases of a tenth of a second; the certain part of ZooKeeper's and etcd's sessions; the default lease; G. */
    @ParameterizedTest
    @ValueSource(longs = {100, 1_000, 6_600, 7_400, 29_700, 59_400})
    void renewal_mayComeAThirdOfTheTimeLate_beforeTheCommandIsEnded(long lifeMillis) {
        Duration life = Duration.ofMillis(lifeMillis);
        Duration longest = life.dividedBy(5);
        Terms terms = new Terms(LEASE, life, Terms.shorter(KILL_AFTER, longest));
        Duration due = life.multipliedBy(2).dividedBy(3);
        Duration ended = terms.reserve().plus(terms.last());
        assertThat(due.minus(ended)).isGreaterThanOrEqualTo(life.dividedBy(3));
        assertThat(terms.tick()).isLessThan(due.minus(ended));
        assertThat(terms.last()).isGreaterThan(terms.grace());
    }

    @Test
    void terms_followWhatTheStoreMakesSure_andNotTheLease() throws Exception {
        BatonOptions options =
                BatonOptions.builder().grace(Duration.ofSeconds(20)).build();
        try (Baton baton = Baton.connect("memory:", options);
                Lease lease = baton.lock("x").acquire()) {
            Terms terms = Terms.of(lease, LEASE, KILL_AFTER).orElseThrow();
            assertThat(terms.life()).isBetween(Duration.ofSeconds(12), Duration.ofSeconds(20));
            assertThat(terms.grace()).isEqualTo(terms.life().dividedBy(5));
        }
    }

    @Test
    void leaseThatIsLost_hasNoTerms() throws Exception {
        try (Baton baton = Baton.connect("memory:")) {
            Lease lease = baton.lock("x").acquire();
            lease.release();
            assertThat(Terms.of(lease, LEASE, KILL_AFTER)).isEmpty();
        }
    }
}
