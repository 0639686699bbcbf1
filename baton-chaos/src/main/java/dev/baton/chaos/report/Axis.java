package dev.baton.chaos.report;

import java.util.Locale;

/** The parts that all pictures share: their frame and their time axis. */
final class Axis {
    /** The number of colours for clients, which the style sheet names c0, c1 and so on. */
    static final int COLORS = 6;

    static final double WIDTH = 960;
    private static final double LEFT = 76;
    private static final double RIGHT = WIDTH - 12;
    private static final double NANOS_PER_SECOND = 1e9;

    private Axis() {}

    static Scale scale(long fromNanos, long toNanos) {
        return new Scale(fromNanos, Math.max(toNanos, fromNanos + 1), LEFT, RIGHT);
    }

    /** Opens a picture. */
    static void open(Markup to, double height, String words) {
        to.open(
                "svg",
                "viewBox",
                "0 0 " + Scale.number(WIDTH) + " " + Scale.number(height),
                "role",
                "img",
                "aria-label",
                words);
    }

    /** Writes lines at round times since the beginning of the run, with their times below. */
    static void write(Markup to, Scale scale, long beganNanos, double top, double bottom) {
        long step = scale.step();
        long first = Math.floorDiv(scale.fromNanos() - beganNanos + step - 1, step);
        for (long tick = first; beganNanos + tick * step <= scale.toNanos(); tick++) {
            double place = scale.place(beganNanos + tick * step);
            to.empty(
                    "path",
                    "class",
                    "grid",
                    "d",
                    "M%s %sV%s".formatted(Scale.number(place), Scale.number(top), Scale.number(bottom + 4)));
            to.element(
                    "text",
                    label(tick * step, step),
                    "class",
                    "tick",
                    "x",
                    Scale.number(place),
                    "y",
                    Scale.number(bottom + 18),
                    "text-anchor",
                    place > RIGHT - 24 ? "end" : "middle");
        }
    }

    /** Returns as many digits as the distance of ticks has. */
    private static String label(long nanos, long step) {
        int digits = (int) Math.max(0, Math.ceil(9 - Math.log10((double) step)));
        return String.format(Locale.ROOT, "%." + digits + "f s", nanos / NANOS_PER_SECOND);
    }
}
