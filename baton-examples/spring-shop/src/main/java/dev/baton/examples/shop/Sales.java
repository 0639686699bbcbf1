package dev.baton.examples.shop;

import dev.baton.spring.Locked;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells a limited stock. */
@Service
class Sales {
    private final JdbcClient database;

    Sales(JdbcClient database) {
        this.database = database;
    }

    // tag::sell[]
    /**
     * Sells one unit, if there is one. The lock keeps other instances away; the fence makes the database refuse an instance that
     * stood still, lost its lock, and goes on. An order that is sold already is not sold again.
     */
    @Locked(value = "stock:#{#sku}", fence = true)
    @Transactional
    public boolean sell(String sku, String order) {
        if (isSold(order)) {
            return true;
        }
        int units = units(sku);
        if (units == 0) {
            return false;
        }
        database.sql("update stock set units = ? where sku = ?")
                .params(units - 1, sku)
                .update();
        database.sql("insert into sale values (?, ?)").params(order, sku).update();
        return true;
    }
    // end::sell[]

    /** Whether the last unit is gone, and not to this order. It never comes back, so that this needs no lock. */
    public boolean isTooLate(String sku, String order) {
        return units(sku) == 0 && !isSold(order);
    }

    private int units(String sku) {
        return database.sql("select units from stock where sku = ?")
                .param(sku)
                .query(Integer.class)
                .single();
    }

    private boolean isSold(String order) {
        return database.sql("select 1 from sale where id = ?")
                .param(order)
                .query()
                .optionalValue()
                .isPresent();
    }
}
