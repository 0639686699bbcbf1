package dev.baton.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/** A shop with several concurrent buyers, all of which use the lock. */
final class Seller {
    private static final long THINKING_MILLIS = 1;

    private final Assignment assignment;
    private final Parent parent;
    private final List<Long> waitsMicros = new ArrayList<>();

    Seller(Assignment assignment, Parent parent) {
        this.assignment = assignment;
        this.parent = parent;
    }

    void run() throws InterruptedException, ExecutionException {
        ExecutorService buyers = Executors.newFixedThreadPool(assignment.threads());
        parent.onStop(buyers::shutdownNow);
        try (ShopLock lock = assignment.openLock(assignment.place())) {
            parent.say(Word.UP);
            for (int wave = 1; wave <= assignment.waves() && !buyers.isShutdown(); wave++) {
                parent.await(Word.OPEN);
                serve(buyers, lock, wave == assignment.waves() ? Integer.MAX_VALUE : assignment.quota());
                parent.say(Word.IDLE);
            }
            parent.await(Word.STOP);
        }
        parent.say(Word.WAITED, waitsMicros.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private void serve(ExecutorService buyers, ShopLock lock, int quota)
            throws InterruptedException, ExecutionException {
        List<Callable<List<Long>>> wave = new ArrayList<>();
        for (int i = 1; i <= assignment.threads(); i++) {
            String buyer = assignment.name() + "." + i;
            wave.add(() -> buyUpTo(quota, buyer, lock));
        }
        try {
            for (Future<List<Long>> waits : buyers.invokeAll(wave)) {
                waitsMicros.addAll(waits.get());
            }
        } catch (RejectedExecutionException e) {
            // The parent said stop before the wave began.
        }
    }

    private List<Long> buyUpTo(int quota, String buyer, ShopLock lock) {
        List<Long> waits = Collections.synchronizedList(new ArrayList<>());
        try (Shop shop = new Shop(assignment.place().shop())) {
            boolean left = true;
            while (left && waits.size() < quota) {
                left = buyOne(shop, buyer, lock, waits);
            }
        } catch (InterruptedException e) {
            // The parent said stop while this buyer waited for the lock.
        }
        return waits;
    }

    private static boolean buyOne(Shop shop, String buyer, ShopLock lock, List<Long> waits)
            throws InterruptedException {
        long start = System.nanoTime();
        ShopLock.Hold hold = lock.acquire();
        try {
            waits.add((System.nanoTime() - start) / 1_000);
            Shop.Basket basket = shop.pick(buyer, hold.token()).orElse(null);
            if (basket == null) {
                return false;
            }
            Pause.millis(THINKING_MILLIS);
            shop.buy(basket);
            return true;
        } finally {
            hold.release();
        }
    }
}
