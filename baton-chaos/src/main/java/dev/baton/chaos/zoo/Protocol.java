package dev.baton.chaos.zoo;

/** The steps of a lock on Redis. A broken lock differs from its repaired twin in one of them. Immutable. */
record Protocol(
        Acquire acquire,
        Owner owner,
        Tokens tokens,
        Belief belief,
        Renewal renewal,
        Notice notice,
        Release release,
        Errors errors,
        Waiters waiters,
        Handover handover)
        implements Design {
    /** A lock without defects, and without tokens. */
    static final Protocol SOUND = new Protocol(
            Acquire.ONE_STEP,
            Owner.ATTEMPT,
            Tokens.NONE,
            Belief.FROM_REQUEST,
            Renewal.COMPARED,
            Notice.REFUSED_WHILE_HELD,
            Release.COMPARED,
            Errors.DOCUMENTED,
            Waiters.UNSEEN,
            Handover.POLLED);

    /** A lock that keeps its waiters in a queue, and hands over to the first of them. */
    static final Protocol QUEUED = SOUND.with(Acquire.QUEUED)
            .with(Release.SHIFTED)
            .with(Waiters.QUEUED)
            .with(Handover.PUSHED);

    Protocol with(Acquire other) {
        return new Protocol(other, owner, tokens, belief, renewal, notice, release, errors, waiters, handover);
    }

    Protocol with(Owner other) {
        return new Protocol(acquire, other, tokens, belief, renewal, notice, release, errors, waiters, handover);
    }

    Protocol with(Tokens other) {
        return new Protocol(acquire, owner, other, belief, renewal, notice, release, errors, waiters, handover);
    }

    Protocol with(Belief other) {
        return new Protocol(acquire, owner, tokens, other, renewal, notice, release, errors, waiters, handover);
    }

    Protocol with(Renewal other) {
        return new Protocol(acquire, owner, tokens, belief, other, notice, release, errors, waiters, handover);
    }

    Protocol with(Notice other) {
        return new Protocol(acquire, owner, tokens, belief, renewal, other, release, errors, waiters, handover);
    }

    Protocol with(Release other) {
        return new Protocol(acquire, owner, tokens, belief, renewal, notice, other, errors, waiters, handover);
    }

    Protocol with(Errors other) {
        return new Protocol(acquire, owner, tokens, belief, renewal, notice, release, other, waiters, handover);
    }

    Protocol with(Waiters other) {
        return new Protocol(acquire, owner, tokens, belief, renewal, notice, release, errors, other, handover);
    }

    Protocol with(Handover other) {
        return new Protocol(acquire, owner, tokens, belief, renewal, notice, release, errors, waiters, other);
    }
}
