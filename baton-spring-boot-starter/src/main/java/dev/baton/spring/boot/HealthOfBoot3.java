package dev.baton.spring.boot;

import dev.baton.Baton;
import dev.baton.BatonException;
import dev.baton.StorePing;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Health in Boot 3: whether the store answers, and what the jobs do. */
@AutoConfiguration(after = BatonAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnSingleCandidate(Baton.class)
@ConditionalOnProperty(name = "management.health.baton.enabled", matchIfMissing = true)
class HealthOfBoot3 {
    @Bean
    @ConditionalOnMissingBean(name = "batonHealthIndicator")
    HealthIndicator batonHealthIndicator(Baton baton, ObjectProvider<JobsHealth> jobs) {
        return () -> {
            Health.Builder health = store(baton);
            jobs.ifAvailable(known -> known.tell(health::withDetail, health::down));
            return health.build();
        };
    }

    private static Health.Builder store(Baton baton) {
        try {
            StorePing ping = baton.ping();
            return Health.up().withDetail("roundTrip", ping.roundTrip()).withDetail("server", ping.server());
        } catch (BatonException | IllegalStateException failure) {
            return Health.down(failure);
        }
    }
}
