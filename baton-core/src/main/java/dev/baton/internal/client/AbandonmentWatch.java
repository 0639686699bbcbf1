package dev.baton.internal.client;

import dev.baton.internal.engine.Engine;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.Outbox;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * Notices handles that have become unreachable. The grant refers to its handle's reference object, so a watch costs one
 * small object and needs no registry. The watchdog empties the reference queue.
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

    /** Reports to the engine the handles that became unreachable without a release. */
    void report(Engine engine, Outbox out) {
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            Grant grant = ((Watch) gone).grant;
            if (!grant.isReleased() && grant.loss() == null) {
                engine.abandoned(grant, out);
            }
        }
    }
}
