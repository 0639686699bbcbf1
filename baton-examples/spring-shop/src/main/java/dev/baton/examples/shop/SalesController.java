package dev.baton.examples.shop;

import dev.baton.LeaseLostException;
import dev.baton.StaleTokenException;
import dev.baton.spring.LockNotAvailableException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** What customers call. */
@RestController
class SalesController {
    private final Sales sales;

    SalesController(Sales sales) {
        this.sales = sales;
    }

    /** Buys one unit. The customer's number of the order makes it safe to ask again. */
    @PutMapping("/stock/{sku}/orders/{order}")
    ResponseEntity<String> buy(@PathVariable String sku, @PathVariable String order) {
        return !sales.isTooLate(sku, order) && sell(sku, order)
                ? ResponseEntity.ok("sold")
                : ResponseEntity.status(HttpStatus.CONFLICT).body("sold out");
    }

    /** If the lock was lost on the way, nothing tells whether the sale was made; the second try asks the database. */
    private boolean sell(String sku, String order) {
        try {
            return sales.sell(sku, order);
        } catch (LeaseLostException | StaleTokenException lost) {
            return sales.sell(sku, order);
        }
    }

    @ExceptionHandler(LockNotAvailableException.class)
    ResponseEntity<String> tooMany(LockNotAvailableException full) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .body("too many customers want this: " + full.getMessage());
    }
}
