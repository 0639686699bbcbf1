package dev.baton.internal.client;

import dev.baton.spi.Resource;

/**
 * What part of a resource a lock takes.
 *
 * @param resource the resource
 * @param weight how much of its capacity
 * @param together whether callers of this client may have one hold together
 */
record Share(Resource resource, int weight, boolean together) {
    static Share lock(String name) {
        return new Share(Resource.lock(name), 1, false);
    }

    static Share permits(Resource semaphore, int number) {
        return new Share(semaphore, number, false);
    }

    static Share reader(Resource lock) {
        return new Share(lock, 1, true);
    }

    static Share writer(Resource lock) {
        return new Share(lock, lock.capacity(), false);
    }
}
