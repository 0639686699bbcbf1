package dev.baton.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How users see a description, and how it fits in a line. */
class WhoTest {
    private static Instant ago(Duration time) {
        return Instant.now().minus(time).truncatedTo(ChronoUnit.SECONDS);
    }

    @Test
    void description_isReadAsWhoAndSinceWhen() {
        Instant since = ago(Duration.ofSeconds(200));
        Who who = Who.of("shop on web-1 pid 4711 thread main #1 since " + since);
        assertThat(who.name()).isEqualTo("shop on web-1 pid 4711");
        assertThat(who.since()).isEqualTo(since);
        assertThat(who.age()).matches("3m2\\ds");
        assertThat(who.line()).matches("shop on web-1 pid 4711 since \\S+Z \\(3m2\\ds\\)");
    }

    @Test
    void thread_isSaid_ifItSaysMoreThanTheProcess() {
        assertThat(Who.of("web-1 pid 4711 thread job thread 7 since 2025-06-01T12:00:00Z")
                        .name())
                .isEqualTo("web-1 pid 4711 thread job thread 7");
    }

    /** JDK 17 gives its first thread the number 1, JDK 25 the number 3; a holder may run on either. */
    @ParameterizedTest
    @CsvSource({
        "main #1, ''",
        "main #3, ''",
        "async, ''",
        "main #47, ' thread main #47'",
        "worker #3, ' thread worker #3'"
    })
    void firstThread_isNotSaid_onAnyRelease(String thread, String said) {
        assertThat(Who.of("web-1 pid 4711 thread " + thread + " since 2025-06-01T12:00:00Z")
                        .name())
                .isEqualTo("web-1 pid 4711" + said);
    }

    /** The holder's clock is ahead of this machine's. */
    @Test
    void holderOfTheFuture_isNew() {
        assertThat(Who.of("h pid 1 thread main #1 since " + ago(Duration.ofHours(-1)))
                        .age())
                .isEqualTo("0s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "somebody", "x since yesterday", " since ", "x since 2025-06-01T12:00:00Z!"})
    void anythingElse_isTheName(String description) {
        Who who = Who.of(description);
        assertThat(who.name()).isEqualTo(description);
        assertThat(who.since()).isNull();
        assertThat(who.age()).isEqualTo("-");
        assertThat(who.line()).isEqualTo(description);
    }

    @Test
    void nameOfMegabytes_isCut_andPrintable() {
        Who who =
                Who.of("\u001b[2J".repeat(2_000_000) + " on web-1 pid 4711 thread main #1 since 2025-06-01T12:00:00Z");
        assertThat(who.name()).hasSizeLessThanOrEqualTo(200).endsWith("on web-1 pid 4711");
        assertThat(who.name()).startsWith("\\u001b[2J").contains("...");
        assertThat(who.since()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"abcdefgh, 8, abcdefgh", "abcdefghi, 8, abc...hi", "abcdefghi, 1, a...i", "abc, 1, abc"})
    void textThatIsTooLong_losesItsMiddle(String text, int width, String fitting) {
        assertThat(Fit.middle(text, width)).isEqualTo(fitting);
    }

    @Test
    void symbolOfTwoHalves_isNotCutInHalf() {
        assertThat(Fit.middle("\ud83d\udd12".repeat(9), 5)).isEqualTo("\ud83d\udd12...\ud83d\udd12");
    }

    @Test
    void lines_breakBetweenWords() {
        assertThat(Fit.lines("one two three", 7)).containsExactly("one two", "three");
        assertThat(Fit.lines("one", 1)).containsExactly("one");
        assertThat(Fit.lines("", 7)).containsExactly("");
    }

    @Test
    void table_thatIsTooWide_losesTheMiddleOfItsLongestTexts() {
        Table table = new Table(Table.Align.LEFT, Table.Align.RIGHT, Table.Align.LEFT);
        table.row(List.of("a".repeat(30), "1234567890123", "b".repeat(12)));
        assertThat(table.lines(45)).containsExactly("aaaaaaa...aaaaaa  1234567890123  " + "b".repeat(12));
        assertThat(table.lines(10).get(0)).isEqualTo("aaaa...aaa  1234567890123  bbbb...bbb");
    }
}
