package dev.baton.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The application's own database. It is asked for its kind when the client connects, and not before. */
final class DataSourceDetails implements BatonConnectionDetails {
    private final DataSource dataSource;

    DataSourceDetails(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Names only the dialect; connections are those of the DataSource. */
    @Override
    public String uri() {
        try (Connection connection = dataSource.getConnection()) {
            String url = connection.getMetaData().getURL();
            int end = url.indexOf(':', "jdbc:".length());
            return url.substring(0, end + 1);
        } catch (SQLException away) {
            throw new IllegalStateException("the DataSource gives no connection for Baton: " + away.getMessage(), away);
        }
    }

    @Override
    public List<Object> driverObjects() {
        return List.of(dataSource);
    }
}
