package dev.baton.chaos.report;

import dev.baton.chaos.check.Evidence;
import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.history.Loss;
import dev.baton.chaos.history.Trouble;
import dev.baton.chaos.report.Scale.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Draws a window: a lane for each client with its holds of one lock, faults as spans, losses and exceptions as marks. */
final class TimeLine {
    /** The lanes of a picture. Clients that are started again have new lanes. */
    private static final int MOST_LANES = 16;

    private static final double LANE = 26;
    private static final double BAR = 14;
    private static final double LABELS = 16;
    private static final double AXIS = 26;
    private static final double MARK = 4;

    private record Mark(long nanos, String words) {}

    /** What a mark tells. The style sheet names them in lower case. */
    private enum Sign {
        LOSS {
            @Override
            String path(double place, double middle) {
                return "M%s %sl%s -9h-%sz"
                        .formatted(
                                Scale.number(place),
                                Scale.number(middle - 3),
                                Scale.number(MARK),
                                Scale.number(MARK * 2));
            }
        },
        TROUBLE {
            @Override
            String path(double place, double middle) {
                return "M%s %sl8 8m0 -8l-8 8".formatted(Scale.number(place - MARK), Scale.number(middle + 1));
            }
        },
        DEATH {
            @Override
            String path(double place, double middle) {
                return "M%s %sh6v18h-6z".formatted(Scale.number(place - 3), Scale.number(middle - 9));
            }
        };

        abstract String path(double place, double middle);

        String kind() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Evidence evidence;
    private final long beganNanos;
    private final Map<String, Hold> holdOfLoss;

    TimeLine(Evidence evidence, long beganNanos) {
        this.evidence = evidence;
        this.beganNanos = beganNanos;
        this.holdOfLoss = evidence.history().holds().stream()
                .filter(hold -> hold.end() != Hold.End.RELEASED)
                .collect(Collectors.toMap(hold -> key(hold.client(), hold.number()), Function.identity(), (a, b) -> a));
    }

    private static String key(int client, long number) {
        return client + " " + number;
    }

    /** Writes the picture of a window. */
    void write(Window window, Markup to) {
        Map<Integer, List<Hold>> lanes = lanes(window);
        List<Happened> faults = evidence.faults().stream()
                .filter(each -> window.overlaps(each.beganNanos(), each.endedNanos()))
                .toList();
        double top = LABELS * Math.max(1, faults.size()) + 4;
        double bottom = top + LANE * Math.max(1, lanes.size());
        Scale scale = Axis.scale(window.fromNanos(), window.toNanos());
        Axis.open(to, bottom + AXIS, "Holds of " + window.lock() + " by client");
        Axis.write(to, scale, beganNanos, top, bottom);
        faults(faults, scale, bottom, to);
        double at = top;
        for (Map.Entry<Integer, List<Hold>> lane : lanes.entrySet()) {
            lane(window, lane.getKey(), lane.getValue(), scale, at, to);
            at += LANE;
        }
        to.close();
    }

    private Map<Integer, List<Hold>> lanes(Window window) {
        Map<Integer, List<Hold>> lanes = new TreeMap<>();
        for (Hold hold : evidence.history().holds()) {
            if (hold.name().equals(window.lock()) && window.overlaps(hold.firstNanos(), believedUntil(hold))) {
                lanes.computeIfAbsent(hold.client(), client -> new ArrayList<>())
                        .add(hold);
            }
        }
        for (Trouble each : evidence.history().troubles()) {
            if (window.overlaps(each.atNanos(), each.atNanos())) {
                lanes.computeIfAbsent(each.client(), client -> new ArrayList<>());
            }
        }
        while (lanes.size() > MOST_LANES) {
            lanes.remove(((TreeMap<Integer, List<Hold>>) lanes).lastKey());
        }
        return lanes;
    }

    /** A holder whose process died believed until its death at most. */
    private static long believedUntil(Hold hold) {
        return Math.max(hold.firstNanos(), hold.lastNanos());
    }

    private void faults(List<Happened> faults, Scale scale, double bottom, Markup to) {
        double label = LABELS - 4;
        for (Happened each : faults) {
            Scale.Bar bar = scale.bar(new Span(each.beganNanos(), each.endedNanos()));
            String kind = each.fault().scope().name().toLowerCase(Locale.ROOT);
            to.open(
                    "rect",
                    "class",
                    "fault " + kind,
                    "x",
                    Scale.number(bar.left()),
                    "y",
                    Scale.number(label - LABELS + 4),
                    "width",
                    Scale.number(bar.width()),
                    "height",
                    Scale.number(bottom - label + LABELS - 4));
            String words = each.fault().id() + ", " + each.where() + ", " + Times.of(each.length());
            to.element("title", words).close();
            boolean atRight = bar.left() > (scale.left() + scale.right()) / 2;
            to.element(
                    "text",
                    words,
                    "class",
                    "name",
                    "x",
                    Scale.number(atRight ? Math.min(bar.right(), scale.right()) - 4 : bar.left() + 4),
                    "y",
                    Scale.number(label),
                    "text-anchor",
                    atRight ? "end" : "start");
            label += LABELS;
        }
    }

    private void lane(Window window, int client, List<Hold> holds, Scale scale, double top, Markup to) {
        double middle = top + LANE / 2;
        to.element(
                "text",
                "client " + client,
                "class",
                "lane",
                "x",
                Scale.number(scale.left() - 8),
                "y",
                Scale.number(middle + 4),
                "text-anchor",
                "end");
        to.empty(
                "path",
                "class",
                "rail",
                "d",
                "M%s %sH%s".formatted(Scale.number(scale.left()), Scale.number(middle), Scale.number(scale.right())));
        bars(holds, scale, middle, "bar c" + client % Axis.COLORS, to);
        List<Hold> found = holds.stream()
                .filter(hold -> window.findings().stream().map(Finding::holds).anyMatch(each -> each.contains(hold)))
                .toList();
        bars(found, scale, middle, "found", to);
        marks(losses(client, window), scale, middle, Sign.LOSS, to);
        marks(troubles(client, window), scale, middle, Sign.TROUBLE, to);
        marks(deaths(client, window), scale, middle, Sign.DEATH, to);
    }

    private static void bars(List<Hold> holds, Scale scale, double middle, String kind, Markup to) {
        List<Span> spans = holds.stream()
                .map(hold -> new Span(hold.firstNanos(), believedUntil(hold)))
                .toList();
        if (!spans.isEmpty()) {
            to.empty("path", "class", kind, "d", Scale.path(scale.bars(spans), middle - BAR / 2, BAR));
        }
    }

    private List<Mark> losses(int client, Window window) {
        List<Mark> marks = new ArrayList<>();
        for (Loss each : evidence.history().losses()) {
            Hold hold = holdOfLoss.get(key(client, each.hold()));
            if (each.client() == client && window.overlaps(each.atNanos(), each.atNanos())) {
                String name = hold == null ? "" : hold.name() + ", ";
                marks.add(new Mark(each.atNanos(), "lost: " + name + "hold " + each.hold() + ", " + each.cause()));
            }
        }
        return marks;
    }

    private List<Mark> troubles(int client, Window window) {
        return evidence.history().troubles().stream()
                .filter(each -> each.client() == client && window.overlaps(each.atNanos(), each.atNanos()))
                .map(each -> new Mark(each.atNanos(), each.name() + ": " + each.type() + ": " + each.message()))
                .toList();
    }

    private List<Mark> deaths(int client, Window window) {
        Long gone = evidence.deaths().get(client);
        return gone == null || !window.overlaps(gone, gone)
                ? List.of()
                : List.of(new Mark(gone, "client " + client + " has been killed, and another is started"));
    }

    /** Marks that would lie on one another become one, which tells all their words. */
    private void marks(List<Mark> marks, Scale scale, double middle, Sign sign, Markup to) {
        Map<Long, List<Mark>> byPlace = marks.stream()
                .collect(Collectors.groupingBy(
                        mark -> Math.round(scale.place(mark.nanos()) / MARK), TreeMap::new, Collectors.toList()));
        for (List<Mark> each : byPlace.values()) {
            double place = scale.place(each.get(0).nanos());
            to.open("path", "class", sign.kind(), "d", sign.path(place, middle));
            SortedSet<String> words = new TreeSet<>();
            each.forEach(mark -> words.add(mark.words()));
            String first = Objects.requireNonNull(words.first());
            to.element(
                            "title",
                            Times.at(each.get(0).nanos(), beganNanos) + ": " + first
                                    + (each.size() > 1 ? " (and " + (each.size() - 1) + " more)" : ""))
                    .close();
        }
    }
}
