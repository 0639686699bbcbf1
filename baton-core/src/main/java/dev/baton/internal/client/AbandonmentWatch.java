package dev.baton.internal.client;

import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * Notices handles that nobody can reach any more. The reference object of a handle hangs on its grant, so watching
 * costs one small object and no registry; the watchdog empties the queue.
 */
final class AbandonmentWatch {
    private final ReferenceQueue<LeaseHandle> unreachable = new ReferenceQueue<>();

    private static final class Watch extends PhantomReference<LeaseHandle> {
        private final Grant grant;

        Watch(LeaseHandle handle, ReferenceQueue<LeaseHandle> queue) {
            super(handle, queue);
            this.grant = handle.grant();
        }
    }

    LeaseHandle watch(LeaseHandle handle) {
        handle.grant().watchedBy(new Watch(handle, unreachable));
        return handle;
    }

    /** Tells the engine of the handles that became unreachable without a release. */
    void report(Outbox out) {
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            Grant grant = ((Watch) gone).grant;
            if (!grant.isReleased() && grant.loss() == null) {
                grant.abandoned(out);
            }
        }
    }
}
