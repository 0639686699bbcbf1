package dev.baton.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * The policy for a hold that comes free: to the next caller here, or back to the store.
 *
 * <p>After a voluntary release a hold passes to the next local caller whom its terms suit. Bounds on count and time keep
 * other clients from starving; while the store says that no other client waits, they do not apply. A hold with too little
 * of its lease left is renewed first, and one whose clocks disagree is confirmed first.
 */
final class PassingOn {
    enum Decision {
        /** Give it to the next caller. */
        GIVE,
        /** Ask the store to renew it, then decide again. A hand-off that the store may still forget is so confirmed. */
        RENEW_FIRST,
        /** Ask the store whether it still exists: the machine slept, or its clock was set. */
        CONFIRM_FIRST,
        /** Ask the store whether other clients wait, then decide again. */
        ASK_WHO_WAITS,
        /** Release it at the store. */
        END
    }

    private final Surroundings around;

    PassingOn(Surroundings around) {
        this.around = around;
    }

    /** Decides on a hold that no caller has now. */
    Decision decide(Hold hold, @Nullable Waiter next, long now) {
        if (next == null || hold.belief.isOver(now) || hold.keepNanos(now) > 0 || !hold.canStayFor(next.request)) {
            return Decision.END;
        }
        if (hold.isUnconfirmed()) {
            return Decision.RENEW_FIRST;
        }
        if (!hold.isFresh() && !hold.isTurn(now) && !hold.isAlone(now, EngineSettings.SLICE_NANOS)) {
            return hold.isContended() ? Decision.END : Decision.ASK_WHO_WAITS;
        }
        if (!around.isBelieved(hold, now)) {
            return Decision.CONFIRM_FIRST;
        }
        return hold.isFresh() || hold.hasLifeFor(next.request, now) ? Decision.GIVE : Decision.RENEW_FIRST;
    }

    /**
     * Whether another caller may have a shared hold together with those that have it. The bounds of a turn apply here,
     * too: otherwise callers that come one after another would keep a writer of another client out for ever. A thread
     * that has the hold is outside these bounds, because the writer waits for it anyway.
     *
     * @param nested whether the caller's thread has the hold already
     */
    boolean mayJoin(Hold hold, Waiter next, boolean nested, long now) {
        return hold.request.shared()
                && hold.canStayFor(next.request)
                && (nested || hold.isTurn(now) || hold.isAlone(now, EngineSettings.SLICE_NANOS))
                && around.isBelieved(hold, now)
                && (nested || hold.hasLifeFor(next.request, now));
    }

    /** Decides once the store has answered. It never asks a second time: that could repeat for ever. */
    Decision decideFinally(Hold hold, @Nullable Waiter next, long now) {
        boolean suits = next != null
                && hold.keepNanos(now) == 0
                && hold.canStayFor(next.request)
                && (hold.isFresh() || hold.isTurn(now) || !hold.isContended())
                && around.isBelieved(hold, now)
                && hold.hasLifeFor(next.request, now);
        return suits ? Decision.GIVE : Decision.END;
    }
}
