package dev.baton.spring.boot;

import dev.baton.BatonOptions;

/**
 * Changes the options of the client before it connects. A bean of the application; several are called in their order.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface BatonOptionsCustomizer {
    /**
     * Changes options.
     *
     * @param options with the values of the properties
     */
    void customize(BatonOptions.Builder options);
}
