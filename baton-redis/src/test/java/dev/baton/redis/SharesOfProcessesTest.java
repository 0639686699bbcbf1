package dev.baton.redis;

/** By day: a few turns of each. */
class SharesOfProcessesTest extends SharesOfProcessesCases {
    @Override
    int turns() {
        return 50;
    }

    @Override
    int claimants() {
        return 7;
    }

    @Override
    int kills() {
        return 2;
    }

    /** Less if two permits did not come back. A machine that builds other modules besides lets processes wait. */
    @Override
    double leastUse() {
        return 0.7;
    }

    @Override
    int rounds() {
        return 100;
    }
}
