package dev.baton.chaos.report;

import dev.baton.chaos.check.Checker;
import dev.baton.chaos.check.Checkers;
import dev.baton.chaos.text.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Adds up the reports of several runs, as tables in Markdown.
 *
 * @param pieces the runs, by store and seed
 */
public record Sum(List<Piece> pieces) {
    private static final String FILE = "report.json";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long RULE_OF_THREE = 3;

    /**
     * Reads all reports in and below directories.
     *
     * @throws IllegalArgumentException if a directory has none
     */
    public static Sum of(Collection<Path> directories) throws IOException {
        SortedSet<Path> files = new TreeSet<>();
        for (Path directory : directories) {
            boolean none;
            try (Stream<Path> all = Files.walk(directory)) {
                List<Path> found = all.filter(each -> each.endsWith(FILE))
                        .map(Path::toAbsolutePath)
                        .toList();
                none = found.isEmpty();
                files.addAll(found);
            }
            if (none) {
                throw new IllegalArgumentException(directory + " has no " + FILE);
            }
        }
        List<Piece> pieces = new ArrayList<>();
        for (Path file : files) {
            pieces.add(Piece.read(file));
        }
        return new Sum(pieces.stream()
                .sorted((one, other) -> key(one).compareTo(key(other)))
                .toList());
    }

    private static String key(Piece piece) {
        return "%s %020d".formatted(subject(piece), piece.count("seed"));
    }

    /** Names what is summed up: the store, and the lock if it is not Baton's. */
    private static String subject(Piece piece) {
        String subject = piece.word("subject");
        return '`' + piece.word("store") + '`' + (subject.equals(Settings.BATON) ? "" : ", `" + subject + '`');
    }

    /** Returns the tables. */
    public String toMarkdown() {
        return Stream.of(runs(), totals(), promises(), recovery(), faults()).collect(Collectors.joining("\n"));
    }

    private Map<String, List<Piece>> bySubject() {
        return pieces.stream().collect(Collectors.groupingBy(Sum::subject, LinkedHashMap::new, Collectors.toList()));
    }

    private String runs() {
        MarkdownTable table = new MarkdownTable(
                "store",
                "#seed",
                "#s",
                "#holds",
                "#contended",
                "#contended under a fault",
                "#faults",
                "#leases lost",
                "#exceptions",
                "#violations",
                "#where the store had forgotten");
        for (Piece each : pieces) {
            table.row(
                    subject(each),
                    each.word("seed"),
                    Times.count(each.seconds()),
                    Times.count(each.count("holds")),
                    Times.count(each.count("contended")),
                    Times.count(each.count("contendedUnderFault")),
                    Times.count(each.faults().size()),
                    Times.count(each.count("lost")),
                    Times.count(each.count("exceptions")),
                    Times.count(each.findings(null, false)),
                    Times.count(each.findings(null, true)));
        }
        return table.toString();
    }

    private String totals() {
        MarkdownTable table = new MarkdownTable(
                "store",
                "#runs",
                "#minutes",
                "#holds",
                "#contended under a fault",
                "#share",
                "#faults",
                "#violations",
                "#fewer than, of all holds",
                "#fewer than, of those under a fault",
                "#where the store had forgotten");
        bySubject().forEach((subject, each) -> {
            long holds = sum(each, piece -> piece.count("holds"));
            long under = sum(each, piece -> piece.count("contendedUnderFault"));
            long broken = sum(each, piece -> piece.findings(null, false));
            long forgotten = sum(each, piece -> piece.findings(null, true));
            table.row(
                    subject,
                    Times.count(each.size()),
                    Times.count(sum(each, Piece::seconds) / 60),
                    Times.count(holds),
                    Times.count(under),
                    share(under, holds),
                    Times.count(sum(each, piece -> piece.faults().size())),
                    Times.count(broken),
                    bound(broken, holds),
                    bound(broken, under),
                    rate(forgotten, holds));
        });
        return table.toString();
    }

    /** Returns the rule of three: none in n says at 95 % that fewer than 3/n do. */
    static String bound(long found, long holds) {
        return found > 0 || holds < RULE_OF_THREE ? "-" : "1 in " + Times.count(holds / RULE_OF_THREE);
    }

    private static String share(long part, long all) {
        return all == 0 ? "-" : String.format(Locale.ROOT, "%.0f %%", 100.0 * part / all);
    }

    private static String rate(long found, long holds) {
        return found == 0 ? "0" : "%s (1 in %s)".formatted(Times.count(found), Times.count(holds / found));
    }

    private String promises() {
        List<String> heads = new ArrayList<>(List.of("promise"));
        bySubject().keySet().forEach(each -> heads.add('#' + each));
        MarkdownTable table = new MarkdownTable(heads.toArray(String[]::new));
        for (Checker each : Checkers.all()) {
            List<String> row = new ArrayList<>(List.of(each.promise()));
            bySubject().values().forEach(runs -> row.add(verdict(each.promise(), runs)));
            table.row(row.toArray(String[]::new));
        }
        return table.toString();
    }

    private static String verdict(String promise, List<Piece> runs) {
        long broken = sum(runs, piece -> piece.findings(promise, false));
        long forgotten = sum(runs, piece -> piece.findings(promise, true));
        return (broken == 0 ? "kept" : "**broken " + Times.count(broken, "time") + "**")
                + (forgotten == 0 ? "" : "; forgotten " + Times.count(forgotten, "time"));
    }

    /** Returns how long after the end of each fault the next lock was granted, store by store. */
    private String recovery() {
        List<String> heads = new ArrayList<>(List.of("fault"));
        bySubject().keySet().forEach(each -> heads.add('#' + each));
        MarkdownTable table = new MarkdownTable(heads.toArray(String[]::new));
        SortedSet<String> faults = new TreeSet<>();
        pieces.forEach(piece -> piece.faults().forEach(each -> faults.add(each.fault())));
        for (String fault : faults) {
            List<String> row = new ArrayList<>(List.of('`' + fault + '`'));
            bySubject().values().forEach(runs -> row.add(medianAndWorst(fault, runs)));
            table.row(row.toArray(String[]::new));
        }
        return table.toString();
    }

    private static String medianAndWorst(String fault, List<Piece> runs) {
        List<Double> recovered = recovered(runs.stream()
                .flatMap(piece -> piece.faults().stream())
                .filter(each -> each.fault().equals(fault))
                .toList());
        return recovered.isEmpty()
                ? "-"
                : millis(Recoveries.median(recovered)) + " / "
                        + millis(recovered.stream().max(Double::compare));
    }

    private static List<Double> recovered(List<Piece.Broke> faults) {
        return faults.stream()
                .map(Piece.Broke::recoveryMillis)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    private String faults() {
        MarkdownTable table = new MarkdownTable(
                "store",
                "fault",
                "#times",
                "#effects",
                "#next grant, median",
                "#worst",
                "#longest wait",
                "#contended holds",
                "#leases lost");
        bySubject().forEach((subject, runs) -> {
            Map<String, List<Piece.Broke>> byFault = runs.stream()
                    .flatMap(piece -> piece.faults().stream())
                    .collect(Collectors.groupingBy(Piece.Broke::fault, TreeMap::new, Collectors.toList()));
            runs.forEach(piece -> piece.possible().forEach(fault -> byFault.putIfAbsent(fault, List.of())));
            byFault.forEach((fault, each) -> table.row(row(subject, fault, each)));
        });
        return table.toString();
    }

    private static String[] row(String subject, String fault, List<Piece.Broke> each) {
        List<Double> recovered = recovered(each);
        Function<String, String> total = key -> Times.count(
                (long) each.stream().mapToDouble(one -> one.number(key)).sum());
        double longest = each.stream()
                .mapToDouble(one -> one.number("longestWaitMillis"))
                .max()
                .orElse(0);
        return new String[] {
            subject,
            '`' + fault + '`',
            Times.count(each.size()),
            total.apply("effects"),
            millis(Recoveries.median(recovered)),
            millis(recovered.stream().max(Double::compare)),
            millis(each.isEmpty() ? Optional.empty() : Optional.of(longest)),
            total.apply("contended"),
            total.apply("lost")
        };
    }

    private static String millis(Optional<Double> millis) {
        return millis.map(each -> Times.of(Duration.ofNanos(Math.round(each * NANOS_PER_MILLI))))
                .orElse("-");
    }

    private static long sum(List<Piece> pieces, ToLongFunction<Piece> number) {
        return pieces.stream().mapToLong(number).sum();
    }
}
