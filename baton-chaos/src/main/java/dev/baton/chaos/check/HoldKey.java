package dev.baton.chaos.check;

import dev.baton.chaos.history.Hold;

/**
 * Names a hold among those of all clients.
 *
 * @param client the number of its JVM
 * @param number counts the holds of a JVM
 */
record HoldKey(int client, long number) {
    static HoldKey of(Hold hold) {
        return new HoldKey(hold.client(), hold.number());
    }
}
