package dev.baton.bench;

/**
 * The load from other programs. A share is a part of all processors of the machine, or NaN if the system does not
 * report it.
 *
 * @param before the share before the first round
 * @param most the largest share in a turn
 * @param busyTurns the number of turns with a share that is large enough to change the figures
 * @param turns the number of turns
 */
record Load(double before, double most, int busyTurns, int turns) {
    /** Above this share, the figures of two runs differ because of the load. */
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
