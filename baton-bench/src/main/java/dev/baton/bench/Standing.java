package dev.baton.bench;

/** The result of a comparison with a peer, as the interval of their ratio shows it. */
enum Standing {
    /** The whole interval is on the better side of 1. */
    AHEAD("Baton is ahead"),
    /** The interval includes 1. */
    LEVEL("no clear difference"),
    /** The whole interval is on the worse side of 1. */
    BEHIND("Baton is behind"),
    /** There is no ratio, or only one round and so no interval. */
    UNKNOWN("one round cannot tell");

    private final String words;

    Standing(String words) {
        this.words = words;
    }

    static Standing of(Metric metric, Estimate ratio) {
        if (Double.isNaN(ratio.low()) || Double.isNaN(ratio.high())) {
            return UNKNOWN;
        }
        if (ratio.low() <= 1 && ratio.high() >= 1) {
            return LEVEL;
        }
        return ratio.low() > 1 == metric.moreIsBetter() ? AHEAD : BEHIND;
    }

    String words() {
        return words;
    }
}
