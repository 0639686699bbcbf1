package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinesTest {
    private final Lines lines = new Lines(20);

    @Test
    void text_breaksAtSpaces_andIndentsWhatFollows() {
        assertThat(lines.wrap("one two three four five six")).isEqualTo("one two three four\n  five six\n");
    }

    @Test
    void figure_isNeverParted_fromItsUnit() {
        String figure = Figures.shortly(12_345) + Lines.glue(" times (11.1 to 13)");
        assertThat(lines.wrap("it is " + figure)).isEqualTo("it is\n  12.3 k times (11.1 to 13)\n");
    }

    @Test
    void columnsThatDoNotFit_followInAnotherTable_withTheFirstColumnAgain() {
        List<List<String>> rows = List.of(List.of("", "first", "second", "third"), List.of("rate", "1", "2", "3"));
        assertThat(lines.table(rows)).isEqualTo("      first  second\nrate      1       2\n      third\nrate      3\n");
    }

    @ParameterizedTest
    @CsvSource({"100, 100", ", 80", "wide, 80", "-5, 80", "7, 60"})
    void width_isWhatTheShellSays_orEighty(String columns, int width) {
        assertThat(Lines.of(columns).width()).isEqualTo(width);
    }
}
