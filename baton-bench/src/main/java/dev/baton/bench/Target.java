package dev.baton.bench;

/**
 * What a figure should be.
 *
 * @param bound which side is the good one
 * @param value where it begins; not a number if no side is
 */
record Target(Bound bound, double value) {
    /** Which side is the good one. */
    enum Bound {
        /** The larger the better. */
        AT_LEAST(">=", "at least"),
        /** The smaller the better. */
        AT_MOST("<=", "at most"),
        /** Neither: the figure is there to be seen. */
        NONE("", "");

        private final String sign;
        private final String words;

        Bound(String sign, String words) {
            this.sign = sign;
            this.words = words;
        }

        String sign() {
            return sign;
        }

        String words() {
            return words;
        }
    }

    /** What can be said of a figure that is known within an interval. */
    enum Verdict {
        /** The whole interval is on the good side. */
        MET,
        /** The target is within the interval, or there was only one round. */
        UNCLEAR,
        /** There is no figure. */
        UNKNOWN,
        /** The whole interval is on the bad side. */
        MISSED,
        /** Nothing was hoped for. */
        NONE
    }

    static final Target NONE = new Target(Bound.NONE, Double.NaN);

    static Target atLeast(double value) {
        return new Target(Bound.AT_LEAST, value);
    }

    static Target atMost(double value) {
        return new Target(Bound.AT_MOST, value);
    }

    boolean isAny() {
        return bound != Bound.NONE;
    }

    /** The end of the interval that promises least: what may be said elsewhere. */
    double quoted(Estimate estimate) {
        return bound == Bound.AT_MOST ? estimate.high() : estimate.low();
    }

    Verdict judge(Estimate estimate) {
        if (Double.isNaN(estimate.value())) {
            return Verdict.UNKNOWN;
        }
        return switch (bound) {
            case AT_LEAST -> verdict(estimate.low() >= value, estimate.high() < value);
            case AT_MOST -> verdict(estimate.high() <= value, estimate.low() > value);
            case NONE -> Verdict.NONE;
        };
    }

    private static Verdict verdict(boolean met, boolean missed) {
        if (met) {
            return Verdict.MET;
        }
        return missed ? Verdict.MISSED : Verdict.UNCLEAR;
    }
}
