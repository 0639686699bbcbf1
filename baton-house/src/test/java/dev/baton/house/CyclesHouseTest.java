package dev.baton.house;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Classes of a package do not use each other in circles, nor do packages: a reader of one class of a circle has
 * to read them all. Classes count with the classes nested in them.
 */
class CyclesHouseTest {
    /** The door of the API: {@code Baton.connect} makes a client. ArrowsHouseTest keeps it narrow. */
    private static final String API = "dev.baton";

    @Test
    void classesOfAPackage_haveNoCycle() {
        Map<String, List<Set<String>>> cycles = new TreeMap<>();
        packages().forEach((name, types) -> {
            Map<String, Set<String>> uses = uses(types, Compiled::topLevelName);
            List<Set<String>> found = cycles(uses);
            if (!found.isEmpty()) {
                cycles.put(name, found);
            }
        });
        assertThat(cycles)
                .as(
                        "classes that use each other in a circle: turn one arrow around by an interface, or move what both need")
                .isEmpty();
    }

    @Test
    void packages_haveNoCycle() {
        Map<String, Set<String>> uses = uses(Compiled.types(), JavaClass::getPackageName);
        uses.put(API, Set.of());
        assertThat(cycles(uses)).as("packages that use each other in a circle").isEmpty();
    }

    @Test
    void cycle_isFound() {
        Map<String, Set<String>> uses = new TreeMap<>(Map.of(
                "a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of(), "e", Set.of("e", "d")));
        assertThat(cycles(uses)).containsExactly(Set.of("a", "b", "c"));
    }

    private static Map<String, List<JavaClass>> packages() {
        return Compiled.types().stream().collect(groupingBy(JavaClass::getPackageName));
    }

    /** Who uses whom, both among the given. */
    private static Map<String, Set<String>> uses(Collection<JavaClass> types, Function<JavaClass, String> name) {
        Predicate<JavaClass> given = Set.copyOf(types)::contains;
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : types) {
            Set<String> used = uses.computeIfAbsent(name.apply(type), key -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .map(JavaClass::getBaseComponentType)
                    .filter(given)
                    .map(name)
                    .forEach(used::add);
        }
        return uses;
    }

    /** Sets of more than one of which each reaches each other, by Tarjan's algorithm. */
    private static List<Set<String>> cycles(Map<String, Set<String>> uses) {
        Tarjan search = new Tarjan(uses);
        uses.keySet().forEach(search::visit);
        return search.found;
    }

    private static final class Tarjan {
        private final Map<String, Set<String>> uses;
        private final Map<String, Integer> index = new TreeMap<>();
        private final Map<String, Integer> low = new TreeMap<>();
        private final Deque<String> stack = new ArrayDeque<>();
        private final List<Set<String>> found = new ArrayList<>();

        Tarjan(Map<String, Set<String>> uses) {
            this.uses = uses;
        }

        void visit(String from) {
            if (index.containsKey(from)) {
                return;
            }
            index.put(from, index.size());
            low.put(from, index.get(from));
            stack.push(from);
            for (String to : uses.getOrDefault(from, Set.of())) {
                if (!index.containsKey(to)) {
                    visit(to);
                    low.merge(from, low.get(to), Math::min);
                } else if (stack.contains(to)) {
                    low.merge(from, index.get(to), Math::min);
                }
            }
            if (low.get(from).equals(index.get(from))) {
                close(from);
            }
        }

        private void close(String first) {
            Set<String> cycle = new TreeSet<>();
            String last;
            do {
                last = stack.pop();
                cycle.add(last);
            } while (!last.equals(first));
            if (cycle.size() > 1) {
                found.add(cycle);
            }
        }
    }
}
