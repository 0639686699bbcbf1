package dev.baton.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The sections of a dialect's texts. */
final class Sections {
    private static final String START = "--@ ";
    private static final String DEFINE = "define ";

    private final Map<String, String> texts;

    private Sections(Map<String, String> texts) {
        this.texts = texts;
    }

    /** Reads resources, each changed as a whole; a section of a later resource replaces that of an earlier one. */
    static Sections read(List<String> resources, UnaryOperator<String> change) {
        Map<String, String> all = new HashMap<>();
        resources.forEach(resource -> all.putAll(split(change.apply(resource(resource)))));
        return new Sections(all);
    }

    /** Returns a section, with definitions in place of their names in braces. */
    String text(String name) {
        String text = textOr(name, "\0");
        if (text.equals("\0")) {
            throw new IllegalStateException("the dialect has no section \"" + name + "\"");
        }
        return text;
    }

    /** Returns a section that not all dialects have, or the other text. */
    String textOr(String name, String other) {
        String text = texts.getOrDefault(name, other);
        String before = "";
        // A definition may use another one.
        while (!text.equals(before)) {
            before = text;
            for (Map.Entry<String, String> each : texts.entrySet()) {
                if (each.getKey().startsWith(DEFINE)) {
                    text = text.replace('{' + each.getKey().substring(DEFINE.length()) + '}', each.getValue());
                }
            }
        }
        return text;
    }

    private static Map<String, String> split(String text) {
        Map<String, StringBuilder> sections = new HashMap<>();
        StringBuilder current = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(START)) {
                current = new StringBuilder();
                sections.put(line.substring(START.length()).strip(), current);
            } else if (!line.startsWith("--")) {
                current.append(line).append('\n');
            }
        }
        return sections.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().toString().strip()));
    }

    static String withoutComments(String text) {
        return text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    }

    static String resource(String name) {
        try (InputStream in = Sections.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
