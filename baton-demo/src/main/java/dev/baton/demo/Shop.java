package dev.baton.demo;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One buyer's view of the stock and the order book. A sale shows why locks are needed: it reads a number, takes some
 * time, and writes it back reduced by one. Two buyers that read the same number sell the same unit. Not thread-safe:
 * each buyer has its own.
 *
 * <p>The stock row remembers the greatest fencing token that it has seen and refuses smaller ones. Broken locks have no
 * tokens (0), so for them every check passes.
 */
public final class Shop implements AutoCloseable {
    private final Database database;

    Shop(Path file) {
        this.database = new Database(file);
    }

    static void create(Path file, int stock) {
        try (Database database = new Database(file)) {
            database.script(
                    "CREATE TABLE stock (units INTEGER NOT NULL, fence INTEGER NOT NULL)",
                    "CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, unit INTEGER NOT NULL,"
                            + " buyer TEXT NOT NULL, token INTEGER NOT NULL)",
                    "CREATE TABLE refused (buyer TEXT NOT NULL, token INTEGER NOT NULL)");
            database.update("INSERT INTO stock VALUES (?, 0)", stock);
        }
    }

    /**
     * Opens a sale: writes the token to the stock row, then reads. The order matters: a delayed write of an older
     * holder must meet the new token before the new holder relies on its read.
     *
     * @return empty if nothing is left, or the token is too old
     */
    Optional<Basket> pick(String buyer, long token) {
        if (token > 0 && database.update("UPDATE stock SET fence = ? WHERE fence <= ?", token, token) == 0) {
            refuse(buyer, token);
            return Optional.empty();
        }
        int units = (int) database.number("SELECT units FROM stock");
        return units > 0 ? Optional.of(new Basket(units, buyer, token)) : Optional.empty();
    }

    /**
     * Closes a sale: writes the stock and the order.
     *
     * @return false if the stock row refused the token
     */
    boolean buy(Basket basket) {
        boolean bought = database.transaction(() -> {
            int changed =
                    database.update("UPDATE stock SET units = ? WHERE fence <= ?", basket.unit() - 1, basket.token());
            if (changed > 0) {
                database.update(
                        "INSERT INTO orders (unit, buyer, token) VALUES (?, ?, ?)",
                        basket.unit(),
                        basket.buyer(),
                        basket.token());
            }
            return changed > 0;
        });
        if (!bought) {
            refuse(basket.buyer(), basket.token());
        }
        return bought;
    }

    int orders() {
        return (int) database.number("SELECT count(*) FROM orders");
    }

    /** Returns the state of the books at the end. */
    Books books() {
        return database.query(
                rows -> new Books(rows.getInt(1), rows.getInt(2), rows.getInt(3), rows.getBoolean(4)),
                "SELECT count(*), count(DISTINCT unit), (SELECT count(*) FROM refused),"
                        + " NOT EXISTS (SELECT 1 FROM (SELECT token, lag(token) OVER (ORDER BY id) AS before FROM orders)"
                        + " WHERE before > token) FROM orders");
    }

    @Override
    public void close() {
        database.close();
    }

    private void refuse(String buyer, long token) {
        database.update("INSERT INTO refused VALUES (?, ?)", buyer, token);
    }

    /**
     * A unit that a buyer is about to buy.
     *
     * @param unit the number read from the stock
     * @param buyer the buyer's name
     * @param token the fencing token of the lock
     */
    record Basket(int unit, String buyer, long token) {}

    /**
     * The state of the books.
     *
     * @param orders how many orders there are
     * @param units how many different units they are for
     * @param refused how many writes the stock row refused
     * @param tokensInOrder whether no order has a smaller token than the one before it
     */
    public record Books(int orders, int units, int refused, boolean tokensInOrder) {
        public int oversold() {
            return orders - units;
        }
    }
}
