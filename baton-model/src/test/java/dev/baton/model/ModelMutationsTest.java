package dev.baton.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of the protocol is needed: without it, TLC finds a violation within bounds in which there is none with it. */
class ModelMutationsTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Pattern SWITCH = Pattern.compile("(?m)^(?:CONSTANTS)? +(\\w+),? +\\\\\\* FALSE:");

    static List<Mutation> mutations() {
        return Runs.MUTATIONS;
    }

    /** One worker, because several do not always find the shortest way. */
    @ParameterizedTest
    @MethodSource("mutations")
    void ruleSwitchedOff_isViolated(Mutation mutation) throws Exception {
        Tlc.Result result = Tlc.run(mutation.run(), 1, LIMIT);
        assertThat(result.violated()).as("see %s", result.directory()).hasValue(mutation.invariant());
        assertThat(result.trace())
                .as("states of the shortest way to the violation: see %s", result.directory())
                .isEqualTo(mutation.trace());
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void ruleSwitchedOff_isComparedWithARunOfTheSameBounds(Mutation mutation) {
        assertThat(Runs.BY_DAY.stream().map(Complete::run)).contains(mutation.whole());
        assertThat(mutation.whole().invariants()).contains(mutation.invariant());
        assertThat(mutation.change()).isNotEmpty();
    }

    @Test
    void everySwitch_hasAMutation() throws IOException {
        Set<String> switches = new TreeSet<>();
        for (Model model : Model.values()) {
            Matcher found = SWITCH.matcher(Files.readString(Tlc.source(model)));
            found.results().forEach(each -> switches.add(each.group(1)));
        }
        assertThat(switches).hasSizeGreaterThan(10);
        assertThat(switches)
                .as("constants of the models that switch a rule off, without a mutation in Runs")
                .allMatch(each -> Runs.MUTATIONS.stream()
                        .anyMatch(mutation -> mutation.change().contains(each + " = FALSE")));
    }
}
