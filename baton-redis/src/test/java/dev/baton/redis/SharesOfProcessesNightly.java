package dev.baton.redis;

/** At full size: about half an hour. */
class SharesOfProcessesNightly extends SharesOfProcessesCases {
    @Override
    int turns() {
        return 1_000;
    }

    @Override
    int claimants() {
        return 20;
    }

    @Override
    int kills() {
        return Integer.getInteger("baton.kills", 1_000);
    }

    @Override
    double leastUse() {
        return 0.9;
    }

    @Override
    int rounds() {
        return 10_000;
    }
}
