package dev.baton.spring.boot;

import dev.baton.Baton;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep: the proxies of the lazy client, and the stores with their scripts and statements. */
final class BatonRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.proxies().registerJdkProxy(Baton.class);
        LazyClient.HANDLES.forEach(handle -> hints.proxies().registerJdkProxy(handle));
        hints.resources()
                .registerPattern("META-INF/services/dev.baton.spi.StoreProvider")
                .registerPattern("dev/baton/redis/*.lua")
                .registerPattern("dev/baton/jdbc/*.sql");
    }
}
