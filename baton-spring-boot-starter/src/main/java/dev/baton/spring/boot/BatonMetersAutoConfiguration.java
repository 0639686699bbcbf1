package dev.baton.spring.boot;

import dev.baton.Baton;
import dev.baton.micrometer.BatonMeters;
import dev.baton.spring.internal.ClusterScheduledMethods;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of the client, if the application has a registry and {@code baton-micrometer}. */
@AutoConfiguration(
        before = BatonAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({BatonMeters.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
class BatonMetersAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    BatonMeters batonMeters(MeterRegistry registry) {
        return BatonMeters.of(registry);
    }

    @Bean
    BatonOptionsCustomizer batonMetersCustomizer(BatonMeters meters) {
        return options -> options.listener(meters);
    }

    @Bean
    SmartInitializingSingleton batonMetersGauges(
            BatonMeters meters, ObjectProvider<Baton> baton, ObjectProvider<ClusterScheduledMethods> scheduled) {
        return () -> {
            baton.ifUnique(meters::watch);
            scheduled.ifAvailable(methods -> methods.jobs().watch(meters::watch));
        };
    }
}
