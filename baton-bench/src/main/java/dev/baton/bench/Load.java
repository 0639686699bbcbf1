package dev.baton.bench;

/**
 * How much of the processors other programs took. Shares are parts of all processors of the machine; NaN if the system
 * does not tell.
 *
 * @param before the share before the first round
 * @param most the largest share in a turn
 * @param busyTurns in how many turns the share was so large that it says something about the figures
 * @param turns how many turns there were
 */
record Load(double before, double most, int busyTurns, int turns) {
    /** From this share on, figures of two runs differ because of it. */
    static final double BUSY = 0.1;

    private static final double PERCENT = 100;

    static boolean isBusy(double share) {
        return share > BUSY;
    }

    boolean isBusy() {
        return isBusy(before) || busyTurns > 0;
    }

    static String percent(double share) {
        return Math.round(share * PERCENT) + "" + Lines.GLUE + "%";
    }
}
