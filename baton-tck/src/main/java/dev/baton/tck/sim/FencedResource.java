package dev.baton.tck.sim;

import java.util.List;

/**
 * What a lock protects: it refuses a token smaller than one it has seen. The checker beside it knows in which order
 * the leases were granted, and so whether an accepted write was stale.
 */
final class FencedResource {
    private final List<String> findings;
    private long highWater;
    private long newestGrant;
    private int refused;

    FencedResource(List<String> findings) {
        this.findings = findings;
    }

    /**
     * A write, or a raise before the first read.
     *
     * @param token its fencing token
     * @param grantOrder which grant it comes from, in true order
     * @return whether it was accepted
     */
    boolean write(long token, long grantOrder) {
        if (token < highWater) {
            refused++;
            return false;
        }
        highWater = token;
        if (grantOrder < newestGrant) {
            findings.add("a stale write with token " + token + " was accepted");
        }
        newestGrant = Math.max(newestGrant, grantOrder);
        return true;
    }

    int refused() {
        return refused;
    }
}
