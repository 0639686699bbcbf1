package dev.baton.tck.sim;

import java.util.List;

/**
 * The resource that a lock protects: it refuses a token smaller than one it has seen. The checker knows the order in
 * which the leases were granted, and so whether an accepted write was stale.
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
     * Writes, or raises the token before the first read.
     *
     * @param token its fencing token
     * @param grantOrder the position of its grant in the true order of grants
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
