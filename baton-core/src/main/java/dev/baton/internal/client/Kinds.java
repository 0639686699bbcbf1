package dev.baton.internal.client;

import dev.baton.LockInfo;
import dev.baton.spi.Kind;

/** Tells users the kinds of the stores. */
final class Kinds {
    private Kinds() {}

    static LockInfo.Kind of(Kind kind) {
        return switch (kind) {
            case LOCK -> LockInfo.Kind.LOCK;
            case READ_WRITE -> LockInfo.Kind.READ_WRITE_LOCK;
            case SEMAPHORE -> LockInfo.Kind.SEMAPHORE;
        };
    }
}
