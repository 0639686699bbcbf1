package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By night as {@code run} shows it; by day a smaller one, since other tests use the processors, too. */
class SpringShopTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    @DisplayName("On a bad day, each unit is sold once, no customer is refused, and each night has its book")
    void badDay(@TempDir Path logs) throws Exception {
        BadDay.Result result = new BadDay(NIGHTLY ? 110 : 25, NIGHTLY ? 3 : 1, logs, System.out::println).run();
        System.out.println(result.summary());
        assertThat(result.wrong()).as(result.summary()).isEmpty();
    }
}
