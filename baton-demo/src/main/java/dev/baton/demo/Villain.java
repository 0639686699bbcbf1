package dev.baton.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A holder with a fault at the worst moment. Its script fixes the order of steps, not their times, so the fault does
 * not depend on luck.
 */
final class Villain {
    private final Assignment assignment;
    private final Parent parent;

    Villain(Assignment assignment, Parent parent) {
        this.assignment = assignment;
        this.parent = parent;
    }

    void run() throws InterruptedException, ExecutionException {
        switch (assignment.fault().cast()) {
            case ALONE -> alone();
            case WITH_THE_NEXT -> withTheNext();
        }
    }

    /** Reads the stock under the lock, waits in its trouble, and writes. */
    private void alone() throws InterruptedException {
        try (ShopLock lock = assignment.openLock(assignment.place());
                Shop shop = openShop()) {
            parent.say(Word.UP);
            parent.await(Word.ENGAGE);
            ShopLock.Hold hold = lock.acquire();
            Shop.Basket basket = pick(shop, hold);
            hold.settle();
            beInTroubleThenBuy(shop, basket, hold);
        }
    }

    /**
     * The holder in trouble sends one call late. Before that call arrives, the next holder has acquired the lock
     * correctly and in time. The next holder's sale goes wrong.
     */
    private void withTheNext() throws InterruptedException, ExecutionException {
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch nextIsIn = new CountDownLatch(1);
        Round.Place slowNetwork = new Round.Place(
                assignment.directory(),
                assignment.store(),
                server -> new SlowKeyValue(server, () -> {
                    late.countDown();
                    awaitQuietly(nextIsIn);
                }));
        try (ShopLock lock = assignment.openLock(assignment.place());
                Shop shop = openShop()) {
            parent.say(Word.UP);
            parent.await(Word.ENGAGE);
            FutureTask<Boolean> slow = new FutureTask<>(() -> buyThrough(slowNetwork));
            new Thread(slow, "slow").start();
            late.await();
            ShopLock.Hold hold = lock.acquire();
            Shop.Basket basket = pick(shop, hold);
            nextIsIn.countDown();
            slow.get();
            beInTroubleThenBuy(shop, basket, hold);
        }
    }

    private boolean buyThrough(Round.Place place) throws InterruptedException {
        try (ShopLock lock = assignment.openLock(place);
                Shop shop = openShop()) {
            ShopLock.Hold hold = lock.acquire();
            boolean bought = shop.buy(pick(shop, hold));
            hold.release();
            return bought;
        }
    }

    private void beInTroubleThenBuy(Shop shop, Shop.Basket basket, ShopLock.Hold hold) throws InterruptedException {
        parent.say(Word.READY);
        parent.await(Word.FINISH);
        String believed = Boolean.toString(hold.believed());
        shop.buy(basket);
        hold.release();
        parent.say(Word.DONE, believed);
    }

    private Shop openShop() {
        return new Shop(assignment.place().shop());
    }

    private Shop.Basket pick(Shop shop, ShopLock.Hold hold) {
        return shop.pick(assignment.name(), hold.token())
                .orElseThrow(() -> new IllegalStateException("nothing was left to sell for " + assignment.name()));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
