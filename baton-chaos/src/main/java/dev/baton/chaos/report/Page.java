package dev.baton.chaos.report;

import dev.baton.Baton;
import dev.baton.chaos.check.Checker;
import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Trouble;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The report as one file of HTML, which needs nothing else. For one thread. */
final class Page {
    /** Rows of a table; report.json has all. */
    static final int MOST_ROWS = 1_000;

    private static final int MOST_FINDINGS = 200;
    private static final int MOST_EXCUSED = 50;
    private static final long ZOOM_GRANTS = 24;

    private final Report report;
    private final List<Recovery> recoveries;
    private final Markup to = new Markup();

    Page(Report report) {
        this.report = report;
        this.recoveries = report.recoveries();
    }

    String html() {
        to.doctype().open("html", "lang", "en").open("head");
        to.empty("meta", "charset", "utf-8");
        to.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        to.element(
                "title",
                "baton chaos: " + report.settings().shownStore() + ", seed "
                        + report.settings().seed());
        to.element("style", style()).close().open("body");
        to.element("h1", "baton chaos on " + report.store());
        verdict();
        numbers();
        run();
        promises();
        overview();
        findings();
        recoveries();
        faults();
        pictures();
        said();
        to.close().close();
        return to.done() + '\n';
    }

    private static String style() {
        try (InputStream css = Objects.requireNonNull(Page.class.getResourceAsStream("report.css"))) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void verdict() {
        boolean bad = !report.violations().isEmpty() || !report.idleFaults().isEmpty();
        to.element("p", Verdict.of(report), "class", bad ? "verdict bad" : "verdict");
    }

    private void numbers() {
        Counts counts = report.counts();
        to.open("div", "class", "numbers");
        number(counts.holds(), "holds checked");
        number(counts.contended(), "contended: asked for while another client or caller had the lock");
        number(counts.contendedUnderFault(), "contended while a fault went on");
        number(counts.lost(), "leases lost before their release");
        number(counts.stale(), "stale writes that the register refused");
        number(counts.notes(), "notes written");
        number(counts.runs(), "runs of jobs recorded");
        number(report.evidence().history().refused(), "requests not granted in time");
        number(report.evidence().history().troubles().size(), "exceptions");
        to.close();
        Map<String, Long> types = report.evidence().history().troubles().stream()
                .collect(Collectors.groupingBy(Trouble::type, TreeMap::new, Collectors.counting()));
        if (!types.isEmpty()) {
            table(
                    List.of("Exception", "#Times"),
                    types.entrySet().stream()
                            .map(each -> List.of(each.getKey(), Times.count(each.getValue())))
                            .toList());
        }
    }

    private void number(long number, String words) {
        to.open("div").element("b", Times.count(number)).element("span", words).close();
    }

    private void run() {
        Settings settings = report.settings();
        String version = Baton.class.getPackage().getImplementationVersion();
        to.element("h2", "The run");
        to.element(
                "p",
                "%s with %s and %d locks with leases of %s, for %s, under test: %s."
                        .formatted(
                                Times.count(settings.clients(), "client JVM"),
                                Times.count(settings.threads(), "caller") + " each",
                                settings.names().size(),
                                Times.of(settings.leaseTime()),
                                Times.of(report.length()),
                                settings.subject()));
        to.element(
                "p",
                "Store: " + report.store() + ". Baton " + (version == null ? "of this checkout" : version) + ", Java "
                        + Runtime.version() + ", " + System.getProperty("os.name") + ' '
                        + System.getProperty("os.arch") + ".");
        report.absent().forEach(each -> to.element("p", each + "."));
        to.element("p", "Seed " + settings.seed() + ". This command repeats the run:");
        to.element("pre", settings.command());
        to.element(
                "p",
                "The seed decides which faults happen, when and for how long. The order in which threads run is not"
                        + " repeated.",
                "class",
                "soft");
    }

    private void promises() {
        to.element("h2", "Promises").open("table").open("tr");
        List.of("Promise", "Says", "Result").forEach(head -> to.element("th", head));
        to.close();
        for (Checker checker : Checkers.all()) {
            String promise = checker.promise();
            long broken = report.broken(promise);
            to.open("tr").element("td", promise, "class", "t").element("td", Promises.words(promise));
            to.open("td")
                    .element(
                            "span",
                            broken == 0 ? "kept" : "broken " + Times.count(broken, "time"),
                            "class",
                            broken == 0 ? "kept" : "no");
            long excused = report.excused(promise);
            if (excused > 0) {
                to.text("; " + Times.count(excused, "time") + " where the store had forgotten, or ended leases early");
            }
            to.close().close();
        }
        to.close();
    }

    private void overview() {
        to.element("h2", "The whole run").open("figure");
        new Overview(report).write(to);
        to.element(
                        "figcaption",
                        "Grants of all locks per second; below, when faults went on at clients, on the wire and at the"
                                + " server, and when promises were broken (red) or the store had forgotten or ended leases"
                                + " early (grey). Time counts from the beginning of the run.")
                .close();
    }

    private void findings() {
        to.element("h2", "Findings");
        if (report.findings().isEmpty()) {
            to.element("p", "None.");
            return;
        }
        findings("Broken promises", report.violations(), MOST_FINDINGS);
        findings(
                "Where the store had forgotten, or ended leases early",
                report.findings().stream().filter(Finding::excused).toList(),
                MOST_EXCUSED);
    }

    private void findings(String title, List<Finding> all, int most) {
        if (all.isEmpty()) {
            return;
        }
        to.element("h3", title + " (" + Times.count(all.size()) + ")")
                .open("div", "class", "scroll")
                .open("table");
        to.open("tr");
        List.of("Promise", "From", "To", "Lock", "What is wrong, and the holds")
                .forEach(head -> to.element("th", head));
        to.close();
        all.stream().limit(most).forEach(this::finding);
        to.close().close();
        more(all.size(), most);
    }

    private void finding(Finding finding) {
        to.open("tr").element("td", finding.promise(), "class", "t");
        boolean placed = Windows.isPlaced(finding);
        to.element("td", placed ? at(finding.fromNanos()) : "the end", "class", "t");
        to.element("td", placed ? at(finding.toNanos()) : "", "class", "t");
        to.element("td", finding.name(), "class", "t").open("td").element("div", finding.message());
        finding.holds().forEach(hold -> to.element("div", words(hold), "class", "soft"));
        to.close().close();
    }

    private String words(Hold hold) {
        String believed = hold.isCertain()
                ? ", believed from " + at(hold.firstNanos()) + " to " + at(hold.lastNanos())
                : ", granted at " + at(hold.firstNanos());
        return hold + ": asked at " + at(hold.askedNanos()) + believed + ", then "
                + hold.end().name().toLowerCase(Locale.ROOT)
                + (hold.recordedNanos() == Hold.NEVER ? "" : " by " + at(hold.recordedNanos()));
    }

    private String at(long nanos) {
        return Times.at(nanos, report.beganNanos());
    }

    private void more(int all, int shown) {
        if (all > shown) {
            to.element("p", Times.count((long) all - shown) + " more are in report.json.", "class", "soft");
        }
    }

    private void said() {
        List<ClientsWords> all = report.said();
        if (all.isEmpty()) {
            return;
        }
        to.element("h2", "What the clients said");
        to.element(
                "p",
                "Events and lines of the log that an operator of these clients would have seen, with what docs/runbook.md"
                        + " says of them. Names and numbers in lines are in capitals.");
        table(
                List.of("Event or line", "#Times", "What happened"),
                all.stream()
                        .map(each -> List.of(
                                each.text(),
                                Times.count(each.count()),
                                each.entry().map(entry -> entry.meaning()).orElse(ClientsWords.MISSING)))
                        .toList());
    }

    private void recoveries() {
        List<Recoveries> sums = Recoveries.byFault(recoveries);
        if (sums.isEmpty()) {
            return;
        }
        to.element("h2", "Recovery");
        to.element(
                "p",
                "Until the next grant: from the end of a fault to the next grant of any lock to any client. Longest"
                        + " wait: of the callers that got a lock and waited while the fault went on.");
        table(
                List.of("Fault", "#Times", "#Next grant, median", "#Next grant, worst", "#Longest wait", "#Holds lost"),
                sums.stream()
                        .map(each -> List.of(
                                each.fault(),
                                Times.count(each.times()),
                                Times.of(each.median()),
                                Times.of(each.worst()),
                                Times.of(each.longestWait()),
                                Times.count(each.lost())))
                        .toList());
    }

    private void faults() {
        to.element("h2", "Faults in order");
        if (recoveries.isEmpty()) {
            to.element("p", "None happened.");
            return;
        }
        table(
                List.of(
                        "#Began",
                        "Fault",
                        "Where",
                        "#Took",
                        "#Effects",
                        "#Next grant after",
                        "#Longest wait",
                        "#Holds lost"),
                recoveries.stream().limit(MOST_ROWS).map(this::row).toList());
        more(recoveries.size(), MOST_ROWS);
    }

    private List<String> row(Recovery each) {
        Happened fault = each.fault();
        return List.of(
                at(fault.beganNanos()),
                fault.fault().id(),
                fault.where(),
                Times.of(fault.length()),
                Times.count(fault.effects()),
                Times.of(each.untilGrant()),
                Times.of(each.longestWait()),
                Times.count(each.lost()));
    }

    /** Writes a table. Columns whose heads begin with # hold numbers. */
    private void table(List<String> heads, List<List<String>> rows) {
        to.open("div", "class", "scroll").open("table").open("tr");
        heads.forEach(head -> cell("th", head, head.replaceFirst("^#", "")));
        to.close();
        for (List<String> row : rows) {
            to.open("tr");
            for (int i = 0; i < row.size(); i++) {
                cell("td", heads.get(i), row.get(i));
            }
            to.close();
        }
        to.close().close();
    }

    private void cell(String element, String head, String words) {
        to.element(element, words, "class", head.startsWith("#") ? "n" : "t");
    }

    private void pictures() {
        List<Window> windows =
                Windows.of(report.evidence(), recoveries, report.findings()).chosen();
        if (windows.isEmpty()) {
            return;
        }
        to.element("h2", "Hand-overs around faults");
        long shown = windows.stream().mapToLong(each -> each.faults().size()).sum();
        if (shown < recoveries.size()) {
            to.element(
                    "p",
                    "%s of %s faults are shown: the first ones, one of each name, and those with findings."
                            .formatted(Times.count(shown), Times.count(recoveries.size())));
        }
        Legend.write(to);
        TimeLine pictures = new TimeLine(report.evidence(), report.beganNanos());
        windows.forEach(window -> picture(window, pictures));
    }

    private void picture(Window window, TimeLine pictures) {
        String faults = window.faults().stream()
                .map(each -> each.fault().id() + " (" + each.where() + ")")
                .collect(Collectors.joining(" and "));
        to.open("figure").element("h3", at(window.fromNanos()) + ": " + (faults.isEmpty() ? "no fault" : faults));
        to.element("figcaption", "Holds of " + window.lock() + caption(window));
        pictures.write(window, to);
        window.faults().stream()
                .max(Comparator.comparingLong(Happened::endedNanos))
                .ifPresent(last -> {
                    Window zoom = zoom(last, window.lock());
                    to.element(
                            "figcaption",
                            "The end of " + last.fault().id() + " at " + at(last.endedNanos()) + ", enlarged "
                                    + Math.max(
                                            1,
                                            (window.toNanos() - window.fromNanos())
                                                    / (zoom.toNanos() - zoom.fromNanos()))
                                    + " times");
                    pictures.write(zoom, to);
                });
        to.close();
    }

    private static String caption(Window window) {
        Map<String, Long> findings = window.findings().stream()
                .collect(Collectors.groupingBy(Finding::promise, TreeMap::new, Collectors.counting()));
        return findings.isEmpty()
                ? ""
                : ". Findings: "
                        + findings.entrySet().stream()
                                .map(each -> each.getKey() + ' ' + Times.count(each.getValue(), "time"))
                                .collect(Collectors.joining(", "));
    }

    /** Shows the first hand-overs after a fault. */
    private Window zoom(Happened fault, String lock) {
        long ended = fault.endedNanos();
        long until = report.evidence().history().holds().stream()
                .filter(hold -> hold.name().equals(lock) && hold.firstNanos() >= ended)
                .mapToLong(Hold::firstNanos)
                .sorted()
                .limit(ZOOM_GRANTS)
                .max()
                .orElse(ended + Duration.ofMillis(100).toNanos());
        long length = Math.max(Duration.ofMillis(10).toNanos(), until - ended);
        return new Window(ended - length / 4, ended + length, lock, List.of(), List.of());
    }
}
