package dev.baton.tck;

import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Release;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;

/** Answers without what two servers cannot have in common: their identity. */
final class DifferentialAnswers {
    private DifferentialAnswers() {}

    static Object normal(Stamp stamp) {
        return anonymous(stamp);
    }

    static Object normal(Acquire.Reply reply) {
        Stamp stamp = anonymous(reply.stamp());
        if (reply instanceof Acquire.Granted granted) {
            return new Acquire.Granted(stamp, granted.token(), granted.deadlineMicros());
        } else if (reply instanceof Acquire.Queued queued) {
            return new Acquire.Queued(stamp, queued.position(), queued.remainingMicros());
        } else if (reply instanceof Acquire.Held held) {
            return new Acquire.Held(stamp, held.holders(), held.remainingMicros(), held.queued());
        } else if (reply instanceof Acquire.Stale) {
            return new Acquire.Stale(stamp);
        } else if (reply instanceof Acquire.Mismatch mismatch) {
            return new Acquire.Mismatch(stamp, mismatch.kind(), mismatch.capacity());
        }
        return new Acquire.Recovering(stamp);
    }

    static Object normal(Heartbeat.Reply reply) {
        return new Heartbeat.Reply(anonymous(reply.stamp()), reply.holds(), reply.tickets());
    }

    static Object normal(Release.Reply reply) {
        return new Release.Reply(anonymous(reply.stamp()), reply.released());
    }

    static Object normal(ResourceView view) {
        return new ResourceView(view.resource(), anonymous(view.stamp()), view.holds(), view.tickets());
    }

    private static Stamp anonymous(Stamp stamp) {
        return new Stamp("", stamp.nowMicros(), stamp.graceMicros());
    }
}
