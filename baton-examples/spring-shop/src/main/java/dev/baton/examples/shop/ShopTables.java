package dev.baton.examples.shop;

import dev.baton.Baton;
import dev.baton.jdbc.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.stereotype.Component;

/** Makes the tables when an instance starts. Instances that start together do it one after the other. */
@Component
class ShopTables implements InitializingBean {
    private final Baton baton;
    private final DataSource dataSource;

    ShopTables(Baton baton, DataSource dataSource) {
        this.baton = baton;
        this.dataSource = dataSource;
    }

    @Override
    public void afterPropertiesSet() throws SQLException, InterruptedException {
        baton.lock("shop-tables").run(lease -> {
            try (Connection connection = dataSource.getConnection()) {
                new ResourceDatabasePopulator(new ClassPathResource("schema.sql")).populate(connection);
                Fence.createTable(connection);
            }
        });
    }
}
