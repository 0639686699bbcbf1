package dev.baton.bench;

/**
 * The value that a figure should reach.
 *
 * @param bound the good side
 * @param value the limit of the good side; NaN if there is none
 */
record Target(Bound bound, double value) {
    /** The good side of a value. */
    enum Bound {
        /** Larger figures are better. */
        AT_LEAST(">=", "at least"),
        /** Smaller figures are better. */
        AT_MOST("<=", "at most"),
        /** There is no target; the figure is only shown. */
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

    /** The result of comparing an interval with a target. */
    enum Verdict {
        /** The whole interval is on the good side. */
        MET,
        /** The target is within the interval, or there was only one round. */
        UNCLEAR,
        /** There is no figure. */
        UNKNOWN,
        /** The whole interval is on the bad side. */
        MISSED,
        /** There is no target. */
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

    /** Returns the worse end of the interval, which other documents may quote. */
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
