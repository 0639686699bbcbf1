package dev.baton.examples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** One instance of the shop. */
@SpringBootApplication
class ShopApplication {
    /** Starts it; the arguments are properties of Spring. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
