package dev.baton.chaos.report;

import dev.baton.chaos.check.Finding;
import dev.baton.chaos.fault.Fault.Scope;
import dev.baton.chaos.history.Hold;
import dev.baton.chaos.report.Scale.Span;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Draws a whole run: grants per second, and when there were faults and findings. */
final class Overview {
    private static final double TOP = 14;
    private static final double GRAPH = 130;
    private static final double STRIP = 16;
    private static final double STRIP_BAR = 10;
    private static final double AXIS = 26;
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_BINS = 240;
    private static final int LEAST_BINS = 60;

    private final Report report;
    private final Scale scale;

    Overview(Report report) {
        this.report = report;
        this.scale = Axis.scale(
                report.beganNanos(), report.beganNanos() + report.length().toNanos());
    }

    void write(Markup to) {
        double graphEnd = TOP + GRAPH;
        double strips = graphEnd + 6;
        double bottom = strips + STRIP * (Scope.values().length + 1);
        Axis.open(to, bottom + AXIS, "Grants per second over the run, with faults and findings");
        Axis.write(to, scale, report.beganNanos(), TOP, bottom);
        graph(graphEnd, to);
        for (Scope scope : Scope.values()) {
            strip(scope == Scope.CLIENT ? "clients" : name(scope), strips, to);
            faults(scope, strips, to);
            strips += STRIP;
        }
        strip("broken", strips, to);
        findings(strips, to);
        to.close();
    }

    private static String name(Scope scope) {
        return scope.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the length of a step of the graph: a second, or less in a short run and more in a long one. */
    static long binNanos(long length) {
        long bin = SECOND;
        while (length / bin < LEAST_BINS && bin > SECOND / 10) {
            bin /= 2;
        }
        while (length / bin > MOST_BINS) {
            bin *= 2;
        }
        return bin;
    }

    /** Returns how many holds began in each step. */
    static long[] counted(List<Hold> holds, long fromNanos, long length, long bin) {
        long[] counts = new long[(int) (length / bin) + 1];
        for (Hold hold : holds) {
            long at = (hold.firstNanos() - fromNanos) / bin;
            if (hold.firstNanos() >= fromNanos && at < counts.length) {
                counts[(int) at]++;
            }
        }
        return counts;
    }

    private void graph(double bottom, Markup to) {
        long length = report.length().toNanos();
        long bin = binNanos(length);
        long[] counts = counted(report.evidence().history().holds(), report.beganNanos(), length, bin);
        long most = Math.max(1, Arrays.stream(counts).max().orElse(1));
        StringBuilder path = new StringBuilder("M" + Scale.number(scale.left()) + " " + Scale.number(bottom));
        for (int i = 0; i < counts.length; i++) {
            double up = bottom - GRAPH * counts[i] / most;
            path.append("V").append(Scale.number(up));
            path.append("H").append(Scale.number(scale.place(report.beganNanos() + (i + 1) * bin)));
        }
        to.empty("path", "class", "rate", "d", path.append("V").append(Scale.number(bottom)) + "z");
        label(Times.count(Math.round((double) most * SECOND / bin)), TOP + 6, "lane", to);
        label("grants/s", TOP + 22, "tick", to);
        label("0", bottom, "lane", to);
    }

    private void label(String words, double y, String kind, Markup to) {
        to.element(
                "text",
                words,
                "class",
                kind,
                "x",
                Scale.number(scale.left() - 8),
                "y",
                Scale.number(y),
                "text-anchor",
                "end");
    }

    private void strip(String words, double top, Markup to) {
        label(words, top + STRIP_BAR, "tick", to);
    }

    private void faults(Scope scope, double top, Markup to) {
        List<Span> spans = report.evidence().faults().stream()
                .filter(each -> each.fault().scope() == scope)
                .map(each -> new Span(each.beganNanos(), each.endedNanos()))
                .toList();
        to.empty("path", "class", "span " + name(scope), "d", Scale.path(scale.bars(spans), top, STRIP_BAR));
    }

    private void findings(double top, Markup to) {
        List<Finding> placed =
                report.findings().stream().filter(Windows::isPlaced).toList();
        for (boolean excused : new boolean[] {true, false}) {
            List<Span> spans = placed.stream()
                    .filter(each -> each.excused() == excused)
                    .map(each -> new Span(each.toNanos(), each.toNanos()))
                    .toList();
            String kind = excused ? "excused" : "broken";
            to.empty("path", "class", kind, "d", Scale.path(scale.bars(spans), top, STRIP_BAR));
        }
    }
}
