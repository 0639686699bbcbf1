package dev.baton.examples.shop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A flash sale on a bad day: customers come at a steady rate while instances are killed, Redis restarts, and a new version of the
 * shop is rolled out. At the end it compares what customers were told with what the database knows.
 *
 * @param eachSecond how many customers come each second
 * @param kills how many instances are killed, one after the other
 * @param logs for the output of the instances
 * @param say for what happens
 */
record BadDay(int eachSecond, int kills, Path logs, Consumer<String> say) {
    private static final int SKUS = 8;

    /** What was found at the end; the list is empty if everything is right. */
    record Result(String summary, List<String> wrong) {}

    /** A day for people to watch: {@code run [CUSTOMERS_EACH_SECOND]}. */
    public static void main(String[] arguments) throws Exception {
        int eachSecond = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 110;
        Path logs = Files.createTempDirectory("spring-shop-");
        Result result = new BadDay(eachSecond, 3, logs, System.out::println).run();
        System.out.println(result.summary());
        result.wrong().forEach(each -> System.out.println("WRONG: " + each));
        System.exit(result.wrong().isEmpty() ? 0 : 1);
    }

    Result run() throws Exception {
        say.accept("starting PostgreSQL, Redis and three shops; their output goes to " + logs);
        // Enough for as long as the faults last; only the first article is sold out soon.
        int units = eachSecond * 60 * (kills + 2) / SKUS;
        try (ShopCluster shop = new ShopCluster(logs);
                Customers customers = new Customers(shop.http(), shop.instances(), SKUS)) {
            shop.stockUp(SKUS, units, few());
            say.accept(units + " units of each of " + SKUS + " articles, but only " + few() + " of the first; "
                    + eachSecond + " customers come each second");
            customers.come(eachSecond);
            trouble(shop, customers);
            customers.end();
            awaitBooks(shop);
            return judge(shop, customers, units);
        }
    }

    private int few() {
        return 2 * eachSecond;
    }

    private void trouble(ShopCluster shop, Customers customers) throws Exception {
        for (int i = 0; i < kills; i++) {
            TimeUnit.SECONDS.sleep(2);
            say.accept(customers.soFar() + "kill -9 of a shop, which is started again");
            Instance victim = shop.instances().get(i);
            victim.kill();
            victim.restart();
            shop.open(victim);
        }
        TimeUnit.SECONDS.sleep(2);
        say.accept(customers.soFar() + "Redis restarts");
        shop.restartRedis();
        TimeUnit.SECONDS.sleep(5);
        for (Instance each : shop.instances()) {
            say.accept(customers.soFar() + "a shop is ended and started again, as for a new version");
            each.stop();
            each.restart();
            shop.open(each);
        }
        TimeUnit.SECONDS.sleep(2);
        say.accept(customers.soFar() + "no more customers");
    }

    /** The last night has to be over. */
    private static void awaitBooks(ShopCluster shop) throws Exception {
        int seen = shop.nights().size();
        for (int i = 0; i < 200 && shop.nights().size() == seen; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    private Result judge(ShopCluster shop, Customers customers, int units) throws Exception {
        List<String> wrong = new ArrayList<>(customers.failures());
        Set<String> sold = shop.soldOrders();
        for (String order : customers.answered(200)) {
            require(wrong, sold.contains(order), order + " was told \"sold\", and is not in the database");
        }
        for (String order : customers.answered(409)) {
            require(wrong, !sold.contains(order), order + " was told \"sold out\", and is in the database");
        }
        Set<String> unanswered = new HashSet<>(customers.inFlightOnAKilledOne());
        for (String order : sold) {
            boolean known = unanswered.contains(order) || customers.wasAnswered(order);
            require(wrong, known, order + " is in the database, and nobody asked for it");
        }
        for (ShopCluster.Article each : shop.articles()) {
            int were = each.sku().equals("sku-0") ? few() : units;
            require(wrong, each.left() + each.sold() == were, each + ": there were " + were);
        }
        List<OffsetDateTime> nights = shop.nights();
        require(wrong, nights.size() > 5, "only " + nights.size() + " books were closed");
        for (int i = 1; i < nights.size(); i++) {
            Duration between = Duration.between(nights.get(i - 1), nights.get(i));
            require(
                    wrong,
                    between.equals(ShopCluster.DAY),
                    "between the books " + i + " and " + (i + 1) + " are " + between);
        }
        String summary =
                customers.came() + " customers: " + customers.answered(200).size() + " bought, "
                        + customers.answered(409).size() + " came too late, " + unanswered.size()
                        + " were in flight on a shop that was killed, "
                        + customers.failures().size() + " failed; "
                        + nights.size() + " books closed; " + customers.slowest();
        return new Result(summary, wrong);
    }

    private static void require(List<String> wrong, boolean right, String otherwise) {
        if (!right) {
            wrong.add(otherwise);
        }
    }
}
