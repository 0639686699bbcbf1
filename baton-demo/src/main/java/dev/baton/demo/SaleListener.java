package dev.baton.demo;

/** Hears how the sale goes on. Called by one thread at a time. */
public interface SaleListener {
    /**
     * A round begins.
     *
     * @param round the round
     */
    void started(Round round);

    /**
     * The round goes on; called about a hundred times a second.
     *
     * @param round the round
     * @param sold units sold so far
     * @param note what a holder is going through at the moment; empty if nothing
     */
    void show(Round round, int sold, String note);

    /**
     * A round is over.
     *
     * @param result its result
     */
    void ended(Result result);
}
