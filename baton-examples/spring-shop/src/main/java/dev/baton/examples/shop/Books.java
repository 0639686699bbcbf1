package dev.baton.examples.shop;

import dev.baton.spring.Locked;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The job of the night: closes the book of each night, once, on one of the instances. */
@Component
class Books {
    private final JdbcClient database;
    private final CronExpression nights;
    private final String instance;
    private final Clock clock;

    Books(
            JdbcClient database,
            Clock clock,
            @Value("${shop.night}") String nights,
            @Value("${shop.instance:one}") String instance) {
        this.database = database;
        this.clock = clock;
        this.nights = CronExpression.parse(nights);
        this.instance = instance;
    }

    // tag::job[]
    /**
     * Every instance is called at the same time; one closes the book, and the others go away. Should that one die on the way,
     * the next call closes both books: what is done is in the database, and not in the lock.
     */
    @Scheduled(cron = "${shop.night}", zone = "UTC")
    @Locked(value = "books", waitFor = "0", otherwise = "leaveIt", fence = true)
    @Transactional
    public void close() {
        OffsetDateTime now = clock.instant().atOffset(ZoneOffset.UTC);
        OffsetDateTime last = database.sql("select max(night) from book")
                .query(OffsetDateTime.class)
                .optional()
                .orElse(null);
        OffsetDateTime night = last == null ? now.truncatedTo(ChronoUnit.SECONDS) : next(last);
        while (night != null && !night.isAfter(now)) {
            database.sql("insert into book select ?, count(*), ? from sale")
                    .params(night, instance)
                    .update();
            night = next(night);
        }
    }

    /** Another instance closes it. */
    public void leaveIt() {}
    // end::job[]

    private @Nullable OffsetDateTime next(OffsetDateTime night) {
        return nights.next(night.withOffsetSameInstant(ZoneOffset.UTC));
    }
}
