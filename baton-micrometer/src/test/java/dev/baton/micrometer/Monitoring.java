package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;

/** The files of docs/monitoring, as tests read them. */
final class Monitoring {
    static final Path ALERTS = Path.of("..", "docs", "monitoring", "baton-alerts.yaml");
    private static final Path DASHBOARD = Path.of("..", "docs", "monitoring", "baton-dashboard.json");

    private Monitoring() {}

    static Map<String, Object> yaml(Path file) throws IOException {
        return new Yaml().load(Files.readString(file));
    }

    /** Returns all rules of a file of rules. */
    static List<Map<String, Object>> rules(Map<String, Object> file) {
        return list(file, "groups").stream()
                .flatMap(group -> list(group, "rules").stream())
                .toList();
    }

    /** Returns the names of all alerts. */
    static Set<String> alerts() throws IOException {
        return rules(yaml(ALERTS)).stream()
                .map(rule -> rule.get("alert").toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns all targets of the dashboard's panels. Each has an expression and a legend. */
    static List<Map<String, Object>> targets() throws IOException {
        List<Map<String, Object>> targets = list(JSON.std.mapFrom(Files.readString(DASHBOARD)), "panels").stream()
                .flatMap(panel -> list(panel, "targets").stream())
                .toList();
        assertThat(targets).isNotEmpty();
        return targets;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Map<String, Object> parent, String name) {
        return (List<Map<String, Object>>) parent.get(name);
    }
}
