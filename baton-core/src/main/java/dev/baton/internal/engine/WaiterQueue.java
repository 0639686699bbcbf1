package dev.baton.internal.engine;

import org.jspecify.annotations.Nullable;

/** A first-come-first-served queue, with removal from the middle in constant time. Guarded by its resource's lock. */
final class WaiterQueue {
    private @Nullable Waiter head;
    private @Nullable Waiter tail;
    private int size;
    private int trying;

    boolean isEmpty() {
        return head == null;
    }

    int size() {
        return size;
    }

    /** Whether any caller here is ready to queue at the store. */
    boolean hasPatient() {
        return size > trying;
    }

    boolean hasTrying() {
        return trying > 0;
    }

    @Nullable
    Waiter peek() {
        return head;
    }

    void add(Waiter waiter) {
        waiter.queued = true;
        waiter.previous = tail;
        if (tail == null) {
            head = waiter;
        } else {
            tail.next = waiter;
        }
        tail = waiter;
        size++;
        trying += waiter.tryOnly ? 1 : 0;
    }

    boolean remove(Waiter waiter) {
        if (!waiter.queued) {
            return false;
        }
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        waiter.queued = false;
        waiter.previous = null;
        waiter.next = null;
        size--;
        trying -= waiter.tryOnly ? 1 : 0;
        return true;
    }
}
