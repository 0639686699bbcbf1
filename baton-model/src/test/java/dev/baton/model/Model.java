package dev.baton.model;

/** A TLA+ module and its next-state relation. */
enum Model {
    HAND_OFF("HandOff", "Next"),
    FAILOVER("Failover", "NextOrRenew");

    private final String module;
    private final String next;

    Model(String module, String next) {
        this.module = module;
        this.next = next;
    }

    String module() {
        return module;
    }

    String next() {
        return next;
    }

    String file() {
        return module + ".tla";
    }
}
