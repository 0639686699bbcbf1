package dev.baton.internal.client;

import dev.baton.BatonOptions;
import dev.baton.LockOptions;
import dev.baton.internal.engine.Grant;
import dev.baton.internal.engine.HoldRequest;
import dev.baton.spi.Capabilities;
import java.util.function.Supplier;

/** What all locks of one client are made of. Thread-safe. */
final class LeaseLocks {
    private final Waits waits;
    private final AbandonmentWatch abandonment;
    private final StoreAdmin admin;
    private final BatonOptions options;
    private final Supplier<Capabilities> store;

    LeaseLocks(
            Waits waits,
            AbandonmentWatch abandonment,
            StoreAdmin admin,
            BatonOptions options,
            Supplier<Capabilities> store) {
        this.waits = waits;
        this.abandonment = abandonment;
        this.admin = admin;
        this.options = options;
        this.store = store;
    }

    Waits waits() {
        return waits;
    }

    StoreAdmin admin() {
        return admin;
    }

    /** Returns the terms of a hold; refuses options that do not fit the store. */
    HoldRequest request(Share share, LockOptions how) {
        return Checks.request(share, how, options.leaseTime(), store.get());
    }

    LeaseHandle handle(Grant grant) {
        return abandonment.watch(new LeaseHandle(grant, waits));
    }
}
