package dev.baton.chaos.zoo;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chaos.check.Checker;
import dev.baton.chaos.check.Checkers;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of the broken locks is complete, and so is its page. */
class ZooTest {
    private static final Path PAGE = Path.of("..", "docs", "zoo.md");

    static Stream<Animal> animals() {
        return Zoo.animals().stream();
    }

    @Test
    void everyChecker_hasAnAnimalThatIsMeantForIt() {
        assertThat(Zoo.animals().stream().map(Animal::promise).collect(toSet()))
                .isEqualTo(Checkers.all().stream().map(Checker::promise).collect(toSet()));
    }

    @Test
    void names_differ() {
        assertThat(new HashSet<>(Zoo.subjects())).hasSameSizeAs(Zoo.subjects());
    }

    @ParameterizedTest
    @MethodSource("animals")
    void animal_differsFromItsTwinInOneStep(Animal animal) throws Exception {
        Class<? extends Design> family = animal.design().getClass();
        assertThat(animal.repaired()).isExactlyInstanceOf(family);
        List<String> different = new ArrayList<>();
        for (RecordComponent step : family.getRecordComponents()) {
            Object broken = step.getAccessor().invoke(animal.design());
            if (!broken.equals(step.getAccessor().invoke(animal.repaired()))) {
                different.add(step.getName());
            }
        }
        assertThat(different).hasSize(1);
    }

    @Test
    void rulesOneToFour_areBrokenInBatonItself() {
        assertThat(Zoo.animals().stream()
                        .filter(animal -> animal.subject().startsWith(BatonDesign.PREFIX))
                        .map(Animal::source)
                        .filter(source -> source.contains(" of Baton's protocol"))
                        .map(source -> source.replaceAll(" of Baton's.*", "")))
                .containsExactly("rule 1", "rule 2", "rule 3", "rule 4");
    }

    @Test
    void addressOfBatonsStore_isThatOfTheStoreBehind_withTheNameOfTheRule() {
        assertThat(Zoo.addressForBaton("baton:ignores-once-repaired", "redis://127.0.0.1:1"))
                .contains("ignores-once-repaired+redis://127.0.0.1:1");
        assertThat(Zoo.addressForBaton("zoo:no-deadline", "redis://127.0.0.1:1"))
                .isEmpty();
        assertThat(new BatonStores().schemes())
                .containsKeys("ignores-once+redis", "ignores-once-repaired+redis")
                .doesNotContainKey("redis");
    }

    @Test
    void unknownName_isRefused() {
        assertThatThrownBy(() -> Zoo.open("zoo:unicorn", "redis://127.0.0.1:1", Duration.ofSeconds(1), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zoo:unicorn")
                .hasMessageContaining("zoo:check-then-set-repaired");
    }

    @Test
    void page_hasARowForEachAnimal() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows).hasSameSizeAs(Zoo.animals());
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).matches(row(Zoo.animals().get(i)));
        }
    }

    /** The seconds are a measurement; everything else follows from the animal. */
    private static Pattern row(Animal animal) {
        String before = String.join(
                " | ",
                "| `" + animal.name() + "`",
                animal.defect(),
                animal.source(),
                animal.fault(),
                String.join(", ", animal.promises()));
        return Pattern.compile(Pattern.quote(before) + " \\| \\d+(\\.\\d)? \\| "
                + Pattern.quote("`" + animal.name() + Animal.REPAIRED + "` |"));
    }
}
