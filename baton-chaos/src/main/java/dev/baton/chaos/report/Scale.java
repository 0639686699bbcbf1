package dev.baton.chaos.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A time axis: maps times to places, to scale. Times outside come to lie at its ends.
 *
 * @param fromNanos the time at its left end
 * @param toNanos the time at its right end, later
 * @param left the place of its left end
 * @param right the place of its right end
 */
record Scale(long fromNanos, long toNanos, double left, double right) {
    private static final double LEAST_WIDTH = 1;
    private static final double LEAST_GAP = 0.5;
    private static final int MOST_TICKS = 10;

    /** From one time to another. */
    record Span(long fromNanos, long toNanos) {}

    /** A part of the axis. */
    record Bar(double left, double right) {
        double width() {
            return right - left;
        }
    }

    double place(long nanos) {
        long inside = Math.max(fromNanos, Math.min(toNanos, nanos));
        return left + (right - left) * ((double) (inside - fromNanos) / (toNanos - fromNanos));
    }

    /** Returns a part that is wide enough to be seen. */
    Bar bar(Span span) {
        double from = place(span.fromNanos());
        return new Bar(from, Math.max(place(span.toNanos()), from + LEAST_WIDTH));
    }

    /** Returns the parts of several spans; those that would touch become one, and those outside are left out. */
    List<Bar> bars(List<Span> spans) {
        List<Bar> bars = new ArrayList<>();
        for (Span span : spans.stream()
                .filter(each -> each.toNanos() >= fromNanos && each.fromNanos() <= toNanos)
                .sorted(Comparator.comparingLong(Span::fromNanos))
                .toList()) {
            Bar bar = bar(span);
            Bar last = bars.isEmpty() ? null : bars.get(bars.size() - 1);
            if (last != null && bar.left() - last.right() < LEAST_GAP) {
                bars.set(bars.size() - 1, new Bar(last.left(), Math.max(last.right(), bar.right())));
            } else {
                bars.add(bar);
            }
        }
        return bars;
    }

    /** Returns the distance of ticks: 1, 2 or 5 times a power of ten, so that there are ten at most. */
    long step() {
        long length = toNanos - fromNanos;
        long power = 1;
        while (true) {
            for (long step : new long[] {power, 2 * power, 5 * power}) {
                if (length / step <= MOST_TICKS) {
                    return step;
                }
            }
            power *= 10;
        }
    }

    /** Returns the path of rectangles of one height, for the attribute of that name in SVG. */
    static String path(List<Bar> bars, double top, double height) {
        StringBuilder path = new StringBuilder();
        for (Bar bar : bars) {
            path.append("M%s %sh%sv%sh-%sz"
                    .formatted(
                            number(bar.left()), number(top), number(bar.width()), number(height), number(bar.width())));
        }
        return path.toString();
    }

    static String number(double value) {
        String number = String.format(Locale.ROOT, "%.1f", value);
        return number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
    }
}
