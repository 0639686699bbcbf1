package dev.baton.spring;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.Lease;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/**
 * An application that is processed ahead of time. Started with an address, it calls its locked methods, asks another
 * client meanwhile, and prints one line for each thing that works.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class AotApplication {
    private static final String NAME = "stock:7";

    /**
     * Starts it.
     *
     * @param args properties, as {@code --name=value}
     */
    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(AotApplication.class, args)) {
            String uri = Objects.requireNonNull(context.getEnvironment().getProperty("baton.uri"));
            Stock stock = context.getBean(Stock.class);
            try (Other other = new Other(uri)) {
                stock.sell(new Item(7), null, () -> other.expectRefused(NAME));
                other.expectGranted(NAME);
                System.out.println("LOCKED");
                stock.sellLater(new Item(7), () -> other.expectRefused(NAME)).block();
                other.expectGranted(NAME);
                System.out.println("LOCKED UNTIL TERMINATION");
                stock.sellAll(() -> other.expectRefused("stock"));
                other.expectGranted("stock");
                System.out.println("LOCKED AROUND A TRANSACTION");
            }
            if (stock.counted().await(20, TimeUnit.SECONDS)) {
                System.out.println("RAN A JOB");
            }
            System.out.println("HELD " + context.getBean(Baton.class).lock("by hand").tryAcquire().isPresent());
            System.out.println("HEALTH " + context.containsBean("batonHealthIndicator"));
            System.out.println("PROXY " + stock.getClass().getName() + " FROM "
                    + stock.getClass().getProtectionDomain().getCodeSource().getLocation().getPath());
        }
    }

    @Bean
    Stock stock() {
        return new Stock();
    }

    record Item(int id) {}

    static class Stock {
        final CountDownLatch counted = new CountDownLatch(1);

        @Locked("stock:#{#item.id}")
        public void sell(Item item, Lease lease, Runnable inside) {
            if (!lease.isHeld()) {
                throw new IllegalStateException("the lease of " + item + " is not held");
            }
            inside.run();
        }

        @Locked("stock:#{#item.id}")
        public Mono<Item> sellLater(Item item, Runnable inside) {
            return Mono.fromRunnable(inside).thenReturn(item);
        }

        @ClusterScheduled(name = "count", every = "1s")
        @Locked("count")
        public void count(Job.Run run) {
            counted().countDown();
        }

        CountDownLatch counted() {
            return counted;
        }

        @Locked("stock")
        @Transactional
        public void sellAll(Runnable inside) {
            inside.run();
        }
    }
}
