package dev.baton.examples.shop;

import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance of the shop. */
@SpringBootApplication
@EnableScheduling
class ShopApplication {
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Starts it; the arguments are properties of Spring. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
