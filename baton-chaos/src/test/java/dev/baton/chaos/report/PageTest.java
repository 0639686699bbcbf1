package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Loss;
import dev.baton.chaos.history.Trouble;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PageTest {
    private static final String EVIL = "<script>alert(\"1\" & '2')</script>";
    private static final int SMALL = 2_000_000;

    private final Runs runs = new Runs();

    @TempDir
    private Path directory;

    private String html() {
        return new Page(runs.report(directory, Duration.ofSeconds(60))).html();
    }

    /** The writer closes every element, so a parser of XML can read the page. */
    private static Document parsed(String html) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(html)));
    }

    private static List<String> texts(Document page, String element) {
        NodeList all = page.getElementsByTagName(element);
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> all.item(i).getTextContent())
                .toList();
    }

    private static long paths(Document page, String kind) {
        NodeList all = page.getElementsByTagName("path");
        return IntStream.range(0, all.getLength())
                .mapToObj(all::item)
                .filter(each -> each.getAttributes()
                        .getNamedItem("class")
                        .getNodeValue()
                        .equals(kind))
                .count();
    }

    @Test
    void everyTextIsEscaped() throws Exception {
        Hold hold = runs.hold(1, EVIL, 900, 1_000, 1_500, Hold.End.LOST);
        runs.fault("wire" + EVIL, 1_000, 2_000);
        runs.losses.add(new Loss(1, hold.number(), Runs.nanos(1_500), EVIL));
        runs.troubles.add(new Trouble(1, Runs.nanos(1_600), Duration.ofSeconds(2), EVIL, EVIL, EVIL));
        runs.findings.add(new Finding("order", EVIL, Runs.nanos(1_000), Runs.nanos(1_500), EVIL, false, List.of(hold)));
        String html = html();
        assertThat(html).doesNotContain("<script").contains("&lt;script&gt;");
        Document page = parsed(html);
        assertThat(texts(page, "td")).contains(EVIL);
        assertThat(texts(page, "title"))
                .anyMatch(words -> words.contains("lost: " + EVIL))
                .anyMatch(words -> words.contains(EVIL + ": " + EVIL + ": " + EVIL))
                .anyMatch(words -> words.startsWith("wire" + EVIL));
    }

    @Test
    void thePageNeedsNothingElse() {
        runs.fault("wire-cut", 1_000, 2_000);
        runs.hold(900, 1_000, 1_500);
        assertThat(html())
                .startsWith("<!DOCTYPE html>")
                .doesNotContain("http:", "https:", "src=", "href=", "@import", "url(");
    }

    @Test
    void theVerdictComesFirst() throws Exception {
        runs.hold(900, 1_000, 1_500);
        runs.fault("wire-cut", 1_000, 2_000);
        assertThat(texts(parsed(html()), "p").get(0)).isEqualTo("Every promise was kept in 1 hold under 1 fault.");
    }

    @Test
    void brokenPromisesAreInTheVerdictAndInTheTable() throws Exception {
        Hold first = runs.hold(900, 1_000, 1_500);
        Hold second = runs.hold(900, 1_100, 1_500);
        runs.finding("order", "lock-0", 1_000, 1_500, false, first, second);
        runs.finding("belief", "lock-0", 1_000, 1_500, true);
        runs.finding("belief", "lock-0", 1_000, 1_500, true);
        Document page = parsed(html());
        assertThat(texts(page, "p").get(0))
                .startsWith("The promise \"order\" was broken 1 time in 2 holds under 0 faults; 2 findings where");
        assertThat(texts(page, "td"))
                .contains(
                        "broken 1 time",
                        "kept; 2 times where the store had forgotten, or ended leases early",
                        "1.000 s",
                        "1.500 s")
                .anyMatch(cell -> cell.contains(first + ": asked at 0.900 s, believed from 1.000 s to 1.500 s")
                        && cell.contains(second.toString()));
    }

    @Test
    void faultsStandWithWhatTheyCost() throws Exception {
        runs.fault("wire-cut", 1_000, 2_000);
        runs.hold(500, 2_250, 2_300);
        assertThat(texts(parsed(html()), "tr"))
                .contains("1.000 swire-cutclient 1 at place 11.00 s1250 ms1.75 s0")
                .contains("wire-cut1250 ms250 ms1.75 s0");
    }

    @Test
    void aPictureHasALaneForEachClientAndItsMarks() throws Exception {
        runs.fault("wire-cut", 1_000, 2_000);
        Hold hold = runs.hold(1, "lock-0", 900, 1_000, 1_500, Hold.End.LOST);
        runs.hold(2, "lock-0", 900, 1_600, 1_700, Hold.End.RELEASED);
        runs.losses.add(new Loss(1, hold.number(), Runs.nanos(1_500), "EXPIRED"));
        runs.troubles.add(new Trouble(2, Runs.nanos(1_200), Duration.ofSeconds(2), "lock-0", "x.Y", "z"));
        runs.finding("order", "lock-0", 1_000, 1_500, false, hold);
        Document page = parsed(html());
        assertThat(texts(page, "text")).contains("client 1", "client 2", "wire-cut, client 1 at place 1, 1.00 s");
        assertThat(paths(page, "bar c1")).isEqualTo(1);
        assertThat(paths(page, "bar c2")).isEqualTo(1);
        // The legend has one of each, too.
        assertThat(paths(page, "loss")).isEqualTo(2);
        assertThat(paths(page, "trouble")).isEqualTo(2);
        assertThat(paths(page, "found")).isEqualTo(2);
    }

    @Test
    void thePageOfALongRunIsSmall() {
        for (int i = 0; i < 4_000; i++) {
            runs.fault(i % 3 == 0 ? "wire-cut" : "client-kill", i * 15, i * 15 + 5);
            runs.finding("order", "lock-0", i * 15, i * 15 + 5, i % 2 == 0);
            runs.troubles.add(new Trouble(
                    i % 12, Runs.nanos(i * 15), Duration.ofSeconds(2), "lock-0", "x.Y" + i % 50, "z".repeat(200)));
        }
        for (int i = 0; i < 60_000; i++) {
            runs.hold(i % 12, "lock-0", i - 1, i, i + 0.1, Hold.End.RELEASED);
        }
        String html = html();
        assertThat(html.getBytes(StandardCharsets.UTF_8).length).isLessThan(SMALL);
        assertThat(html).contains("3,000 more are in report.json.");
    }

    @Test
    void aRunWithoutHoldsHasAPage() throws Exception {
        assertThat(texts(parsed(html()), "p").get(0)).startsWith("Every promise was kept in 0 holds");
    }

    @Test
    void everyPromiseHasWords() {
        assertThat(Checkers.all())
                .allSatisfy(
                        checker -> assertThat(Promises.words(checker.promise())).endsWith("."));
    }

    @Test
    void bothFilesLieInTheDirectoryOfTheRun() throws Exception {
        runs.fault("wire-cut", 1_000, 2_000);
        runs.hold(500, 2_250, 2_300);
        ReportFiles.write(runs.report(directory, Duration.ofSeconds(60)));
        assertThat(directory.resolve("report.html")).content().startsWith("<!DOCTYPE html>");
        assertThat(Files.readString(directory.resolve("report.json")))
                .contains("\"medianMillis\" : 250.0", "\"worstMillis\" : 250.0", "\"recoveryMillis\" : 250.0");
    }

    @Test
    void theTextHasTheRecovery() {
        runs.fault("wire-cut", 1_000, 2_000);
        runs.hold(500, 2_250, 2_300);
        assertThat(runs.report(directory, Duration.ofSeconds(60)).toText())
                .contains("1 effects, next grant after 250 ms (median), 250 ms (worst)");
    }

    @Test
    void theCommandRepeatsTheRun() throws Exception {
        assertThat(texts(parsed(html()), "pre"))
                .containsExactly(
                        "./baton chaos --store redis --faults all --minutes 1.0 --seed 42 --clients 3 --threads 4"
                                + " --names 10 --lease 2000 --long-sections 2 --calm 1.5");
    }
}
