package dev.baton.examples;

import dev.baton.Baton;
import dev.baton.DistributedLock;
import dev.baton.Lease;

// tag::quickstart[]
/** The block in braces runs in one process at a time. */
public final class QuickStart {
    public static void main(String[] args) throws InterruptedException {
        try (Baton baton = Baton.connect("jdbc:sqlite:locks.db")) {
            DistributedLock lock = baton.lock("stock:sku-42");
            try (Lease lease = lock.acquire()) {
                System.out.println("mine, with fencing token " + lease.token());
            }
        }
    }
}
// end::quickstart[]
