package dev.baton.bench;

import java.util.Locale;

/** Formats numbers for readers. */
final class Figures {
    private static final double THOUSAND = 1e3;
    private static final double TEN_THOUSAND = 1e4;
    private static final double MILLION = 1e6;

    private Figures() {}

    /** Prints about three digits, with a unit prefix for large numbers; a dash for NaN. */
    static String shortly(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (value >= MILLION) {
            return format("%.1f" + Lines.GLUE + "M", value / MILLION);
        }
        if (value >= TEN_THOUSAND) {
            return format("%.1f" + Lines.GLUE + "k", value / THOUSAND);
        }
        return format("%." + decimals(value) + "f", value);
    }

    private static int decimals(double value) {
        if (value == 0) {
            return 0;
        }
        int digits = (int) Math.floor(Math.log10(Math.abs(value)));
        return Math.max(0, Math.min(4, 2 - digits));
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
