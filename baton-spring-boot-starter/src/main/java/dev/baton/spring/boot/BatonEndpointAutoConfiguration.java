package dev.baton.spring.boot;

import dev.baton.Baton;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The endpoint of the actuator, if it is exposed. */
@AutoConfiguration(after = BatonAutoConfiguration.class)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnSingleCandidate(Baton.class)
class BatonEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(endpoint = BatonEndpoint.class)
    BatonEndpoint batonEndpoint(Baton baton, Environment environment) {
        boolean mayForce = environment.getProperty("baton.endpoint.force-release", Boolean.class, false);
        return mayForce ? new BatonEndpoint.Forcing(baton) : new BatonEndpoint(baton);
    }
}
