package dev.baton.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run of the model checker. Immutable.
 *
 * @param name names its directory
 * @param model the model
 * @param constants the values of the model's constants
 * @param invariants what must hold in each state
 */
record Run(String name, Model model, Map<String, String> constants, List<String> invariants) {

    Run named(String other) {
        return new Run(other, model, constants, invariants);
    }

    /** Returns a run with other values, given as name, value, name, value. */
    Run with(Object... namesAndValues) {
        Map<String, String> changed = new LinkedHashMap<>(constants);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changed.put(namesAndValues[i].toString(), written(namesAndValues[i + 1]));
        }
        return new Run(name, model, changed, invariants);
    }

    Run checking(String... others) {
        return new Run(name, model, constants, List.of(others));
    }

    /** Returns the constants whose values differ from those of another run, as {@code name = value}. */
    String differenceTo(Run other) {
        return constants.entrySet().stream()
                .filter(each -> !each.getValue().equals(other.constants().get(each.getKey())))
                .map(each -> each.getKey() + " = " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Returns the text of the configuration file. */
    String configuration() {
        Stream<String> head = Stream.of(
                "INIT Init",
                "NEXT " + model.next(),
                "CHECK_DEADLOCK FALSE",
                // Two clients that are alike: histories with their names exchanged are the same.
                "SYMMETRY Sym",
                "CONSTANT c1 = c1",
                "CONSTANT c2 = c2",
                "CONSTANT C = {c1, c2}");
        Stream<String> values =
                constants.entrySet().stream().map(each -> "CONSTANT " + each.getKey() + " = " + each.getValue());
        Stream<String> checks = invariants.stream().map(each -> "INVARIANT " + each);
        return Stream.of(head, values, checks).flatMap(lines -> lines).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String written(Object value) {
        return value instanceof Boolean ? value.toString().toUpperCase(Locale.ROOT) : value.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
