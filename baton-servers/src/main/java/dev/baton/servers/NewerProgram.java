package dev.baton.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server program that the script {@code etc/servers} unpacks. The system property {@code baton.<name>.server} names
 * it; without that property it is looked up where the script puts it.
 *
 * @param name the name that the script gives it
 */
record NewerProgram(String name) {
    /**
     * Returns where it is.
     *
     * @throws IllegalStateException if there is none, with the command that fetches it
     */
    Path path() {
        return path(System.getenv());
    }

    Path path(Map<String, String> environment) {
        String property = "baton." + name + ".server";
        @Nullable String named = System.getProperty(property);
        if (named != null) {
            return Path.of(named);
        }
        return unpacked(environment)
                .orElseThrow(() -> new IllegalStateException("no " + name + ": run etc/servers, which fetches one, or"
                        + " name its program by JAVA_TOOL_OPTIONS=-D" + property + "=/path/to/it"));
    }

    private Optional<Path> unpacked(Map<String, String> environment) {
        String cache = environment.getOrDefault(
                "XDG_CACHE_HOME", environment.getOrDefault("HOME", System.getProperty("user.home")) + "/.cache");
        Path start = Path.of(environment.getOrDefault("BATON_SERVERS", cache + "/baton/newer"), name, "start");
        return Optional.of(start).filter(Files::isExecutable);
    }
}
