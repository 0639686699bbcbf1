package dev.baton.chaos;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The names that a command line knows. */
final class Names {
    private static final int MOST_NEAR = 3;

    /** The shortest beginning that two names may share by more than accident. */
    private static final int BEGINNING = 3;

    private Names() {}

    /**
     * Checks that a name exists.
     *
     * @param kind what it names
     * @throws IllegalArgumentException if it does not; the message has the names that are near, or else all
     */
    static void require(String kind, String name, List<String> names) {
        if (!names.contains(name)) {
            List<String> near = near(name, names);
            throw new IllegalArgumentException("no " + kind + " is called " + name
                    + (near.isEmpty()
                            ? ": there are " + String.join(", ", names)
                            : "; did you mean " + String.join(" or ", near) + "? --list shows all"));
        }
    }

    /** Returns the names that share the longest beginning or, if no name shares one, a part between hyphens. */
    private static List<String> near(String name, List<String> names) {
        ToIntFunction<String> shared = other -> sharedBeginning(name, other);
        int longest = names.stream().mapToInt(shared).max().orElse(0);
        Set<String> parts = parts(name).collect(Collectors.toSet());
        return names.stream()
                .filter(other -> longest >= BEGINNING
                        ? shared.applyAsInt(other) == longest
                        : parts(other).anyMatch(parts::contains))
                .sorted(Comparator.comparingInt(other -> Math.abs(other.length() - name.length())))
                .limit(MOST_NEAR)
                .toList();
    }

    private static Stream<String> parts(String name) {
        return Stream.of(name.split("[-:]", -1)).filter(part -> part.length() >= BEGINNING);
    }

    private static int sharedBeginning(String one, String other) {
        return (int) IntStream.range(0, Math.min(one.length(), other.length()))
                .takeWhile(i -> one.charAt(i) == other.charAt(i))
                .count();
    }
}
