package dev.baton.examples.shop;

import dev.baton.Job;
import dev.baton.JobOptions.CatchUp;
import dev.baton.spring.ClusterScheduled;
import java.time.ZoneOffset;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The job of the night: closes the book of each night, on one of the instances. */
@Component
class Books {
    private final JdbcClient database;
    private final String instance;

    Books(JdbcClient database, @Value("${shop.instance:one}") String instance) {
        this.database = database;
        this.instance = instance;
    }

    // tag::job[]
    /**
     * One instance closes the book of each night, and those of nights in which none could. If it dies on the way, another one
     * begins again for the same night. So this may commit twice for one night, and the second time it must change nothing.
     */
    @ClusterScheduled(name = "books", cron = "${shop.night}", zone = "UTC", catchUp = CatchUp.ALL)
    @Transactional
    public void close(Job.Run run) {
        database.sql("insert into book select ?, count(*), ? from sale on conflict (night) do nothing")
                .params(run.fireTime().atOffset(ZoneOffset.UTC), instance)
                .update();
    }
    // end::job[]
}
