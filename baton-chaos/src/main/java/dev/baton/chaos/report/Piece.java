package dev.baton.chaos.report;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run, as its report.json tells of it.
 *
 * @param file the report
 * @param values all that is in it
 */
record Piece(Path file, Map<String, Object> values) {
    /** A fault that happened. Immutable. */
    record Broke(Map<?, ?> values) {
        String fault() {
            return String.valueOf(values.get("fault"));
        }

        @Nullable
        Double recoveryMillis() {
            return values.get("recoveryMillis") instanceof Number number ? (Double) number.doubleValue() : null;
        }

        /** Returns 0 if the report is too old to have it. */
        double number(String key) {
            return Piece.number(values, key);
        }
    }

    static Piece read(Path file) throws IOException {
        return new Piece(file, JSON.std.mapFrom(Files.readString(file)));
    }

    private static double number(Map<?, ?> values, String key) {
        return values.get(key) instanceof Number number ? number.doubleValue() : 0;
    }

    long count(String key) {
        return (long) number(values, key);
    }

    String word(String key) {
        return String.valueOf(values.get(key));
    }

    /** Returns the seconds that it took; older reports only say how long faults happened. */
    long seconds() {
        return values.containsKey("seconds") ? count("seconds") : Math.round(number(values, "minutes") * 60);
    }

    List<Broke> faults() {
        return maps("faults").stream().map(Broke::new).toList();
    }

    /** Returns the names of the faults that could happen; older reports do not tell. */
    List<String> possible() {
        return values.get("possibleFaults") instanceof List<?> ids
                ? ids.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** Returns how often a promise did not hold. */
    long findings(@Nullable String promise, boolean excused) {
        return maps("findings").stream()
                .filter(each -> promise == null || promise.equals(each.get("promise")))
                .filter(each -> Boolean.valueOf(excused).equals(each.get("excused")))
                .count();
    }

    private List<? extends Map<?, ?>> maps(String key) {
        return values.get(key) instanceof List<?> all
                ? all.stream()
                        .map(each -> each instanceof Map<?, ?> map ? map : Map.of())
                        .toList()
                : List.of();
    }
}
