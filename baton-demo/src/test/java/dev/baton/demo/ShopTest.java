package dev.baton.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void create() {
        file = directory.resolve("shop.db");
        Shop.create(file, 10);
    }

    @Test
    void oldNews_writtenBack_isOversold() {
        try (Shop shop = new Shop(file)) {
            Shop.Basket slow = shop.pick("slow", 0).orElseThrow();
            shop.buy(shop.pick("quick", 0).orElseThrow());
            assertThat(shop.buy(slow)).isTrue();
            assertThat(shop.books()).isEqualTo(new Shop.Books(2, 1, 0, true));
            assertThat(shop.books().oversold()).isOne();
        }
    }

    @Test
    void oldToken_isRefused_asSoonAsANewerHolderHasLooked() {
        try (Shop shop = new Shop(file)) {
            Shop.Basket slow = shop.pick("slow", 7).orElseThrow();
            Shop.Basket next = shop.pick("next", 8).orElseThrow();
            // The next buyer has not written anything yet.
            assertThat(shop.buy(slow)).isFalse();
            assertThat(shop.buy(next)).isTrue();
            assertThat(shop.pick("slow", 7)).isEmpty();
            assertThat(shop.books()).isEqualTo(new Shop.Books(1, 1, 2, true));
        }
    }

    @Test
    void soldOut_isEmpty() {
        try (Shop shop = new Shop(file)) {
            for (int i = 0; i < 10; i++) {
                shop.buy(shop.pick("buyer", 1).orElseThrow());
            }
            assertThat(shop.pick("buyer", 1)).isEmpty();
            assertThat(shop.orders()).isEqualTo(10);
        }
    }
}
