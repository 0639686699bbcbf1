package dev.baton.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No text from a store can act as a command to the terminal. */
class PrintableTest {
    private static final String TRICKS = "a\u001b[2J\u009b1mb\r\nc\u007f\u0000\u202ed\u2028\ud83d";

    @Test
    void text_withControls_showsThem() {
        assertThat(Printable.of(TRICKS))
                .isEqualTo("a\\u001b[2J\\u009b1mb\\u000d\\u000ac\\u007f\\u0000\\u202ed\\u2028\\ud83d");
    }

    @Test
    void text_ofPeople_staysAsItIs() {
        String text = "na\u00efve \u4e2d\u6587 \u0627\u0644 \ud83d\udd12 \\ \"quoted\" 100 %";
        assertThat(Printable.of(text)).isEqualTo(text);
    }

    @Test
    void json_isPlainAscii_andReadsBack() throws Exception {
        String text = "\u0000\u001b\u007f\u009b\u202e\u4e2d\ud83d\udd12";
        String json = Json.of(Map.of("text", text));
        assertThat(json.chars()).allMatch(c -> c >= ' ' && c < 0x7f);
        assertThat(JSON.std.mapFrom(json)).containsEntry("text", text);
    }

    @Test
    void table_alignsEachColumn_andEndsWithoutBlanks() {
        Table table = new Table(Table.Align.LEFT, Table.Align.RIGHT, Table.Align.LEFT);
        table.row(List.of("NAME", "N", "WHO"));
        table.row(List.of("\ud83d\udd12", "100", ""));
        assertThat(table.lines()).containsExactly("NAME    N  WHO", "\ud83d\udd12     100");
    }
}
